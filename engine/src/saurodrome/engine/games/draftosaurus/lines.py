"""What a line of the score sheet brings: the one place that knows how zoos score."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from saurodrome.engine.games.draftosaurus.bits import COMPILED, end, tally_by_arithmetic
from saurodrome.engine.games.draftosaurus.board import (
    SCORE_MOST,
    SCORE_PAIRS,
    SCORE_SLOTS,
    SCORE_TABLE,
    SCORE_WATCH,
    Score,
)
from saurodrome.engine.games.draftosaurus.pens import tally

if TYPE_CHECKING:
    from mypy_extensions import i64


def points(line: Score, contents: i64, partner: i64, counts: tuple[int, ...], seat: i64) -> i64:
    """Return what one line of the score sheet brings to a seat.

    Args:
        line: The line.
        contents: What is in its pen, packed.
        partner: What is in its other pen, packed; only PAIRS looks at it.
        counts: All dinosaurs of each zoo, the River's included, packed, by seat.
        seat: Whose points.
    """
    kind = line.kind
    if kind < SCORE_MOST:
        if COMPILED:
            return points_of_pens(line, contents, partner)
        return _known_points(line, contents, partner if kind == SCORE_PAIRS else 0)
    return points_of_single(line, contents, counts, seat) if contents else 0


def points_of_single(line: Score, contents: i64, counts: tuple[int, ...], seat: i64) -> i64:
    """Return the points of a line that looks at the one dinosaur in its pen, and at zoos.

    Args:
        line: The line.
        contents: The dinosaur, as packed contents.
        counts: All dinosaurs of each zoo, the River's included, packed, by seat.
        seat: Whose points.
    """
    kind = line.kind
    first: i64 = line.table[0]
    shift = 4 * (contents - 1)
    if kind == SCORE_WATCH:
        right: i64 = counts[seat - 1]
        return first * (right >> shift & 15)
    own: i64 = counts[seat]
    own = own >> shift & 15
    if kind == SCORE_MOST:
        for count in counts:
            other: i64 = count
            if other >> shift & 15 > own:
                return 0
        return first
    return first if own == 1 else 0


def points_of_pens(line: Score, contents: i64, partner: i64) -> i64:
    """Return the points of a line that looks at nothing but its own pens."""
    kind = line.kind
    if kind == SCORE_TABLE:
        return line.table[end(contents) // 3]
    if kind == SCORE_SLOTS:
        return _slots(line, contents)
    first: i64 = line.table[0]
    couples = _pairs(contents, partner) if kind == SCORE_PAIRS else _couples(contents)
    return first * couples


_known_points: Final = lru_cache(1 << 15)(points_of_pens)


def _tally(contents: i64) -> i64:
    """Return the packed count of packed contents."""
    return tally_by_arithmetic(contents) if COMPILED else tally(contents)


def _couples(contents: i64) -> i64:
    """Return how many couples of one species are among packed contents."""
    counts = _tally(contents)
    couples: i64 = 0
    while counts:
        couples += (counts & 15) >> 1
        counts >>= 4
    return couples


def _pairs(left: i64, right: i64) -> i64:
    """Return how many couples of one species have one half in each of two pens."""
    ours, theirs = _tally(left), _tally(right)
    pairs: i64 = 0
    while ours and theirs:
        pairs += ours & 15 if ours & 15 < theirs & 15 else theirs & 15
        ours >>= 4
        theirs >>= 4
    return pairs


def _slots(line: Score, contents: i64) -> i64:
    """Return the points of the slots in use."""
    points: i64 = 0
    slot: i64 = 0
    while contents >> 3 * slot:
        if contents >> 3 * slot & 7:
            points += line.table[slot]
        slot += 1
    return points
