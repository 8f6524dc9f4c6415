"""Score sheets of zoos, and who is ahead."""

from functools import cache
from typing import NamedTuple

from saurodrome.engine.game import Outcome, placements
from saurodrome.engine.games.draftosaurus.board import (
    SCORE_MOST,
    SCORE_PAIRS,
    Board,
    Score,
)
from saurodrome.engine.games.draftosaurus.kernel import Zoo
from saurodrome.engine.games.draftosaurus.lanes import LANE
from saurodrome.engine.games.draftosaurus.lines import points, points_of_pens, points_of_single
from saurodrome.engine.games.draftosaurus.nodes import graph_of
from saurodrome.engine.games.draftosaurus.pens import FEW, TALLIES, size, tally
from saurodrome.engine.games.draftosaurus.plots import Plot


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


def outcome(board: Board, plots: tuple[Plot, ...]) -> Outcome:
    """Return how a finished table stands: `score` and `rank`, at a fraction of their price."""
    graph = graph_of(board)
    numbered, coupled, singles = graph.lanes.numbered, graph.lanes.coupled, graph.lanes.singles
    rows = [[TALLIES[pen] if pen < FEW else tally(pen) for pen in pens] for _, _, _, pens in plots]
    counts = tuple(map(sum, rows))
    found, keys = [], []
    for seat, (one, two, three, pens) in enumerate(plots):
        total, row = one.points + two.points + three.points, rows[seat]
        for pen, _, table in numbered:
            total += table[size(pens[pen])]
        for pen, partner, known in coupled:
            total += known[row[pen] if partner < 0 else row[pen] | row[partner] << LANE]
        for line, _ in singles:
            if pens[line.pen]:
                total += points_of_single(line, pens[line.pen], counts, seat)
        found.append(total)
        keys.append((total, -(counts[seat] & 15)))
    return Outcome(tuple(found), placements(keys))


def alone(board: Board, pen: int, contents: int) -> int:
    """Return what a pen brings by itself, its T-Rex bonus included."""
    line = _by_pens(board)[0].get(pen)
    bonus = pen != board.river and tally(contents) & 15 > 0
    return bonus + (points_of_pens(line, contents, 0) if line else 0)


def add_shared(
    board: Board, totals: list[int], zoos: tuple[tuple[int, ...], ...], counts: list[int]
) -> None:
    """Add what comes of the lines that look beyond their pen: totals are as in `score_pens` then.

    Args:
        board: The board.
        totals: By seat: what its pens bring by themselves.
        zoos: Packed contents of each seat's pens.
        counts: All dinosaurs of each zoo, the River's included, packed.
    """
    all_counts = tuple(counts)
    for line in _by_pens(board)[1]:
        pen, partner = line.pen, line.partner
        for seat, pens in enumerate(zoos):
            if pens[pen]:
                totals[seat] += points(line, pens[pen], pens[partner], all_counts, seat)


@cache
def _by_pens(board: Board) -> tuple[dict[int, Score], tuple[Score, ...]]:
    """Return the lines that look at one pen, by this pen, and those that look beyond theirs."""
    own = [line for line in board.scores if line.kind < SCORE_MOST and line.kind != SCORE_PAIRS]
    return {line.pen: line for line in own}, tuple(ln for ln in board.scores if ln not in own)


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
