"""Conformance passes honest games and catches every broken promise."""

import dataclasses
import re

import pytest

from saurodrome.engine import conformance
from saurodrome.engine.errors import ConformanceError
from saurodrome.engine.game import Observation
from tests.engine import broken
from tests.engine.toy import GAME, CairnState

BROKEN: list[tuple[type[CairnState], str]] = [
    (broken.Descending, "ids are not ascending"),
    (broken.Repeating, "ids are not ascending"),
    (broken.Stuck, "a decider needs legal actions, others none"),
    (broken.Talkative, "a decider needs legal actions, others none"),
    (broken.BadDefault, "the default action is not legal"),
    (broken.Remembering, "equal actions and chance gave two different states"),
    (broken.Scribbling, "apply changed its state"),
    (broken.Nosy, "asking a state changed it"),
    (broken.Fresh, "equal chance gave two different initial states"),
    (broken.Endless, "no end after"),
    (broken.Nameless, "which means"),
    (broken.Multiline, "no plain action text"),
    (broken.Forgiving, "parse_action accepts"),
    (broken.LeakToPlayers, "what it may not know"),
    (broken.LeakToSpectator, "what it may not know"),
    (broken.LeakByActions, "what it may not know"),
    (broken.LeakByDefault, "what it may not know"),
    (broken.LeakByDeciders, "what it may not know"),
    (broken.TwoTruths, "the public part differs"),
    (broken.Lookalike, "the observation says player 0"),
    (broken.Moody, "two looks give two observations"),
    (broken.LazyResample, "resample never changed anything"),
    (broken.LazyForSpectator, "seat None: resample never changed anything"),
    (broken.DeadTwin, "raised ZeroDivisionError"),
    (broken.OpenSteps, "it sees a sealed step"),
    (broken.OpenLast, "it sees a sealed step"),
    (broken.FirstNamed, "equal actions and chance gave two different states"),
    (broken.Backwards, "deciders are not ascending"),
    (broken.Stranger, "a decider is no seat"),
    (broken.OpenDone, "it sees a sealed step"),
    (broken.FirstComes, "sealed steps in the order"),
    (broken.Impatient, "a step took another player's turn"),
    (broken.Lenient, "which is not legal"),
    (broken.AnyoneMay, "apply accepts actions of"),
    (broken.NobodyMay, "apply accepts actions of"),
    (broken.BadPlaces, "are no placements"),
    (broken.FewPoints, "the points do not fit"),
    (broken.EarlyOutcome, "there must be deciders, or else an outcome"),
    (broken.NoOutcome, "there must be deciders, or else an outcome"),
    (broken.BadStream, "raised ValueError"),
    (broken.Crashing, "raised KeyError"),
]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_toy_passes(players: int) -> None:
    conformance.check(GAME, variant="plain", players=players, games=20)


@pytest.mark.parametrize(("kind", "what"), BROKEN, ids=lambda value: getattr(value, "__name__", ""))
def test_a_broken_promise_is_caught(
    kind: type[CairnState], what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conformance, "_MAX_STEPS", 60)
    game = dataclasses.replace(GAME, kind=kind)
    with pytest.raises(ConformanceError, match=re.escape(what)):
        conformance.check(game, variant="plain", players=3, games=10)


def test_the_error_says_where() -> None:
    game = dataclasses.replace(GAME, kind=broken.Stuck)
    with pytest.raises(ConformanceError) as caught:
        conformance.check(game, variant="plain", players=2, seed=7, games=1)
    error = caught.value
    assert (error.game, error.seed, error.seat) == ("cairns", "7/0", error.seat)
    assert error.step > 0
    assert error.seat in (0, 1)
    assert str(error).startswith(f"cairns, seed 7/0, step {error.step}, seat {error.seat}: ")


def test_a_codec_may_not_leak_either() -> None:
    stolen: list[bytes] = [b"0"]

    def leaking(observation: Observation) -> bytes:
        stolen.append(stolen[-1] + b"1")
        return stolen[-1]

    with pytest.raises(ConformanceError, match="what it may not know"):
        conformance.check(GAME, variant="plain", players=2, games=1, codec=leaking)


def test_an_honest_codec_passes() -> None:
    conformance.check(GAME, variant="plain", players=2, games=5, codec=lambda o: repr(o).encode())


def test_a_game_that_hides_nothing_must_say_so() -> None:
    class OpenState(CairnState):
        def public(self, player: int | None) -> tuple[object, ...]:
            return tuple(self)

        def private(self, player: int | None) -> tuple[object, ...]:
            return ()

        def resample(self, player, chance):  # type: ignore[no-untyped-def]  # hides nothing
            return self

        @property
        def sealed(self) -> bool:
            return False

        def apply(self, actions, chance):  # type: ignore[no-untyped-def]  # all at once
            if set(actions) != set(self.deciders()):
                return super().apply({}, chance)
            return super().apply(actions, chance)

    class Frank(type(GAME)):  # type: ignore[misc]  # a second class of rules
        def hides(self, variant: str, observer: int | None) -> bool:
            return False

    with pytest.raises(ConformanceError, match="never changed anything"):
        conformance.check(
            dataclasses.replace(GAME, kind=OpenState), variant="plain", players=2, games=5
        )
    frank = Frank("frank", ("plain",), 2, 4, 1, OpenState)
    conformance.check(frank, variant="plain", players=2, games=5)
    liar = Frank("liar", ("plain",), 2, 4, 1, CairnState)
    with pytest.raises(ConformanceError, match="says that it hides nothing"):
        conformance.check(liar, variant="plain", players=2, games=5)
