"""Matches as games of two: every two bots of a table once, and which bots these compare."""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from saurodrome.server.rating.pool import Pool, Seats

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Pairs(NamedTuple):
    """Games of two in columns."""

    first: Ints
    second: Ints
    score: Floats
    """Of the first: 1, 0.5 or 0."""
    weight: Floats
    """1/(n - 1) in a match of n, so that a bot's games of one match weigh 1 together."""
    block: Ints


class Games(NamedTuple):
    """Matches whose every two bots play a game; bots are numbers from 0."""

    names: tuple[str, ...]
    """A bot's number is its place here."""
    tables: tuple[Seats, ...]
    """By table size."""

    @classmethod
    def of(cls, pool: Pool) -> Self:
        """Return the games of all matches of a pool that has some; names ascend."""
        names = tuple(sorted(pool.names))
        to = {name: number for number, name in enumerate(names)}
        number_of = np.array([to[name] for name in pool.names])
        tables = (seats._replace(bots=number_of[seats.bots]) for seats in pool.seats())
        return cls(names, tuple(tables))

    def block_sizes(self) -> Ints:
        """Return how many matches each block has."""
        last = max(int(seats.blocks.max()) for seats in self.tables)
        counts = sum(np.bincount(seats.blocks, minlength=last + 1) for seats in self.tables)
        return np.asarray(counts)[np.asarray(counts) > 0]

    def won(self) -> Floats:
        """Return the weight of games that the bot of a row won from that of a column, ties half.

        Games are counted before they are weighed, so their order makes no difference.
        """
        size = len(self.names)
        won = np.zeros(size * size)
        for seats in self.tables:
            halves = np.zeros(size * size, np.int64)
            for a, b in combinations(range(seats.size), 2):
                there = seats.bots[a] * size + seats.bots[b]
                back = seats.bots[b] * size + seats.bots[a]
                ahead = seats.places[b] - seats.places[a]
                halves += 2 * np.bincount(np.where(ahead > 0, there, back), minlength=size**2)
                if len(level := np.flatnonzero(ahead == 0)):  # counted as won by the second
                    halves += np.bincount(there[level], minlength=size**2)
                    halves -= np.bincount(back[level], minlength=size**2)
            won += halves / (2 * (seats.size - 1))
        return won.reshape(size, size)

    def played(self) -> Ints:
        """Return how many matches each bot has."""
        counts = [np.bincount(s.bots.ravel(), minlength=len(self.names)) for s in self.tables]
        return np.asarray(sum(counts))

    def pairs(self) -> Pairs:
        """Return the games one by one."""
        parts = [
            Pairs(seats.bots[a], seats.bots[b], points, np.full(len(points), weight), seats.blocks)
            for seats in self.tables
            for weight in [1 / (seats.size - 1)]
            for a, b in combinations(range(seats.size), 2)
            for points in [beaten(seats, a, b)]
        ]
        return Pairs(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def among(self, bots: Flags) -> Self:
        """Return the games of matches all of whose bots are among some, which are numbered anew."""
        number_of = np.cumsum(bots) - 1
        names = tuple(name for name, stays in zip(self.names, bots, strict=True) if stays)
        found = (seats.some(bots[seats.bots].all(axis=0)) for seats in self.tables)
        tables = (s._replace(bots=number_of[s.bots]) for s in found if len(s.blocks))
        return type(self)(names, tuple(tables))

    def in_order(self, order: Ints) -> Self:
        """Return the games with bots numbered by their place in an order of all of them."""
        place_of = np.argsort(order)
        names = tuple(self.names[bot] for bot in order)
        tables = (seats._replace(bots=place_of[seats.bots]) for seats in self.tables)
        return type(self)(names, tuple(tables))


def summed(at: Ints, weights: Floats, size: int) -> Floats:
    """Return weights summed by place, for places from 0 to below ``size``."""
    total: NDArray[Any] = np.bincount(at, weights, size)
    return total


def beaten(seats: Seats, a: int, b: int) -> Floats:
    """Return by match the score of one seat against another: 1, 0.5 or 0."""
    return np.asarray((1 + np.sign(seats.places[b] - seats.places[a])) / 2)


def components(games: Games) -> Iterator[Games]:
    """Split games into groups of bots that met, directly or by way of others; largest first."""
    met = np.zeros((len(games.names), len(games.names)), np.bool_)
    for seats in games.tables:
        for other in seats.bots[1:]:  # whoever met the first, met each other by way of it
            met[seats.bots[0], other] = True
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
    above = won > 0
    parts = list(_parts(above, above.T))
    largest = max(int(part.sum()) for part in parts)
    found = [part for part in parts if part.sum() == largest]
    return found[0] if len(found) == 1 else np.zeros(len(won), np.bool_)


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
