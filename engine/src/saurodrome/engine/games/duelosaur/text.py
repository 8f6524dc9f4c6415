"""Text forms of actions, both ways; the phases say how each action is called."""

from collections.abc import Mapping
from typing import Final

from saurodrome.engine.errors import BadActionText
from saurodrome.engine.games.duelosaur.words import LETTERS

_MOST_EXAMPLES: Final = 3


def plain(text: str) -> str:
    """Return a text in the form in which texts are compared.

    Letter case, extra blanks and the order in which units of DNA are named do not matter.
    """
    return " ".join(map(_sorted_units, text.casefold().split()))


def _sorted_units(word: str) -> str:
    if set(word) <= set(LETTERS):
        return "".join(sorted(word, key=LETTERS.index))
    return word


def find(texts: Mapping[str, int], text: str) -> int:
    """Return the id of the action that a text names.

    Args:
        texts: The ids of the legal actions, by text.
        text: What somebody wrote.

    Raises:
        BadActionText: No action that is legal here is called so.
    """
    action = texts.get(text)
    if action is not None:
        return action
    wanted = plain(text)
    for known, action in texts.items():
        if plain(known) == wanted:
            return action
    examples = ", ".join(list(texts)[:_MOST_EXAMPLES])
    more = ", ..." if len(texts) > _MOST_EXAMPLES else ""
    raise BadActionText(text, f"legal here: {examples}{more}" if texts else "nothing to decide")
