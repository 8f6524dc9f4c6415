"""Verify passes what was played and names the first thing that was not."""

from collections.abc import Callable

import pytest

from saurodrome.engine import registry
from saurodrome.engine.chance import Draw, SecureChance
from saurodrome.engine.errors import BadPlayerCount, ReplayMismatch, UnknownGame, UnknownVariant
from saurodrome.engine.game import Outcome
from saurodrome.engine.playthrough import (
    RULESET,
    RULESET_HASH,
    Choice,
    Difference,
    Playthrough,
    Recorder,
    Step,
    redraw,
    replay,
    verify,
)
from tests.engine.playthrough.samples import sample

Change = Callable[[Playthrough], Playthrough]


def with_step(number: int, change: Callable[[Step], Step]) -> Change:
    def changed(record: Playthrough) -> Playthrough:
        steps = list(record.steps)
        steps[number - 1] = change(steps[number - 1])
        return record._replace(steps=tuple(steps))

    return changed


def with_choice(seat: int, action: str) -> Callable[[Step], Step]:
    def changed(step: Step) -> Step:
        choices = list(step.choices)
        choices[seat] = Choice(seat, action)
        return step._replace(choices=tuple(choices))

    return changed


def first_value(draws: tuple[Draw, ...], change: Callable[[Draw], Draw]) -> tuple[Draw, ...]:
    return (change(draws[0]), *draws[1:])


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_what_was_played_passes(players: int) -> None:
    assert verify(sample(players)) is None


def test_a_replay_yields_every_state() -> None:
    record = sample(3)
    states = list(replay(record))
    assert len(states) == len(record.steps) + 1
    assert [state.phase for state in states] == ["place"] * 12 + ["over"]


MISFITS: list[tuple[Change, int, int | None, str]] = [
    (lambda r: r._replace(rules_version=9), 0, None, "recorded under rules 9, these are rules 1"),
    (lambda r: r._replace(setup=r.setup[:-1]), 0, None, "the record has no more draws"),
    (lambda r: r._replace(setup=(*r.setup, Draw("die", 6, 1))), 0, None, "draw nothing more"),
    (
        lambda r: r._replace(setup=first_value(r.setup, lambda d: d._replace(n=7))),
        0,
        None,
        "the record has bag of 7",
    ),
    (with_step(3, with_choice(1, "S nowhere")), 3, 1, "is not an action"),
    (with_step(1, with_choice(1, "discard S")), 1, 1, "'discard S' was not legal"),
    (with_step(5, lambda s: s._replace(choices=s.choices[:1])), 5, 1, "must act"),
    (with_step(5, lambda s: s._replace(choices=s.choices[:1] * 2)), 5, 0, "two actions"),
    (
        with_step(5, lambda s: s._replace(choices=(*s.choices, Choice(4, "S river")))),
        5,
        4,
        "nothing to decide",
    ),
    (with_step(2, lambda s: s._replace(draws=())), 2, None, "no more draws"),
    (lambda r: r._replace(steps=(*r.steps, r.steps[0])), 25, 0, "nothing to decide"),
    (lambda r: r._replace(steps=r.steps[:-1]), 23, None, "the rules that it is not over"),
    (lambda r: r._replace(outcome=Outcome((0, 0), (1, 1))), 24, 0, "record says points 0 0"),
    (lambda r: r._replace(outcome=None), 24, None, "the record says that it is not over"),
]


@pytest.mark.parametrize(("change", "step", "seat", "what"), MISFITS)
def test_the_first_difference_is_named(
    change: Change, step: int, seat: int | None, what: str
) -> None:
    record = change(sample())
    difference = verify(record)
    assert difference is not None
    assert (difference.step, difference.seat) == (step, seat)
    assert what in difference.what
    with pytest.raises(ReplayMismatch) as caught:
        list(replay(record))
    error = caught.value
    assert Difference(error.step, error.seat, error.what) == difference


def test_the_secret_gives_every_draw_again() -> None:
    secret = bytes(range(32))
    recorder = Recorder(registry.get("draftosaurus"), "winter", 3, SecureChance(secret))
    while deciders := recorder.state.deciders():
        recorder.step({seat: recorder.state.default_action(seat) for seat in deciders})
    record = recorder.playthrough()
    assert redraw(record, SecureChance(secret)) is None
    other = redraw(record, SecureChance(bytes(32)))
    assert other is not None
    assert other.step == 0


@pytest.mark.parametrize(("step", "n", "value"), [(0, 6, 5), (4, 6, 5), (4, 6, 9), (4, 10**98, 1)])
def test_the_first_draw_of_another_source_is_named(step: int, n: int, value: int) -> None:
    """The source gives 0 every time, and the record says so too, but in one place."""
    draws = [(Draw("bag", 48, 0), Draw("die", 6, 0))] + [(Draw("die", 6, 0),)] * 7
    draws[step] = (*draws[step][:-1], Draw("die", n, value))
    steps = tuple(Step((), some) for some in draws[1:])
    record = sample()._replace(setup=draws[0], steps=steps)
    difference = redraw(record, Zeros())
    assert difference is not None
    assert (difference.step, difference.seat) == (step, None)
    assert f"die of {n}: the record says {value}" in difference.what


class Zeros:
    """Always draws the first outcome."""

    def draw(self, stream: str, n: int) -> int:
        return 0


def test_another_die_binds_all_but_the_roller() -> None:
    record = sample(seed=2)
    assert "river" not in record.steps[0].choices[1].action
    found = []
    for face in range(6):
        setup = (*record.setup[:-1], Draw("die", 6, face))
        found.append(verify(record._replace(setup=setup)))
    assert {(d.step, d.seat) for d in found if d is not None} == {(1, 1)}


def test_a_match_that_cannot_exist_is_the_callers_bug() -> None:
    with pytest.raises(UnknownGame):
        verify(sample()._replace(game="chess"))
    with pytest.raises(UnknownVariant):
        verify(sample()._replace(variant="autumn"))
    with pytest.raises(BadPlayerCount):
        verify(sample()._replace(players=9))


def test_a_record_of_other_component_values_is_not_replayed() -> None:
    game = registry.get("duelosaur")
    chance = SecureChance(bytes(32))
    ours = {RULESET: game.ruleset, RULESET_HASH: game.ruleset_hash}
    assert verify(Recorder(game, "medium", 2, chance, 0, ours).playthrough()) is None
    others = {RULESET: "mine-1", RULESET_HASH: "00ff"}
    found = verify(Recorder(game, "medium", 2, chance, 0, others).playthrough())
    assert found == Difference(
        0, None, "recorded with ruleset mine-1, this is ruleset duelosaur-recon-1, and they differ"
    )
