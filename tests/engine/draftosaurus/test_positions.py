"""Positions written by name are checked before they are scored."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from saurodrome.engine.errors import BadPlayerCount, UnknownVariant
from saurodrome.engine.games.draftosaurus.board import SPECIES_NAMES
from saurodrome.engine.games.draftosaurus.boards import SUMMER
from saurodrome.engine.games.draftosaurus.positions import (
    BadPosition,
    PlainZoo,
    build_zoo,
    check_table,
    destinations,
    owners,
    score_position,
)
from tests.engine.draftosaurus.cases import cases

EMPTY: PlainZoo = {}


@pytest.mark.parametrize(
    ("zoo", "pen", "what"),
    [
        ({"swamp": []}, "swamp", "no such pen"),
        ({"river": ["dodo"]}, "river", "'dodo' is no species"),
        ({"woody_trio": ["trex"] * 4}, "woody_trio", "trex cannot be number 4 here"),
        ({"solitary_island": ["trex"] * 2}, "solitary_island", "cannot be number 2"),
        (
            {"forest_of_sameness": ["trex", "stegosaurus"]},
            "forest_of_sameness",
            "stegosaurus cannot be number 2",
        ),
        (
            {"meadow_of_differences": ["trex", "stegosaurus", "trex"]},
            "meadow_of_differences",
            "trex cannot be number 3",
        ),
    ],
)
def test_a_zoo_that_cannot_be_is_refused(zoo: PlainZoo, pen: str, what: str) -> None:
    with pytest.raises(BadPosition) as caught:
        score_position("summer", [EMPTY, zoo])
    assert (caught.value.zoo, caught.value.pen) == (1, pen)
    assert what in caught.value.what
    assert str(caught.value).startswith(f"zoo 1, {pen}: ")


@pytest.mark.parametrize(
    ("variant", "zoo", "what"),
    [
        ("summer", {"woody_trio": ["trex", None, "trex"]}, "number 2 is empty"),
        ("summer", {"river": [None]}, "only a pyramid has slots"),
        ("winter", {"pyramid": [None] * 7}, "number 7 is empty"),
        ("winter", {"pyramid": ["trex", "stegosaurus", None, "triceratops"]}, "a hole below"),
        ("winter", {"pyramid": ["trex", "trex"]}, "touches an equal dinosaur in slot 0"),
        ("summer", {"woody_trio": ["trex"] * 4}, "trio is full with 3"),
        ("summer", {"river": ["trex"] * 16}, "more than 15 trex"),
        ("summer", {"river": ["parasaurolophus"] * 16}, "more than 15 parasaurolophus"),
        ("summer", {"swamp": []}, "there are forest_of_sameness, woody_trio, king_of_the_jungle"),
        ("summer", {"river": ["dodo"]}, "there are trex, stegosaurus, triceratops"),
    ],
)
def test_the_reason_is_said(variant: str, zoo: PlainZoo, what: str) -> None:
    with pytest.raises(BadPosition) as caught:
        score_position(variant, [EMPTY, zoo])
    assert what in caught.value.what
    assert (caught.value.zoo, caught.value.pen) == (1, *zoo)


@pytest.mark.parametrize(("players", "most"), [(2, 8), (3, 6), (4, 8), (5, 10)])
def test_a_table_has_no_more_of_a_species_than_its_bag(players: int, most: int) -> None:
    zoos: list[PlainZoo] = [{"river": ["trex"] * (most - 1)}, {"woody_trio": ["trex"]}]
    zoos += [EMPTY] * (players - 2)
    check_table("summer", zoos)
    zoos[1] = {"woody_trio": ["trex", "trex"]}
    with pytest.raises(BadPosition) as caught:
        check_table("summer", zoos)
    assert (caught.value.zoo, caught.value.pen) == (None, "")
    assert caught.value.what == f"{most + 1} trex, but {players} players have {most} of each"
    assert str(caught.value).startswith("the table: ")


def test_a_zoo_holds_twelve_at_most_and_a_complete_one_no_less() -> None:
    twelve: PlainZoo = {"river": ["trex"] * 6 + ["stegosaurus"] * 6}
    check_table("summer", [twelve, EMPTY])
    with pytest.raises(BadPosition, match=r"zoo 1: it holds 0 .* exactly 12"):
        check_table("summer", [twelve, EMPTY], complete=True)
    with pytest.raises(BadPosition, match=r"zoo 0: it holds 13 .* at most 12") as caught:
        check_table("summer", [{**twelve, "woody_trio": ["triceratops"]}, EMPTY])
    assert (caught.value.zoo, caught.value.pen) == (0, "")


def test_owners_are_those_with_a_dinosaur_in_quarantine() -> None:
    zoos: list[PlainZoo] = [EMPTY, {"quarantine_zone": ["trex"]}, EMPTY]
    assert owners("winter", zoos) == {1: "trex"}
    assert owners("summer", [{"river": ["trex"]}, EMPTY]) == {}
    assert destinations("winter", zoos, 0) == ()
    assert destinations("summer", [EMPTY, EMPTY], 0) == ()


@pytest.mark.parametrize("species", SPECIES_NAMES)
def test_any_dinosaur_may_leave_for_any_open_place(species: str) -> None:
    """Alone in its zoo it brings 2 in the wood or below in the pyramid, 1 in the River.

    The opponent on the right has one of its species, and a T-Rex brings 1 in any pen.
    """
    zoos: list[PlainZoo] = [{"quarantine_zone": [species]}, {"river": [species]}]
    bonus = species == "trex"
    pens: list[tuple[str, int | None, int]] = [("well_ordered_wood", None, 2)]
    pens += [("lovers_bridge_left", None, 0), ("lovers_bridge_right", None, 0)]
    pens += [("pyramid", slot, 2) for slot in range(3)]
    pens += [("lookout", None, 2)]
    expected = [(pen, slot, points + bonus) for pen, slot, points in pens]
    assert list(destinations("winter", zoos, 0)) == [*expected, ("river", None, 1)]


@pytest.mark.parametrize("ask", [owners, check_table, partial(destinations, seat=0)])
def test_whatever_is_asked_a_bad_zoo_is_named(ask: Callable[..., object]) -> None:
    with pytest.raises(BadPosition) as caught:
        ask("winter", [EMPTY, {"lookout": ["trex"] * 2}])
    assert (caught.value.zoo, caught.value.pen) == (1, "lookout")


@pytest.mark.parametrize("case", cases("quarantine"), ids=lambda case: case["id"])
def test_the_worked_destinations(case: dict[str, Any]) -> None:
    found = destinations(case["board"], case["zoos_before"], case["seat"])
    assert [goal._asdict() for goal in found] == case["expected_legal_destinations"]


def test_an_unknown_board_is_refused() -> None:
    with pytest.raises(UnknownVariant) as caught:
        score_position("autumn", [EMPTY, EMPTY])
    assert (caught.value.game, caught.value.name) == ("draftosaurus", "autumn")
    assert caught.value.known == ("summer", "winter")


@pytest.mark.parametrize("count", [0, 1, 6])
def test_there_are_two_to_five_zoos(count: int) -> None:
    with pytest.raises(BadPlayerCount) as caught:
        score_position("summer", [EMPTY] * count)
    assert (caught.value.game, caught.value.players) == ("draftosaurus", count)
    assert caught.value.known == (2, 3, 4, 5)


def test_missing_pens_are_empty() -> None:
    sheets = score_position("summer", [EMPTY, EMPTY])
    assert [sheet.total for sheet in sheets] == [0, 0]
    assert set(sheets[0].points.values()) == {0}


def test_a_zoo_by_itself_is_number_0() -> None:
    with pytest.raises(BadPosition, match=r"^zoo 0, swamp: no such pen"):
        build_zoo(SUMMER, {"swamp": []})
