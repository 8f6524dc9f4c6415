"""Positions written by name are checked before they are scored."""

import pytest

from saurodrome.engine.errors import BadPlayerCount, UnknownVariant
from saurodrome.engine.games.draftosaurus.positions import (
    BadPosition,
    PlainZoo,
    score_position,
)

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


def test_an_unknown_board_is_refused() -> None:
    with pytest.raises(UnknownVariant):
        score_position("autumn", [EMPTY, EMPTY])


@pytest.mark.parametrize("count", [0, 1, 6])
def test_there_are_two_to_five_zoos(count: int) -> None:
    with pytest.raises(BadPlayerCount) as caught:
        score_position("summer", [EMPTY] * count)
    assert caught.value.known == (2, 3, 4, 5)


def test_missing_pens_are_empty() -> None:
    sheets = score_position("summer", [EMPTY, EMPTY])
    assert [sheet.total for sheet in sheets] == [0, 0]
    assert set(sheets[0].points.values()) == {0}
