"""The name that was probably meant by one that is unknown."""

from collections.abc import Iterable
from difflib import get_close_matches

_LONGEST = 64
"""Characters of a name that are looked at: comparing takes the square of them."""


def nearest(given: str, known: Iterable[str]) -> str:
    """The known name that is most like the given one; empty if none is much like it."""
    close = get_close_matches(given[:_LONGEST], list(known), n=1)
    return close[0] if close else ""


def nearest_path(given: str, known: Iterable[str]) -> str:
    """The dotted name that was probably meant: by its whole, or else by its last part.

    Of several that end alike the first one is given.
    """
    paths = list(known)
    lasts = {path.rpartition(".")[2]: path for path in reversed(paths)}
    return nearest(given, paths) or lasts.get(nearest(given.rpartition(".")[2], lasts), "")


def did_you_mean(name: str) -> str:
    """The question of a hint, with a space behind it; empty if there is no name."""
    return f"did you mean `{name}`? " if name else ""
