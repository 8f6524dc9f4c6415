"""Matches as games of two: every two bots of a table once, and which bots these compare."""

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import combinations
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from saurodrome.server.rating.pool import Pool, Seats

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_MANY = 2**15
"""Bots from which the number of a pair of them needs more than 32 bits."""


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
        """Return the games of all matches of a pool that has some; bots as the pool has them."""
        wide = np.int32 if len(pool.names) < _MANY else np.int64
        tables = (
            seats._replace(bots=seats.bots.astype(wide, copy=False)) for seats in pool.seats()
        )
        return cls(pool.names, tuple(tables))

    def won(self) -> Floats:
        """Return the weight of games that the bot of a row won from that of a column, ties half.

        Games are counted before they are weighed, so their order makes no difference.
        """
        size = len(self.names)
        won = [self._counted(seats) / (2 * (seats.size - 1)) for seats in self.tables]
        return reduce(np.add, won).reshape(size, size)

    def _counted(self, seats: Seats) -> Ints:
        """Return by winner and loser twice the games won, and once those drawn."""
        size, wins, draws = len(self.names), [], []
        for a, b in combinations(range(seats.size), 2):
            first, second = seats.bots[a], seats.bots[b]
            by_first, by_second = first * size + second, second * size + first
            ahead, level = seats.places[a] < seats.places[b], seats.places[a] == seats.places[b]
            wins.append(by_second + ahead * (by_first - by_second))
            if level.any():  # so far they count as won by the second
                draws.append((by_first[level], by_second[level]))
        found = np.bincount(np.concatenate(wins), minlength=size**2)
        found *= 2
        for by_first, by_second in draws:
            found += np.bincount(by_first, minlength=size**2)
            found -= np.bincount(by_second, minlength=size**2)
        return found

    def pairs(self) -> Pairs:
        """Return the games one by one."""
        parts = [_pairs(s, a, b) for s in self.tables for a, b in combinations(range(s.size), 2)]
        return Pairs(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def among(self, bots: Flags) -> Self:
        """Return the games of matches all of whose bots are among some, which are numbered anew."""
        number_of = np.cumsum(bots) - 1
        names = tuple(name for name, stays in zip(self.names, bots, strict=True) if stays)
        found = (seats.some(bots[seats.bots].all(axis=0)) for seats in self.tables)
        tables = (s._replace(bots=number_of[s.bots]) for s in found if len(s.blocks))
        return type(self)(names, tuple(tables))


def block_sizes(tables: Iterable[Seats]) -> Ints:
    """Return how many matches each block has."""
    blocks = np.concatenate([np.empty(0, np.int32), *(seats.blocks for seats in tables)])
    sizes = np.bincount(blocks)
    return np.asarray(sizes[sizes > 0])


def summed(at: Ints, weights: Floats, size: int) -> Floats:
    """Return weights summed by place, for places from 0 to below ``size``."""
    total: NDArray[Any] = np.bincount(at, weights, size)
    return total


def _pairs(seats: Seats, a: int, b: int) -> Pairs:
    """Return the games of two seats."""
    score = (1 + np.sign(seats.places[b] - seats.places[a])) / 2
    weight = np.full(len(score), 1 / (seats.size - 1))
    first, second = seats.bots[a].astype(np.int64), seats.bots[b].astype(np.int64)
    return Pairs(first, second, score, weight, seats.blocks.astype(np.int64))


def components(games: Games) -> Iterator[tuple[Games, Floats]]:
    """Split games into groups of bots that met, directly or by way of others; largest first.

    Each with who won how much, see `Games.won`.
    """
    won = games.won()
    met = won > 0
    met |= met.T
    parts = list(_parts(met, met))
    if len(parts) == 1:
        yield games, won
        return

    def rank(part: Flags) -> tuple[int, str]:
        return -int(part.sum()), min(games.names[bot] for bot in np.flatnonzero(part))

    for part in sorted(parts, key=rank):
        yield games.among(part), won[np.ix_(part, part)]


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
