"""Actions are written as in every other place of the project, and read back."""

import pytest

from saurodrome.engine.errors import BadActionText
from saurodrome.engine.games.draftosaurus.boards import BOARDS, SUMMER
from saurodrome.engine.games.draftosaurus.text import action_text, letters, parse_action
from tests.engine.draftosaurus.cases import packed, placement


def test_the_actions_of_summer_are_called_so() -> None:
    pens = ("forest", "trio", "king", "prairie", "meadow", "island", "river")
    expected = [f"{letter} {pen}" for pen in pens for letter in "RSCBNP"]
    expected += [f"discard {letter}" for letter in "RSCBNP"]
    assert [action_text(SUMMER, action) for action in range(48)] == expected


def test_letters_stand_for_their_species() -> None:
    names = ("trex", "stegosaurus", "triceratops", "brachiosaurus", "spinosaurus")
    names += ("parasaurolophus",)  # type: ignore[assignment]
    for letter, name in zip("RSCBNP", names, strict=True):
        assert parse_action(SUMMER, f"{letter} meadow") == placement(
            SUMMER, name, "meadow_of_differences"
        )
    assert letters(packed(names)) == "RSCBNP"
    assert letters(packed(["spinosaurus", "stegosaurus", "stegosaurus"])) == "SSN"


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_all_texts_come_back_however_they_are_typed(board: object) -> None:
    for known in BOARDS:
        if known is board:
            actions = range(known.first_discard + 6)
            for action in actions:
                text = action_text(known, action)
                assert parse_action(known, text) == action
                assert parse_action(known, f"  {text.lower()} ".replace(" ", "  ")) == action
            assert len({action_text(known, action) for action in actions}) == len(actions)


@pytest.mark.parametrize(
    "text", ["", "S", "forest", "S forrest", "X forest", "discard", "S forest 0"]
)
def test_other_texts_are_no_actions(text: str) -> None:
    with pytest.raises(BadActionText) as caught:
        parse_action(SUMMER, text)
    assert caught.value.text == text
    assert "R S C B N P" in caught.value.hint


@pytest.mark.parametrize("action", [-1, 48])
def test_other_ids_are_no_actions(action: int) -> None:
    with pytest.raises(ValueError, match="0 to 47"):
        action_text(SUMMER, action)
