"""Blocks that are seatings of one table of bots, and what counts of each: sums over its matches.

Nearly all blocks are such. Their sums do not depend on strengths, and are of halves of whole
numbers: exact in any order.
"""

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np

from saurodrome.server.rating.games import Floats, Games, Ints
from saurodrome.server.rating.pool import Seats

_AT_ONCE = 30_000
"""Matches of a part."""


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
    """Return the blocks of one table each, in parts, and the matches of all other blocks."""
    parts = [part for seats in games.tables for part in _parts(seats)]
    mixed = np.zeros(1 + max(int(seats.blocks[-1]) for seats, _ in parts), np.bool_)
    size_of = np.zeros(len(mixed), np.int64)
    aligned = []
    for seats, starts in parts:
        here = seats.blocks[starts]
        mixed[here] |= size_of[here] > 0
        size_of[here] = seats.size
        halves, strangers = _aligned(seats, starts)
        mixed[seats.blocks[strangers]] = True
        aligned.append(halves)
    whole, others = [], []
    for (seats, starts), halves in zip(parts, aligned, strict=True):
        other = mixed[seats.blocks] if mixed.any() else np.zeros(0, np.bool_)
        if not other.any():
            whole.append(_summed(seats, starts, halves))
            continue
        others.append(seats.some(other))
        if not other.all():
            rest = seats.some(~other)
            whole.append(_summed(rest, _starts(rest.blocks), halves[:, ~other]))
    return whole, others


def _parts(seats: Seats) -> Iterator[tuple[Seats, Ints]]:
    """Yield matches with those of a block side by side, and where blocks begin.

    In parts that the processor keeps at hand while it works on them.
    """
    if (seats.blocks[1:] < seats.blocks[:-1]).any():  # in a log they are in order, mostly
        seats = seats.some(np.argsort(seats.blocks, kind="stable"))
    starts = _starts(seats.blocks)
    cuts = starts[:: max(1, _AT_ONCE * len(starts) // len(seats.blocks))]
    for begin, end in pairwise([*cuts.tolist(), len(seats.blocks)]):
        part = seats.some(slice(begin, end))
        yield part, _starts(part.blocks)


def singly(seats: Seats) -> Tables:
    """Return matches as blocks of one match each."""
    every = np.arange(len(seats.blocks))
    return _summed(seats, every, _halves(seats))


def _starts(blocks: Ints) -> Ints:
    """Return where each block begins, of blocks that ascend."""
    return np.concatenate([[0], np.flatnonzero(blocks[1:] != blocks[:-1]) + 1])


def _halves(seats: Seats) -> Ints:
    """Return by seat and match how many opponents were beaten, twice, and ties once."""
    halves = np.zeros(seats.bots.shape, np.int16)
    for a, b in combinations(range(seats.size), 2):
        ahead = np.sign(seats.places[b] - seats.places[a]).astype(np.int16)
        halves[a] += 1 + ahead
        halves[b] += 1 - ahead
    return halves


def _aligned(seats: Seats, starts: Ints) -> tuple[Ints, Ints]:
    """Return `_halves` with the bots as they sit in the first match of the block.

    And the matches of which some bot does not sit there.
    """
    halves, matches = _halves(seats), len(seats.blocks)
    if len(starts) == matches:
        return halves, np.empty(0, np.int64)
    sizes = np.diff(starts, append=matches)
    aligned, known = np.zeros_like(halves), np.ones(matches, np.bool_)
    for to, first in zip(aligned, seats.bots[:, starts], strict=True):
        wanted, found = np.repeat(first, sizes), np.zeros(matches, np.bool_)
        for bots, own in zip(seats.bots, halves, strict=True):
            here = bots == wanted
            np.copyto(to, own, where=here)
            found |= here
        known &= found
    return aligned, np.flatnonzero(~known)


def _summed(seats: Seats, starts: Ints, halves: Ints) -> Tables:
    two = combinations(range(seats.size), 2)
    products = np.stack([halves[a] * halves[b] for a, b in two])
    sizes = np.diff(starts, append=len(seats.blocks))
    return Tables(
        seats.bots[:, starts].astype(np.int64),
        sizes,
        _by_blocks(halves, starts, sizes) / 2,
        _by_blocks(products, starts, sizes) / 4,
    )


def _by_blocks(values: Ints, starts: Ints, sizes: Ints) -> Floats:
    """Return sums over the matches of each block, row by row."""
    if (sizes == sizes[0]).all():
        by_block = values.reshape(len(values), len(starts), -1).astype(np.float64)
        return np.asarray(by_block @ np.ones(by_block.shape[2]))
    return np.asarray(np.add.reduceat(values.astype(np.float64), starts, axis=1))
