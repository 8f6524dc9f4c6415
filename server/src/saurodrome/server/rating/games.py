"""Matches as games of two: every two bots of a table once, and which bots these compare."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from saurodrome.server.rating.pool import Pool, Seats

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_AT_ONCE = 500_000


class Games(NamedTuple):
    """Games of two in columns; bots, blocks and matches are numbers from 0."""

    names: tuple[str, ...]
    """Ascending; a bot's number is its place here."""
    first: Ints
    second: Ints
    score: Floats
    """Of the first: 1, 0.5 or 0."""
    weight: Floats
    """1/(n - 1) in a match of n, so that a bot's games of one match weigh 1 together."""
    match: Ints
    block: Ints

    @classmethod
    def of(cls, pool: Pool) -> Self:
        """Return the games of all matches of a pool that has some."""
        names = tuple(sorted(pool.names))
        to = {name: number for number, name in enumerate(names)}
        number_of = np.array([to[name] for name in pool.names], np.int64)
        parts: list[tuple[Any, ...]] = []
        matches = 0
        for seats in pool.seats():
            parts.append(_games(seats, number_of, matches))
            matches += len(seats.blocks)
        if len(parts) == 1:  # which spares a copy
            return cls(names, *parts[0])
        return cls(names, *(np.concatenate(column) for column in zip(*parts, strict=True)))

    @property
    def matches(self) -> int:
        """How many matches the games are of."""
        return int(np.count_nonzero(np.bincount(self.match)))

    @property
    def blocks(self) -> int:
        """How many blocks the games are of."""
        return int(np.count_nonzero(np.bincount(self.block)))

    def block_sizes(self) -> Ints:
        """Return how many matches each block has."""
        _, at = np.unique(self.match, return_index=True)
        sizes = np.bincount(self.block[at])
        return np.asarray(sizes[sizes > 0])

    def sums(self, weights: Floats, rows: Ints, columns: Ints) -> Floats:
        """Return the square matrix over bots of weights summed by row and column."""
        size = len(self.names)
        return summed(rows * size + columns, weights, size * size).reshape(size, size)

    def won(self) -> Floats:
        """Return the weight of games that the bot of a row won from that of a column, ties half."""
        points = self.weight * self.score
        return self.sums(points, self.first, self.second) + self.sums(
            self.weight - points, self.second, self.first
        )

    def played(self) -> Ints:
        """Return how many matches each bot has: in each of them its games weigh 1 together."""
        size = len(self.names)
        weighed = summed(self.first, self.weight, size) + summed(self.second, self.weight, size)
        return np.rint(weighed).astype(np.int64)

    def among(self, bots: Flags) -> Self:
        """Return the games among some bots, which are numbered anew."""
        kept = bots[self.first] & bots[self.second]
        number_of = np.cumsum(bots) - 1
        return type(self)(
            tuple(name for name, stays in zip(self.names, bots, strict=True) if stays),
            number_of[self.first[kept]],
            number_of[self.second[kept]],
            self.score[kept],
            self.weight[kept],
            self.match[kept],
            self.block[kept],
        )


def summed(at: Ints, weights: Floats, size: int) -> Floats:
    """Return the weights summed by place, for places from 0 to below ``size``.

    In parts, since numpy holds the interpreter's lock meanwhile, and the event loop waits.
    """
    total = np.zeros(size)
    for begin in range(0, len(at), _AT_ONCE):
        some = slice(begin, begin + _AT_ONCE)
        total += np.bincount(at[some], weights[some], size)
    return total


def components(games: Games) -> Iterator[Games]:
    """Split games into groups of bots that met, directly or by way of others; largest first."""
    met = np.zeros((len(games.names), len(games.names)), np.bool_)
    met[games.first, games.second] = True
    met |= met.T
    parts = sorted(_parts(met, met), key=lambda part: (-part.sum(), part.argmax()))
    for part in parts:
        yield games if part.all() else games.among(part)


def bounded(won: Floats) -> Flags:
    """Return the bots whose ratings among each other the results alone determine.

    Between two bots there is a bound both ways if each is above or level with the other along
    some chain of results. The largest set of bots for which that holds is returned, empty if
    several are the largest; the fit is finite without a prior only if that is the whole group.

    Args:
        won: weight of games won by row from column.

    Source: L. R. Ford, "Solution of a ranking problem from binary comparisons" (1957).
    """
    parts = list(_parts(won > 0, won.T > 0))
    largest = max(int(part.sum()) for part in parts)
    found = [part for part in parts if part.sum() == largest]
    return found[0] if len(found) == 1 else np.zeros(len(won), np.bool_)


def _games(seats: Seats, number_of: Ints, first_match: int) -> tuple[Any, ...]:
    """Return the columns of the games of matches of one size."""
    size = seats.bots.shape[1]
    a, b = np.triu_indices(size, 1)
    bots = number_of[seats.bots]
    ahead = seats.places[:, b] - seats.places[:, a]
    each = len(a)
    return (
        bots[:, a].ravel(),
        bots[:, b].ravel(),
        (np.sign(ahead).ravel() + 1) / 2,
        np.full(ahead.size, 1 / (size - 1)),
        np.repeat(np.arange(first_match, first_match + len(bots)), each),
        np.repeat(seats.blocks.astype(np.int64), each),
    )


def _parts(onward: Flags, backward: Flags) -> Iterator[Flags]:
    """Yield the sets of bots of which each reaches each along arrows and back."""
    left = np.ones(len(onward), np.bool_)
    while left.any():
        start = int(left.argmax())
        part = _reach(start, onward) & _reach(start, backward)
        left &= ~part
        yield part


def _reach(start: int, arrows: Flags) -> Flags:
    reached = np.zeros(len(arrows), np.bool_)
    reached[start] = True
    ends: Iterable[int] = [start]
    while len(ends := np.flatnonzero(arrows[list(ends)].any(axis=0) & ~reached)):
        reached[ends] = True
    return reached
