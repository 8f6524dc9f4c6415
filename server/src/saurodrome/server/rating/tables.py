"""Blocks that are seatings of one table of bots, and what counts of each: sums over its matches.

Nearly all blocks are such. Their sums do not depend on strengths, and are of halves of whole
numbers: exact in any order.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from saurodrome.server.rating.games import Floats, Games, Ints, beaten
from saurodrome.server.rating.pool import Seats


class Tables(NamedTuple):
    """Blocks in each of which the same bots played all matches, one a column."""

    bots: Ints
    """By row and block."""
    matches: Ints
    """How many each block has."""
    points: Floats
    """By bot and block: opponents that it beat in all matches, ties half."""
    products: Floats
    """By two bots and block: products of their points of a match, summed over matches.

    Every two bots in the order of `itertools.combinations`.
    """

    @property
    def size(self) -> int:
        """How many bots sit at a table."""
        return len(self.bots)


def tables(games: Games) -> tuple[list[Tables], list[Seats]]:
    """Return the blocks of one table each, by size, and the matches of all other blocks."""
    by_block = [_by_block(seats) for seats in games.tables]
    points = [_points(seats) for seats in by_block]
    mixed = np.zeros(1 + max(int(seats.blocks.max()) for seats in by_block), np.bool_)
    seen = np.zeros_like(mixed)
    for seats in by_block:
        here = seats.blocks[_starts(seats)]
        mixed[here] |= seen[here]
        seen[here] = True
    aligned = []
    for seats, won in zip(by_block, points, strict=True):
        as_first, strangers = _aligned(seats, won)
        mixed[seats.blocks[strangers]] = True
        aligned.append(as_first)
    if not mixed.any():
        return [_summed(s, won) for s, won in zip(by_block, aligned, strict=True)], []
    whole, others = [], []
    for seats, won in zip(by_block, aligned, strict=True):
        other = mixed[seats.blocks]
        if not other.all():
            whole.append(_summed(seats.some(~other), won[:, ~other]))
        if other.any():
            others.append(seats.some(other))
    return whole, others


def singly(seats: Seats) -> Tables:
    """Return matches as blocks of one match each."""
    points = _points(seats)
    return Tables(seats.bots, np.ones_like(seats.blocks), points, _products(points))


def _by_block(seats: Seats) -> Seats:
    """Return matches with those of a block side by side, which they nearly are in a log."""
    if (np.diff(seats.blocks) >= 0).all():
        return seats
    return seats.some(np.argsort(seats.blocks, kind="stable"))


def _starts(seats: Seats) -> Ints:
    """Return where each block begins."""
    return np.flatnonzero(np.diff(seats.blocks, prepend=-1))


def _points(seats: Seats) -> Floats:
    """Return by seat and match how many opponents were beaten, ties half."""
    points = np.zeros(seats.bots.shape)
    for a, b in combinations(range(seats.size), 2):
        score = beaten(seats, a, b)
        points[a] += score
        points[b] += 1 - score
    return points


def _aligned(seats: Seats, points: Floats) -> tuple[Floats, Ints]:
    """Return points with the bots as they sit in the first match of the block.

    And the matches of which some bot does not sit there.
    """
    starts = _starts(seats)
    of_block = np.diff(starts, append=len(seats.blocks))
    if len(starts) == len(seats.blocks):
        return points, np.empty(0, np.int64)
    aligned = np.zeros_like(points)
    known = np.zeros(points.shape[1], np.int64)
    for to, first in enumerate(seats.bots[:, starts]):
        wanted = np.repeat(first, of_block)
        for bots, own in zip(seats.bots, points, strict=True):
            here = bots == wanted
            aligned[to] += own * here
            known += here
    return aligned, np.flatnonzero(known < seats.size)


def _products(points: Floats) -> Floats:
    return np.stack([points[a] * points[b] for a, b in combinations(range(len(points)), 2)])


def _summed(seats: Seats, points: Floats) -> Tables:
    starts = _starts(seats)
    return Tables(
        seats.bots[:, starts],
        np.diff(starts, append=len(seats.blocks)),
        np.add.reduceat(points, starts, axis=1),
        np.add.reduceat(_products(points), starts, axis=1),
    )
