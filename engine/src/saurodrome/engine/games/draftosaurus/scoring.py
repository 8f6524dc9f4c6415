"""Score sheets of zoos, and who is ahead."""

from collections.abc import Callable
from functools import cache, lru_cache, partial
from typing import NamedTuple

from saurodrome.engine.game import Outcome, placements
from saurodrome.engine.games.draftosaurus.board import (
    SCORE_MOST,
    SCORE_PAIRS,
    SCORE_TABLE,
    Board,
    Score,
)
from saurodrome.engine.games.draftosaurus.kernel import Zoo
from saurodrome.engine.games.draftosaurus.lines import points, points_of_pens
from saurodrome.engine.games.draftosaurus.pens import size, tally


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


def outcome(board: Board, zoos: tuple[Zoo, ...]) -> Outcome:
    """Return how a finished table stands: `score` and `rank`, at a fraction of their price."""
    every, tables, others = board.every_pen, *_by_kind(board)
    counts = tuple([zoo.counts for zoo in zoos])
    found = []
    for seat, (_, _, _, trexless, _, pens) in enumerate(zoos):
        total = (every & ~trexless).bit_count()
        for pen, table in tables:
            total += table[size(pens[pen])]
        for line in others:
            if pens[line.pen]:
                total += points(line, pens[line.pen], pens[line.partner], counts, seat)
        found.append(total)
    keys = [(total, -(count & 15)) for total, count in zip(found, counts, strict=True)]
    return Outcome(tuple(found), placements(keys))


@cache
def _by_kind(board: Board) -> tuple[list[tuple[int, tuple[int, ...]]], list[Score]]:
    """Return the pens that score by number, with their points, and the other lines."""
    tables = [(line.pen, line.table) for line in board.scores if line.kind == SCORE_TABLE]
    return tables, [line for line in board.scores if line.kind != SCORE_TABLE]


def totals(board: Board, zoos: tuple[tuple[int, ...], ...]) -> list[int]:
    """Return the totals of `score_pens`, at a fraction of its price."""
    own, shared = _by_pens(board)
    found = [sum([of(pen) for of, pen in zip(own, pens, strict=True)]) for pens in zoos]
    counts = tuple([sum(map(tally, pens)) for pens in zoos])
    for seat, pens in enumerate(zoos):
        for line in shared:
            if pens[line.pen]:
                found[seat] += points(line, pens[line.pen], pens[line.partner], counts, seat)
    return found


@cache
def _by_pens(board: Board) -> tuple[tuple[Callable[[int], int], ...], tuple[Score, ...]]:
    """Return what each pen brings by itself, and the lines that look beyond their pen."""
    alone = {line.pen: line for line in board.scores if line.kind < SCORE_MOST}
    alone = {pen: line for pen, line in alone.items() if line.kind != SCORE_PAIRS}
    own = [
        lru_cache(1 << 14)(partial(_alone, alone.get(pen), pen != board.river))
        for pen in range(len(board.pens))
    ]
    return tuple(own), tuple(line for line in board.scores if line not in alone.values())


def _alone(line: Score | None, is_pen: bool, contents: int) -> int:
    bonus = is_pen and tally(contents) & 15 > 0
    return bonus + (points_of_pens(line, contents, 0) if line else 0)


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
