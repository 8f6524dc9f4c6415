"""Score sheets of zoos, and who is ahead."""

from typing import NamedTuple

from saurodrome.engine.game import placements
from saurodrome.engine.games.draftosaurus.board import Board
from saurodrome.engine.games.draftosaurus.kernel import Zoo
from saurodrome.engine.games.draftosaurus.lines import points
from saurodrome.engine.games.draftosaurus.pens import tally


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
    tallies = [[tally(pen) for pen in pens] for pens in zoos]
    counts = tuple([sum(row) for row in tallies])
    bonuses = [sum([one & 15 > 0 for one in row[: board.river]]) for row in tallies]
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
        pens = zoos[seat]
        lines = tuple(
            [
                points(line, pens[line.pen], pens[line.partner], counts, seat)
                for line in board.scores
            ]
        )
        sheets.append(ZooPoints(lines, bonus, sum(lines) + bonus, counts[seat] & 15))
    return tuple(sheets)
