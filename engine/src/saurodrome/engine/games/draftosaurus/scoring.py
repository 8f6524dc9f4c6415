"""Points of zoos: one function a line of the score sheet."""

from typing import NamedTuple

from saurodrome.engine.game import placements
from saurodrome.engine.games.draftosaurus.board import (
    SCORE_COUPLES,
    SCORE_MOST,
    SCORE_TABLE,
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
    return tuple(_score_zoo(board, zoos, seat) for seat in range(len(zoos)))


def rank(sheets: tuple[ZooPoints, ...]) -> tuple[int, ...]:
    """Return the placements: most points, then fewest T-Rexes, else shared."""
    return placements([(sheet.total, -sheet.trexes) for sheet in sheets])


def _score_zoo(board: Board, zoos: tuple[Zoo, ...], seat: int) -> ZooPoints:
    zoo = zoos[seat]
    lines = tuple([points(line, zoos, seat) for line in board.scores])
    bonus = (board.every_pen & ~zoo.trexless).bit_count()
    return ZooPoints(lines, bonus, sum(lines) + bonus, zoo.counts & 15)


def points(line: Score, zoos: tuple[Zoo, ...], seat: int) -> int:
    """Return what one line of the score sheet brings to a seat."""
    _, kind, pen, table = line
    contents = zoos[seat].pens[pen]
    if kind == SCORE_TABLE:
        return table[(contents.bit_length() + 2) // 3]
    if not contents:
        return 0
    if kind == SCORE_COUPLES:
        return table[0] * _couples(contents)
    shift = 4 * (contents - 1)
    own = zoos[seat].counts >> shift & 15
    if kind == SCORE_MOST:
        return table[0] * (max([zoo.counts >> shift & 15 for zoo in zoos]) == own)
    return table[0] * (own == 1)


def _couples(contents: int) -> int:
    """Return how many couples of one species are among packed contents."""
    counts = tally(contents)
    return sum([(counts >> shift & 15) // 2 for shift in range(0, 4 * SPECIES, 4)])
