"""The winter board: what its pens take and bring, and the move out of quarantine."""

from typing import Any

import pytest

from saurodrome.engine.chance import FastChance
from saurodrome.engine.errors import IllegalAction, WrongDeciders
from saurodrome.engine.games.draftosaurus.board import SPECIES_NAMES
from saurodrome.engine.games.draftosaurus.boards import WINTER
from saurodrome.engine.games.draftosaurus.pens import SPECIES
from saurodrome.engine.games.draftosaurus.position import NO_ACTION, QUARANTINE
from saurodrome.engine.games.draftosaurus.positions import (
    BadPosition,
    PlainZoo,
    score_position,
)
from saurodrome.engine.games.draftosaurus.state import DraftosaurusState
from saurodrome.engine.games.draftosaurus.text import action_text, parse_action
from tests.engine.draftosaurus.cases import CASES, cases, placement, species, state

R, S, C, B, N, P = SPECIES_NAMES
EMPTY: PlainZoo = {}


def points(line: str, zoo: PlainZoo, *others: PlainZoo) -> int:
    return score_position("winter", [zoo, *(others or (EMPTY,))])[0].points[line]


def pyramid_moves(slots: list[str | None], name: str) -> list[int]:
    """Return the slots that take a species."""
    before = state("winter", [{"pyramid": slots}, {}], [[name], []])
    legal = before.legal_actions(0)
    return [slot for slot in range(6) if placement(WINTER, name, "pyramid", slot) in legal]


def wood_takes(inside: list[str]) -> set[str]:
    before = state("winter", [{"well_ordered_wood": inside}, {}], [SPECIES_NAMES, []])
    legal = before.legal_actions(0)
    return {one for one in SPECIES_NAMES if placement(WINTER, one, "well_ordered_wood") in legal}


def quarantined(*zoos: PlainZoo) -> DraftosaurusState:
    """Return the state after the last turn in which owners must move their dinosaur."""
    return state("winter", list(zoos), [[]] * len(zoos), turn=12, stage=QUARANTINE)


def move(name: str, pen: str, slot: int | None = None) -> int:
    return WINTER.first_move + placement(WINTER, name, pen, slot)


@pytest.mark.parametrize("case", cases("quarantine"), ids=lambda case: case["id"])
def test_the_worked_quarantine(case: dict[str, Any]) -> None:
    before = quarantined(*case["zoos_before"])
    seat, name = case["seat"], case["species"]
    expected = {
        move(name, goal["pen"], goal["slot"]): goal["total"]
        for goal in case["expected_legal_destinations"]
    }
    assert before.deciders() == (seat,)
    assert before.legal_actions(seat) == tuple(sorted(expected))
    for action, total in expected.items():
        outcome = before.apply({seat: action}, FastChance(1)).outcome()
        assert outcome is not None
        assert outcome.points == (total, 29)


def test_the_wood_alternates_two_species_from_the_left() -> None:
    every = set(SPECIES_NAMES)
    assert wood_takes([]) == every
    assert wood_takes([S]) == every - {S}
    assert wood_takes([S, C]) == {S}
    assert wood_takes([S, C, S]) == {C}
    assert wood_takes([S, C, S, C]) == {S}
    assert wood_takes([S, C, S, C, S]) == {C}
    assert wood_takes([S, C, S, C, S, C]) == set()


@pytest.mark.parametrize(("count", "expected"), [*enumerate((0, 2, 4, 8, 12, 18, 24))])
def test_the_wood_pays_by_count(count: int, expected: int) -> None:
    assert (
        points("well_ordered_wood", {"well_ordered_wood": [S, C, S, C, S, C][:count]}) == expected
    )


@pytest.mark.parametrize(
    ("slots", "name", "expected"),
    [
        ([], S, [0, 1, 2]),
        ([S], S, [2]),
        ([S], C, [1, 2]),
        ([None, S], S, []),
        ([None, S], C, [0, 2]),
        ([S, C, None], B, [2]),
        ([S, C, S], B, [3, 4]),
        ([S, C, S], C, []),
        ([S, C, B], S, [4]),
        ([S, C, B], B, [3]),
        ([S, C, B, N], N, []),
        ([S, C, B, N], P, [4]),
        ([S, C, B, None, N], P, [3]),
        ([S, C, B, N, P], S, [5]),
        ([S, C, B, N, P], N, []),
        ([S, C, B, N, P], P, []),
        ([S, C, B, N, P, R], S, []),
    ],
)
def test_a_pyramid_slot_is_open(slots: list[str | None], name: str, expected: list[int]) -> None:
    assert pyramid_moves(slots, name) == expected


def test_neighbours_are_those_of_the_printed_board() -> None:
    """Two equal dinosaurs may lie in the slots of a pair exactly if these do not touch."""
    touching = {tuple(pair) for pair in CASES["meta"]["tables"]["pyramid_adjacent_pairs"]}
    others = [C, B, N, P, R]
    for low in range(6):
        for high in range(low + 1, 6):
            slots: list[str | None] = [*others, None]
            slots[low] = S
            row = [0, 0, 0, 1, 1, 2][high]
            below = [slot for slot in range(6) if [0, 0, 0, 1, 1, 2][slot] < row]
            filled = [slots[slot] if slot in (*below, low) else None for slot in range(6)]
            assert (high in pyramid_moves(filled, S)) == ((low, high) not in touching)


@pytest.mark.parametrize(
    ("slots", "expected"),
    [
        ([], 0),
        ([S], 2),
        ([None, None, S], 2),
        ([S, C, S], 6),
        ([S, C, S, None, B], 10),
        ([S, C, S, B, N], 14),
        ([S, C, S, B, N, P], 21),
    ],
)
def test_a_pyramid_pays_each_dinosaur_by_its_row(slots: list[str | None], expected: int) -> None:
    assert points("pyramid", {"pyramid": slots}) == expected


@pytest.mark.parametrize(
    ("left", "right", "couples"),
    [
        ([S], [S], 1),
        ([S, S], [S], 1),
        ([S, S, S], [S, S, S], 3),
        ([S, S], [], 0),
        ([S, C, B], [B, S, N], 2),
        ([S], [C], 0),
        ([], [S, S], 0),
    ],
)
def test_lovers_meet_across_the_river(left: list[str], right: list[str], couples: int) -> None:
    zoo = {"lovers_bridge_left": left, "lovers_bridge_right": right}
    assert points("lovers_bridge", zoo) == 6 * couples


def test_the_bridge_is_two_pens_for_bonus_and_die() -> None:
    both = {"lovers_bridge_left": [R], "lovers_bridge_right": [R]}
    assert score_position("winter", [both, EMPTY])[0].trex_bonus == 2
    before = state("winter", [{"lovers_bridge_left": [R]}, {}], [[S], []], roller=1)
    for face in ("empty_pen", "no_trex"):
        before = state("winter", [{"lovers_bridge_left": [R]}, {}], [[S], []], die=face, roller=1)
        legal = before.legal_actions(0)
        assert placement(WINTER, S, "lovers_bridge_left") not in legal
        assert placement(WINTER, S, "lovers_bridge_right") in legal


def test_the_bridge_has_no_limit() -> None:
    full = {"lovers_bridge_left": [S] * 11, "lovers_bridge_right": [C] * 11}
    before = state("winter", [full, {}], [[B], []])
    legal = before.legal_actions(0)
    assert placement(WINTER, B, "lovers_bridge_left") in legal
    assert placement(WINTER, B, "lovers_bridge_right") in legal


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_lookout_looks_at_the_zoo_on_the_right(players: int) -> None:
    """Hands come from the right: from seat - 1."""
    assert CASES["flow"]["right_neighbour"] == "seat (i-1) mod n"
    zoos: list[PlainZoo] = [{"lookout": [S]}]
    zoos += [{"river": [S] * seat, "pyramid": [C]} for seat in range(1, players)]
    assert score_position("winter", zoos)[0].points["lookout"] == 2 * (players - 1)


def test_the_lookout_does_not_count_its_own_zoo() -> None:
    assert points("lookout", {"lookout": [S], "river": [S, S]}, {"river": [C]}) == 0


def test_quarantine_brings_nothing_by_itself() -> None:
    assert points("quarantine_zone", {"quarantine_zone": [S]}) == 0


def test_an_impossible_pyramid_is_no_position() -> None:
    with pytest.raises(BadPosition, match="stegosaurus cannot be number 2"):
        score_position("winter", [{"pyramid": [S, S]}, EMPTY])
    with pytest.raises(BadPosition, match="number 4"):
        score_position("winter", [{"pyramid": [S, C, None, B]}, EMPTY])
    with pytest.raises(BadPosition, match="number 7"):
        score_position("winter", [{"pyramid": [S, C, S, B, N, P, R]}, EMPTY])


def test_without_quarantine_the_match_ends_after_the_last_turn() -> None:
    before = state("winter", [{}, {}, {}], [[S], [S], [S]], turn=11)
    river = placement(WINTER, S, "river")
    after = before.apply(dict.fromkeys(range(3), river), FastChance(1))
    assert (after.phase, after.deciders()) == ("over", ())


def test_owners_move_at_once_after_the_last_turn() -> None:
    zoos: list[PlainZoo] = [{"quarantine_zone": [R]}, {}, {}]
    before = state("winter", zoos, [[S], [S], [S]], turn=11)
    river, zone = placement(WINTER, S, "river"), placement(WINTER, S, "quarantine_zone")
    waiting = before.apply({0: river, 1: river, 2: zone}, FastChance(1))
    assert (waiting.phase, waiting.deciders(), waiting.outcome()) == ("quarantine", (0, 2), None)
    assert waiting.legal_actions(1) == ()
    with pytest.raises(WrongDeciders):
        waiting.apply({0: waiting.default_action(0)}, FastChance(1))
    moves = {0: move(R, "lookout"), 2: move(S, "pyramid", 1)}
    after = waiting.apply(moves, FastChance(1))
    assert (after.phase, after.deciders()) == ("over", ())
    assert after.reveal == (moves[0], NO_ACTION, moves[2])
    outcome = after.outcome()
    assert outcome is not None
    # Seat 0: S in the River 1, the lookout sees no T-Rex at seat 2, T-Rex bonus 1.
    # Seat 1: S in the River 1. Seat 2: bottom of the pyramid 2.
    assert outcome.points == (2, 1, 2)


def test_the_dinosaur_may_not_stay() -> None:
    before = quarantined({"quarantine_zone": [S]}, {})
    zone = move(S, "quarantine_zone")
    assert zone not in before.legal_actions(0)
    for action in (zone, placement(WINTER, S, "river"), move(C, "river")):
        with pytest.raises(IllegalAction) as caught:
            before.apply({0: action}, FastChance(1))
        assert (caught.value.player, caught.value.action) == (0, action)


def test_the_default_moves_to_the_river() -> None:
    before = quarantined({"quarantine_zone": [N]}, {"quarantine_zone": [R]})
    assert before.default_action(0) == move(N, "river")
    assert before.default_action(1) == move(R, "river")


def test_the_moved_dinosaur_leaves_its_bonus_behind() -> None:
    before = quarantined({"quarantine_zone": [R]}, {})
    after = before.apply({0: move(R, "river")}, FastChance(1))
    outcome = after.outcome()
    assert outcome is not None
    assert outcome.points == (1, 0)


def test_quarantine_holds_one_and_the_die_knows_it() -> None:
    before = state("winter", [{"quarantine_zone": [R]}, {}], [[S], []])
    assert placement(WINTER, S, "quarantine_zone") not in before.legal_actions(0)
    before = state("winter", [{}, {}], [[S], []], die="food_court", roller=1)
    assert placement(WINTER, S, "quarantine_zone") in before.legal_actions(0)


def test_the_actions_of_winter_are_called_so() -> None:
    places = ["wood", "lbridge", "rbridge", *(f"pyramid {slot}" for slot in range(6))]
    places += ["lookout", "quarantine", "river"]
    placements = [f"{letter} {place}" for place in places for letter in "RSCBNP"]
    discards = [f"discard {letter}" for letter in "RSCBNP"]
    expected = [*placements, *discards, *(f"move {text}" for text in placements)]
    assert [action_text(WINTER, action) for action in range(150)] == expected
    assert parse_action(WINTER, "move s Pyramid 3") == move(S, "pyramid", 3)
    assert move(S, "pyramid", 3) - WINTER.first_move == 6 * SPECIES + species(S)
