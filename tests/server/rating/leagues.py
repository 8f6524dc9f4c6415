"""Leagues of bots whose strengths are known, to see how often intervals hold the truth.

Every player of a match gets its strength and a luck of its own, Gumbel distributed, and they are
placed by the sum: then one bot is above another exactly as often as Bradley-Terry says, at tables
of any size. Luck may be shared within a block, which leaves that as it is.

Source: J. I. Yellott, "The relationship between Luce's choice axiom, Thurstone's theory of
comparative judgment, and the double exponential distribution", J. Math. Psychology 15 (1977).
"""

from collections.abc import Iterator
from enum import StrEnum
from itertools import combinations, islice
from math import ceil, comb
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from saurodrome.server.rating.fit import Component, fit
from saurodrome.server.rating.games import Floats
from saurodrome.server.rating.matches import RatedMatch
from saurodrome.server.rating.spread import ELO
from saurodrome.server.schedule import round_robin

SPREAD = 150.0
"""Standard deviation in Elo of the strengths of the bots of a league."""
SHARED = 0.4
"""Share of the variance of luck that is shared, where some is."""
_NORMAL = NormalDist()


class Luck(StrEnum):
    """What the matches of a block share."""

    NOTHING = "fresh"
    """Every match has a deal of its own."""
    SEATS = "seats"
    """One deal favours some seats, whoever sits there: the seatings of a block balance it."""
    BOTS = "bots"
    """One deal suits some bots, wherever they sit: a block tells little more than a match."""


class League(NamedTuple):
    """Matches, and the strengths behind them in Elo about their mean."""

    matches: list[RatedMatch]
    truth: dict[str, float]


class Held(NamedTuple):
    """How many intervals held the truth, and how many there were."""

    ratings: int
    of_ratings: int
    differences: int
    of_differences: int


def leagues(
    players: int, tables: int, luck: Luck, count: int, *, bots: int | None = None, seed: int = 1
) -> Iterator[League]:
    """Give leagues of so many tables, each table a block of all its seatings.

    Args:
        players: at a table.
        tables: in a league, the first of a round robin.
        luck: what matches of a block share.
        count: how many leagues.
        bots: in a league; three more than players, when left out.
        seed: of strengths and luck.
    """
    names = [f"bot-{number}" for number in range(bots or players + 3)]
    rounds = ceil(tables / comb(len(names), players))
    random = np.random.default_rng(seed)
    for number in range(count):
        truth = random.normal(0, SPREAD, len(names))
        truth -= truth.mean()
        schedule = round_robin(names, players, seed=number, seating="balanced", rounds=rounds)
        matches = []
        for block in islice(schedule.blocks(), tables):
            seats = np.array([[names.index(bot) for bot in m.seats] for m in block.matches])
            form = truth[seats] / ELO + _luck(random, seats, luck)
            places = (-form).argsort(axis=1).argsort(axis=1) + 1
            for bots_of, placed in zip(seats, places, strict=True):
                named = ((names[b], int(p)) for b, p in zip(bots_of, placed, strict=True))
                matches.append(RatedMatch(block.id, tuple(named)))
        yield League(matches, dict(zip(names, truth.tolist(), strict=True)))


def held(league: League) -> Held:
    """Fit a league and count the intervals that hold the truth."""
    (component,) = fit(league.matches).components
    truth = league.truth
    ratings = [abs(bot.elo - truth[bot.name]) <= bot.err95 for bot in component.bots]
    differences = [_holds(component, truth, a, b) for a, b in combinations(sorted(truth), 2)]
    return Held(sum(ratings), len(ratings), sum(differences), len(differences))


def coverage(found: Iterator[League]) -> tuple[float, float]:
    """Give the share of intervals that hold the truth, of ratings and of differences."""
    ratings, of_ratings, differences, of_differences = map(sum, zip(*map(held, found), strict=True))
    return ratings / of_ratings, differences / of_differences


def _holds(component: Component, truth: dict[str, float], a: str, b: str) -> bool:
    difference = component.difference(a, b)
    return abs(difference.elo - (truth[a] - truth[b])) <= difference.err95


def _luck(random: np.random.Generator, seats: Floats, luck: Luck) -> Floats:
    """Give the luck of every player of a block's matches, by match and seat."""
    own = random.normal(size=seats.shape)
    if luck is not Luck.NOTHING:
        shared = random.normal(size=int(seats.max()) + 1)
        of_seat = np.broadcast_to(np.arange(seats.shape[1]), seats.shape)
        at = of_seat if luck is Luck.SEATS else seats.astype(int)
        own = np.sqrt(SHARED) * shared[at] + np.sqrt(1 - SHARED) * own
    uniform = np.vectorize(_NORMAL.cdf)(own)
    return np.asarray(-np.log(-np.log(uniform)))
