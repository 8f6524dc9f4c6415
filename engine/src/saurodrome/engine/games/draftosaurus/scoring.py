"""Points of zoos: one function a line of the score sheet."""

from typing import NamedTuple

from saurodrome.engine.game import placements
from saurodrome.engine.games.draftosaurus.board import (
    SCORE_COUPLES,
    SCORE_MOST,
    SCORE_PAIRS,
    SCORE_SLOTS,
    SCORE_TABLE,
    SCORE_WATCH,
    Board,
    Score,
)
from saurodrome.engine.games.draftosaurus.kernel import Zoo
from saurodrome.engine.games.draftosaurus.pens import SPECIES, tally


class ZooPoints(NamedTuple):
    """The score sheet of one zoo.

    Attributes:
        lines: Points of each line of the board's score sheet, in its order.
        trex_bonus: 1 for each pen that holds a T-Rex.
        total: Everything together.
        trexes: T-Rexes in the whole zoo, which break ties: fewer is better.
    """

    lines: tuple[int, ...]
    trex_bonus: int
    total: int
    trexes: int


def score(board: Board, zoos: tuple[Zoo, ...]) -> tuple[ZooPoints, ...]:
    """Return the score sheets of all zoos of a table, by seat."""
    pens = tuple([zoo.pens for zoo in zoos])
    counts = tuple([zoo.counts for zoo in zoos])
    bonuses = [(board.every_pen & ~zoo.trexless).bit_count() for zoo in zoos]
    return _sheets(board, pens, counts, bonuses)


def score_pens(board: Board, zoos: tuple[tuple[int, ...], ...]) -> tuple[ZooPoints, ...]:
    """Return the score sheets of zoos of which only the packed pens are known, by seat."""
    counts = tuple(sum(map(tally, pens)) for pens in zoos)
    bonuses = [sum(tally(pen) & 15 > 0 for pen in pens[: board.river]) for pens in zoos]
    return _sheets(board, zoos, counts, bonuses)


def rank(sheets: tuple[ZooPoints, ...]) -> tuple[int, ...]:
    """Return the placements: most points, then fewest T-Rexes, else shared."""
    return placements([(sheet.total, -sheet.trexes) for sheet in sheets])


def _sheets(
    board: Board,
    zoos: tuple[tuple[int, ...], ...],
    counts: tuple[int, ...],
    bonuses: list[int],
) -> tuple[ZooPoints, ...]:
    sheets = []
    for seat, bonus in enumerate(bonuses):
        lines = tuple([points(line, zoos, counts, seat) for line in board.scores])
        sheets.append(ZooPoints(lines, bonus, sum(lines) + bonus, counts[seat] & 15))
    return tuple(sheets)


def points(
    line: Score, zoos: tuple[tuple[int, ...], ...], counts: tuple[int, ...], seat: int
) -> int:
    """Return what one line of the score sheet brings to a seat.

    Args:
        line: The line.
        zoos: Packed contents of each pen, by seat.
        counts: All dinosaurs of each zoo, the River's included, packed, by seat.
        seat: Whose points.
    """
    _, kind, pen, table, partner = line
    contents = zoos[seat][pen]
    if kind == SCORE_TABLE:
        return table[(contents.bit_length() + 2) // 3]
    if not contents:
        return 0
    if kind == SCORE_COUPLES:
        return table[0] * _couples(contents)
    if kind == SCORE_PAIRS:
        return table[0] * _pairs(contents, zoos[seat][partner])
    if kind == SCORE_SLOTS:
        return sum([table[slot] for slot in range(len(table)) if contents >> 3 * slot & 7])
    shift = 4 * (contents - 1)
    if kind == SCORE_WATCH:
        return table[0] * (counts[seat - 1] >> shift & 15)
    own = counts[seat] >> shift & 15
    if kind == SCORE_MOST:
        return table[0] * (max([count >> shift & 15 for count in counts]) == own)
    return table[0] * (own == 1)


def _couples(contents: int) -> int:
    """Return how many couples of one species are among packed contents."""
    counts = tally(contents)
    return sum([(counts >> shift & 15) // 2 for shift in range(0, 4 * SPECIES, 4)])


def _pairs(left: int, right: int) -> int:
    """Return how many couples of one species have one half in each of two pens."""
    ours, theirs = tally(left), tally(right)
    return sum([min(ours >> s & 15, theirs >> s & 15) for s in range(0, 4 * SPECIES, 4)])
