"""A placement is legal exactly when the pen's rule and the die say so."""

from typing import Any

import pytest

from saurodrome.engine.chance import FastChance
from saurodrome.engine.errors import IllegalAction
from saurodrome.engine.games.draftosaurus.board import FACES, SPECIES_NAMES
from saurodrome.engine.games.draftosaurus.boards import BOARDS, SUMMER
from saurodrome.engine.games.draftosaurus.position import DISCARD
from tests.engine.draftosaurus.cases import CASES, legality_vectors, placement, state

R, S, C, B, N, P = SPECIES_NAMES
PENS = [pen.name for pen in SUMMER.pens]


def name_of(vector: dict[str, Any]) -> str:
    parts = [vector["board"], vector["pen"], str(len(vector["contents"])), vector["species"]]
    return "-".join([*parts, str(vector["slot"]), str(vector["die"]), str(vector["is_roller"])])


@pytest.mark.parametrize("vector", legality_vectors(), ids=name_of)
def test_the_judged_placement(vector: dict[str, Any]) -> None:
    zoo = {vector["pen"]: vector["contents"]}
    species, roller = vector["species"], 0 if vector["is_roller"] else 1
    before = state(
        vector["board"],
        [zoo, {}, {}],
        [[species]] * 3,
        die=vector["die"],
        roller=roller,
        turn=1,
    )
    action = placement(before.board, species, vector["pen"], vector["slot"])
    assert (action in before.legal_actions(0)) == vector["legal"]
    river = placement(before.board, species, "river")
    actions = {0: action, 1: river, 2: river}
    if vector["legal"]:
        before.apply(actions, FastChance(1))
    else:
        with pytest.raises(IllegalAction) as caught:
            before.apply(actions, FastChance(1))
        assert (caught.value.player, caught.value.action) == (0, action)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_pens_lie_where_the_printed_board_has_them(board: Any) -> None:
    printed = CASES["meta"]["pens"][board.name]
    found = {
        pen.name: {
            "zone": FACES[pen.zone],
            "side": FACES[pen.side],
            "capacity": pen.capacity or None,
        }
        for pen in board.pens[:-1]
    }
    assert found == printed
    assert board.pens[-1].name == "river"


def test_faces_and_species_are_numbered_as_published() -> None:
    assert list(FACES) == CASES["meta"]["die_faces"]
    assert list(SPECIES_NAMES) == CASES["meta"]["species"]


@pytest.mark.parametrize("face", [None, *FACES])
def test_the_river_is_always_legal_also_where_pens_are(face: str | None) -> None:
    before = state("summer", [{}, {}], [[R, S, P], []], die=face, roller=1)
    legal = before.legal_actions(0)
    assert {placement(SUMMER, one, "river") for one in (R, S, P)} <= set(legal)
    assert len(legal) > 3


def test_only_the_river_is_left_when_the_die_closes_the_rest() -> None:
    full = {"forest_of_sameness": [R], "woody_trio": [S], "king_of_the_jungle": [S]}
    full |= {"prairie_of_love": [S], "meadow_of_differences": [S], "solitary_island": [S]}
    before = state("summer", [full, {}], [[C, N], []], die="empty_pen", roller=1)
    rivers = tuple(placement(SUMMER, one, "river") for one in (C, N))
    assert before.legal_actions(0) == rivers


def test_no_trex_closes_pens_with_a_t_rex_but_not_to_a_first_one() -> None:
    before = state("summer", [{"woody_trio": [R]}, {}], [[R, S], []], die="no_trex", roller=1)
    legal = before.legal_actions(0)
    for one in (R, S):
        assert placement(SUMMER, one, "woody_trio") not in legal
        assert placement(SUMMER, one, "prairie_of_love") in legal


@pytest.mark.parametrize("face", FACES)
def test_the_roller_is_free(face: str) -> None:
    before = state("summer", [{}, {}], [[S], [S]], die=face, roller=0)
    assert before.legal_actions(0) == tuple(placement(SUMMER, S, pen) for pen in PENS)


def test_a_prairie_holds_six() -> None:
    six = {"prairie_of_love": [S, C, B, N, P, R]}
    before = state("summer", [six, {}], [[S], [S]])
    assert placement(SUMMER, S, "prairie_of_love") not in before.legal_actions(0)


def test_an_island_takes_a_species_that_the_zoo_holds() -> None:
    zoo = {"river": [S], "forest_of_sameness": [S]}
    before = state("summer", [zoo, {}], [[S], [S]])
    assert placement(SUMMER, S, "solitary_island") in before.legal_actions(0)


def test_a_forest_takes_only_its_own_species_and_six_of_it() -> None:
    for count in range(1, 7):
        before = state("summer", [{"forest_of_sameness": [C] * count}, {}], [[R, C], []])
        legal = before.legal_actions(0)
        assert placement(SUMMER, R, "forest_of_sameness") not in legal
        assert (placement(SUMMER, C, "forest_of_sameness") in legal) == (count < 6)


def test_a_meadow_takes_each_species_once() -> None:
    before = state("summer", [{"meadow_of_differences": [S, R, P]}, {}], [[R, S, C, B, P], []])
    meadow = [one for one in (R, S, C, B, N, P) if one in (C, B)]
    found = {placement(SUMMER, one, "meadow_of_differences") for one in SPECIES_NAMES}
    legal = found & set(before.legal_actions(0))
    assert legal == {placement(SUMMER, one, "meadow_of_differences") for one in meadow}


def test_only_dinosaurs_of_the_hand_can_be_placed() -> None:
    before = state("summer", [{}, {}], [[S], [C, C]])
    assert all(action % 6 == 1 for action in before.legal_actions(0))
    with pytest.raises(IllegalAction):
        before.apply(
            {0: placement(SUMMER, C, "river"), 1: placement(SUMMER, C, "river")}, FastChance(1)
        )


def test_two_players_discard_any_dinosaur_of_their_hand_once() -> None:
    before = state("summer", [{}, {}], [[R, S, S, P], [C]], stage=DISCARD)
    first = SUMMER.first_discard
    assert before.legal_actions(0) == (first + 0, first + 1, first + 5)
    assert before.legal_actions(1) == (first + 2,)
    for player, action in ((0, first + 2), (0, placement(SUMMER, R, "river")), (1, first + 6)):
        with pytest.raises(IllegalAction) as caught:
            before.apply({0: first, 1: first + 2} | {player: action}, FastChance(1))
        assert (caught.value.player, caught.value.action) == (player, action)
