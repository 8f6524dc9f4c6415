"""Match and Decision: what an author is given."""

import dataclasses

import pytest

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client import Decision, FaultRule, Player, Previous, Refused, TimeControl
from saurodrome.client.testing import decision, match
from saurodrome.client.testing._draftosaurus import seconds


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_match_tells_who_plays_what_and_how_long() -> None:
    m = match("cup/1/2/3", attempt=2, seat=1, players=("ann", "bob"), ready_seconds=20.0)

    assert (m.id, m.attempt, m.game, m.variant) == ("cup/1/2/3", 2, "draftosaurus", "summer")
    assert (m.seat, m.rules_version) == (1, 1)
    assert m.players == (Player("ann", "Ann"), Player("bob", "Bob"))
    assert m.time == TimeControl(ready=20.0, decision=1.0, margin=0.05)
    assert m.faults == FaultRule(3, 5, 3)


def test_a_decision_knows_its_match() -> None:
    d = decision(of=match("cup/1/2/3", seat=1))

    assert (d.match_id, d.game, d.variant, d.seat) == ("cup/1/2/3", "draftosaurus", "summer", 1)
    assert [player.bot for player in d.players] == ["me", "you"]


def test_remaining_counts_down_to_zero() -> None:
    clock = Clock()
    d = Decision.received(match(), decision(remaining=0.5).message, clock)

    assert d.remaining == pytest.approx(0.5)
    clock.now += 0.2
    assert d.remaining == pytest.approx(0.3)
    clock.now += 5.0
    assert d.remaining == 0.0


def test_legal_actions_read_as_their_text() -> None:
    d = decision(["S forest", "N river"])

    assert [str(action) for action in d.legal_actions] == ["S forest", "N river"]
    assert [action.id for action in d.legal_actions] == [3, 7]


def test_the_default_is_one_of_the_legal_actions() -> None:
    d = decision(["S forest", "S river"], default="S forest")

    assert d.default is d.legal_actions[0]


def test_the_first_decision_has_no_previous_one() -> None:
    assert decision().previous is None


def test_a_later_decision_tells_how_the_previous_one_was_counted() -> None:
    wire = bot_pb2.PreviousDecision(charged=seconds(1.02), in_margin=True, illegal_replies=2)

    assert decision(previous=wire).previous == Previous(1.02, True, False, 2)


def test_nothing_in_it_can_be_changed() -> None:
    d = decision()

    with pytest.raises(dataclasses.FrozenInstanceError):
        d.deadline = 0.0  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        d.legal_actions[0].id = 0  # type: ignore[misc]
    with pytest.raises((AttributeError, TypeError)):
        d.state.turn = 3


def test_parts_are_built_once() -> None:
    d = decision()

    assert d.legal_actions is d.legal_actions
    assert d.state is d.state


def test_a_game_that_is_not_known_asks_for_a_newer_client() -> None:
    with pytest.raises(Refused) as caught:
        _ = Decision.received(match(), bot_pb2.Decision(match_id="m")).legal_actions

    assert caught.value.code == "CLIENT_TOO_OLD"


def test_it_reads_as_match_turn_and_time() -> None:
    clock = Clock()
    d = Decision.received(match("cup/1/2/3"), decision(turn=4, remaining=0.25).message, clock)

    assert repr(d.match) == "<Match test/1/1/0 draftosaurus/summer seat 0>" or "cup" in repr(
        d.match
    )
    assert repr(d).endswith("turn 4: 2 legal, 250 ms left>")
