"""Whoever looks at a fault reads why: there is a reason exactly where a choice is not legal."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.draftosaurus.board import FREE, SPECIES_NAMES, Board
from saurodrome.engine.games.draftosaurus.boards import BOARDS, SUMMER, WINTER
from saurodrome.engine.games.draftosaurus.pens import SPECIES
from saurodrome.engine.games.draftosaurus.position import DISCARD, QUARANTINE
from saurodrome.engine.games.draftosaurus.positions import PlainZoo
from saurodrome.engine.games.draftosaurus.reasons import closed_by, pen_refusal, refusal
from saurodrome.engine.games.draftosaurus.state import GAME, DraftosaurusState
from tests.engine.draftosaurus.cases import placement, state

R, S, C, B, N, P = SPECIES_NAMES


def actions_of(board: Board) -> int:
    return board.first_move + (board.first_discard if board.quarantine >= 0 else 0)


def check_reasons(now: DraftosaurusState) -> None:
    """Every id has a reason or is legal, and the pens' own reasons are as good as the rules."""
    for player in range(now.players):
        legal = now.legal_actions(player)
        for action in range(-1, actions_of(now.board) + 1):
            assert (refusal(now, player, action) == "") == (action in legal)
        die = FREE if player == now.roller else now.die
        for action in legal:
            placed = action % now.board.first_move
            if placed < now.board.first_discard:
                place = now.board.places[placed // SPECIES]
                pen, contents = now.board.pens[place.pen], now.zoos[player].pens[place.pen]
                assert closed_by(pen, contents, die) == ""
                assert pen_refusal(pen, contents, placed % SPECIES, place.slot) == ""


@settings(max_examples=40, deadline=None)
@given(
    variant=st.sampled_from(GAME.variants), players=st.integers(2, 5), seed=st.integers(0, 2**32)
)
def test_a_choice_has_a_reason_exactly_if_it_is_not_legal(
    variant: str, players: int, seed: int
) -> None:
    chance = FastChance(seed)
    now = GAME.initial_state(variant, players, chance)
    stop = chance.draw("stop", 26)
    while now.deciders() and stop:
        chosen = {}
        for player in now.deciders():
            legal = now.legal_actions(player)
            chosen[player] = legal[chance.draw("choice", len(legal))]
        now = now.apply(chosen, chance)
        stop -= 1
    check_reasons(now)


def place_reason(
    zoo: PlainZoo, species: str, pen: str, slot: int | None = None, die: str | None = None
) -> str:
    board = next(board for board in BOARDS if pen in [one.name for one in board.pens])
    now = state(board.name, [zoo, {}], [[species], []], die=die, roller=1)
    return refusal(now, 0, placement(board, species, pen, slot))


@pytest.mark.parametrize(
    ("zoo", "species", "pen", "slot", "words"),
    [
        ({"woody_trio": [S, S, S]}, C, "woody_trio", None, "trio is full with 3"),
        ({"forest_of_sameness": [S]}, C, "forest_of_sameness", None, "holds S (stegosaurus)"),
        ({"meadow_of_differences": [S]}, S, "meadow_of_differences", None, "each species once"),
        ({"well_ordered_wood": [S]}, S, "well_ordered_wood", None, "second must not be S"),
        ({"well_ordered_wood": [S, C]}, B, "well_ordered_wood", None, "next must be S"),
        ({"pyramid": [S]}, S, "pyramid", 1, "slot 1 of pyramid touches an equal dinosaur in"),
        ({"pyramid": [S]}, C, "pyramid", 0, "slot 0 of pyramid is taken"),
        ({"pyramid": [S, C]}, B, "pyramid", 3, "hole below slot 3 of pyramid: slot 2"),
        ({"pyramid": [S, C, S, B]}, R, "pyramid", 5, "hole below slot 5 of pyramid: slot 4"),
    ],
)
def test_the_pens_own_rule_is_named(
    zoo: PlainZoo, species: str, pen: str, slot: int | None, words: str
) -> None:
    assert words in place_reason(zoo, species, pen, slot)


@pytest.mark.parametrize(
    ("zoo", "die", "words"),
    [
        ({}, "woodlands", "the die says woodlands, meadow belongs to the grasslands"),
        ({}, "food_court", "the die says food court, meadow belongs to the restrooms"),
        ({"meadow_of_differences": [C]}, "empty_pen", "meadow is not empty"),
        ({"meadow_of_differences": [R]}, "no_trex", "meadow holds a T-Rex"),
    ],
)
def test_the_die_is_named(zoo: PlainZoo, die: str, words: str) -> None:
    assert words in place_reason(zoo, S, "meadow_of_differences", die=die)


def test_the_one_who_rolled_hears_of_the_pen_alone() -> None:
    zoo = {"woody_trio": [S, S, S]}
    now = state("summer", [zoo, {}], [[C], []], die="grasslands", roller=0)
    assert refusal(now, 0, placement(SUMMER, C, "woody_trio")) == "trio is full with 3"


def test_the_die_and_the_place_are_named_without_underscores() -> None:
    said = place_reason({}, S, "woody_trio", die="restrooms")
    assert said == "the die says restrooms, trio belongs to the food court"


def test_a_pyramid_says_which_slots_it_has_and_all_that_are_missing() -> None:
    pyramid = next(pen for pen in WINTER.pens if pen.name == "pyramid")
    for slot in (-1, 6):
        assert pen_refusal(pyramid, 0, 1, slot) == "pyramid has slots 0 to 5"
    said = place_reason({"pyramid": [S]}, C, "pyramid", 3)
    assert said == "there is a hole below slot 3 of pyramid: slot 1 and 2"


def discarding(hands: Sequence[Sequence[str]]) -> DraftosaurusState:
    return state("summer", [{}, {}], hands, stage=DISCARD)


def test_the_kind_of_choice_is_named() -> None:
    placing = state("summer", [{}, {}], [[S], [S]])
    assert refusal(placing, 0, SUMMER.first_discard) == "a placement is asked for"
    assert refusal(placing, 0, placement(SUMMER, C, "river")) == "the hand holds no C"
    assert refusal(placing, 0, 0) == "the hand holds no R"
    assert refusal(placing, 0, -1) == "a placement is asked for"
    assert refusal(placing, 5, 0) == "nothing is asked of this seat"
    hands = [[S], [S]]
    assert refusal(discarding(hands), 0, 0) == "a discard is asked for"
    assert refusal(discarding(hands), 0, SUMMER.first_discard) == "the hand holds no R"
    over = state("summer", [{}, {}], [[], []], stage=2, turn=12)
    assert refusal(over, 0, 0) == "the match is over"


def test_a_move_out_of_quarantine_has_its_reasons() -> None:
    zoo = {
        "quarantine_zone": [S],
        "lookout": [C],
        "pyramid": [S, C],
        "well_ordered_wood": [S],
    }
    now = state("winter", [zoo, {}], [[], []], turn=12, stage=QUARANTINE)

    def why(species: str, pen: str, slot: int | None = None) -> str:
        return refusal(now, 0, WINTER.first_move + placement(WINTER, species, pen, slot))

    assert why(S, "river") == why(S, "pyramid", 2) == ""
    assert why(C, "river") == "S is in quarantine, not C"
    assert why(S, "lookout") == "lookout is full with 1"
    assert why(S, "quarantine_zone") == "the dinosaur in quarantine must leave it"
    assert why(S, "pyramid", 0) == "slot 0 of pyramid is taken"
    assert why(S, "pyramid", 3) == "there is a hole below slot 3 of pyramid: slot 2"
    assert why(S, "well_ordered_wood").endswith("the second must not be S (stegosaurus)")
    assert refusal(now, 0, placement(WINTER, S, "river")) == "a move out of quarantine is asked for"
    assert refusal(now, 0, WINTER.first_move) == "S is in quarantine, not R"
    assert refusal(now, 1, WINTER.first_move) == "nothing is asked of this seat"


@pytest.mark.parametrize("species", [R, S, P])
def test_no_move_leads_beyond_the_last_place(species: str) -> None:
    zoo = {"quarantine_zone": [species]}
    now = state("winter", [zoo, {}], [[], []], turn=12, stage=QUARANTINE)
    nowhere = WINTER.first_move + WINTER.first_discard + SPECIES_NAMES.index(species)
    assert refusal(now, 0, nowhere) == "there is no such place"
