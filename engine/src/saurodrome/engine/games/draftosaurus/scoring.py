"""Points of zoos: one function a line of the score sheet."""

from typing import NamedTuple

from saurodrome.engine.game import placements
from saurodrome.engine.games.draftosaurus.board import (
    SCORE_COUPLES,
    SCORE_EACH,
    SCORE_MOST,
    SCORE_TABLE,
    Board,
    Score,
)
from saurodrome.engine.games.draftosaurus.kernel import Zoo
from saurodrome.engine.games.draftosaurus.pens import SPECIES, size, tally


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
    lines = tuple(points(line, zoos, seat) for line in board.scores)
    bonus = (board.every_pen & ~zoo.trexless).bit_count()
    return ZooPoints(lines, bonus, sum(lines) + bonus, zoo.counts & 15)


def points(line: Score, zoos: tuple[Zoo, ...], seat: int) -> int:
    """Return what one line of the score sheet brings to a seat."""
    contents = zoos[seat].pens[line.pens[0]]
    if line.kind == SCORE_TABLE:
        return line.table[size(contents)]
    if line.kind == SCORE_EACH:
        return line.table[0] * size(contents)
    if line.kind == SCORE_COUPLES:
        return line.table[0] * _couples(contents)
    if not contents:
        return 0
    shift = 4 * (contents - 1)
    if line.kind == SCORE_MOST:
        return line.table[0] * _nobody_has_more(zoos, seat, shift)
    return line.table[0] * (zoos[seat].counts >> shift & 15 == 1)


def _couples(contents: int) -> int:
    """Return how many couples of one species are among packed contents."""
    counts = tally(contents)
    return sum((counts >> 4 * species & 15) // 2 for species in range(SPECIES))


def _nobody_has_more(zoos: tuple[Zoo, ...], seat: int, shift: int) -> bool:
    """Return whether no zoo holds more of a species than this one; a tie is enough."""
    own = zoos[seat].counts >> shift & 15
    return all(zoo.counts >> shift & 15 <= own for zoo in zoos)
