"""What is rated: a match as seen by the fit."""

from collections.abc import Iterable
from typing import NamedTuple


class RatingError(ValueError):
    """A rating that was asked for cannot be."""


class RatedMatch(NamedTuple):
    """What the fit needs of one match: its rated seats only."""

    block: str
    """Matches with the same key may depend on each other, those of different keys do not."""
    placements: tuple[tuple[str, int], ...]
    """Bot and placement (1 is best, equal is a tie) of each rated seat, in any order."""


def canonical(matches: Iterable[RatedMatch]) -> list[RatedMatch]:
    """Return matches in an order that depends on what they say alone, not on how they came."""
    return sorted(RatedMatch(m.block, tuple(sorted(m.placements))) for m in matches)
