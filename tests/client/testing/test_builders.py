"""What the testing module builds, and how it asks."""

import pytest

from saurodrome.client import BadReply, Decision, IllegalAction, Match
from saurodrome.client.testing import decision, match, play


def river(d: Decision) -> int:
    return next(a.id for a in d.legal_actions if a.pen == "river")


def test_play_tells_what_was_chosen_in_words() -> None:
    asked = [decision(["S forest", "S river"]), decision(["N trio", "N river"])]

    assert play(river, asked) == ["S river", "N river"]


def test_play_prepares_once_a_match() -> None:
    prepared: list[str] = []

    def prepare(m: Match) -> None:
        prepared.append(m.id)

    a, b = match("a/1/1/0"), match("b/1/1/0")
    play(river, [decision(of=a), decision(of=a), decision(of=b)], prepare=prepare)

    assert prepared == ["a/1/1/0", "b/1/1/0"]


def test_play_stops_at_a_fault() -> None:
    with pytest.raises(BadReply):
        play(lambda d: None, [decision()])


def test_ids_are_no_positions() -> None:
    with pytest.raises(IllegalAction):
        play(lambda d: 0, [decision()])


def test_a_hand_that_is_not_given_holds_what_may_be_played() -> None:
    state = decision(["S forest", "R river", "S river"]).state

    assert [species.letter for species in state.hand] == ["R", "S"]


def test_each_player_has_a_zoo_of_the_board() -> None:
    state = decision(["S river"], of=match(variant="winter", players=("a", "b", "c"))).state

    assert len(state.zoos) == 3
    assert [pen.short for pen in state.zoo] == [
        "wood",
        "lbridge",
        "rbridge",
        "pyramid",
        "lookout",
        "quarantine",
        "river",
    ]


def test_a_pen_of_the_other_board_is_refused() -> None:
    with pytest.raises(ValueError, match="pyramid"):
        decision(zoos=[{"pyramid": "S"}])


def test_an_unknown_pen_is_refused() -> None:
    with pytest.raises(KeyError):
        decision(["S swamp"])
