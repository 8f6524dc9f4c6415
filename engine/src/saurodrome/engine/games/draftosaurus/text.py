"""Text forms of actions: "S forest", "S pyramid 3", "discard S", "move S wood"."""

from functools import cache
from typing import Final

from saurodrome.engine.errors import BadActionText
from saurodrome.engine.games.draftosaurus.board import LETTERS, Board
from saurodrome.engine.games.draftosaurus.boards import BOARDS

_HINT = (
    "write a species letter (R S C B N P) and a pen (pyramid: and a slot, 0 to 5); "
    "discard and a letter; move, a letter and a pen"
)


def _texts(board: Board) -> tuple[str, ...]:
    """Return the texts of all actions of a board, by id."""
    places = []
    for place in board.places:
        name = board.pens[place.pen].short
        places.append(name if place.slot < 0 else f"{name} {place.slot}")
    placements = [f"{letter} {place}" for place in places for letter in LETTERS]
    discards = [f"discard {letter}" for letter in LETTERS]
    moves = [f"move {text}" for text in placements] if board.quarantine >= 0 else []
    return (*placements, *discards, *moves)


_TEXTS: Final = tuple([_texts(board) for board in BOARDS])


@cache
def _ids(board: Board) -> dict[str, int]:
    """Return the ids of all actions of a board, by case-folded text."""
    return {text.casefold(): action for action, text in enumerate(_TEXTS[board.index])}


def action_text(board: Board, action: int) -> str:
    """Return the text of an action.

    Raises:
        ValueError: No action has this id.
    """
    texts = _TEXTS[board.index]
    if not 0 <= action < len(texts):
        raise ValueError(f"{board.name} has actions 0 to {len(texts) - 1}, not {action}")
    return texts[action]


def parse_action(board: Board, text: str) -> int:
    """Return the id that a text names; letter case and extra blanks do not matter.

    Raises:
        BadActionText: The text names no action.
    """
    action = _ids(board).get(" ".join(text.casefold().split()))
    if action is None:
        raise BadActionText(text, _HINT)
    return action


def letters(packed: int) -> str:
    """Return the letters of a packed count, one a dinosaur."""
    return "".join(letter * (packed >> 4 * one & 15) for one, letter in enumerate(LETTERS))
