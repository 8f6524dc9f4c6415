"""What in a pool is not as strengths explain it: one opponent too often, or too kind.

Ratings come from results, and results can be arranged: a bot may farm a weak line, or helpers
may lose to a king on purpose. Both show in what two bots did against each other. These are
reports for an organiser to look at; nothing here changes a rating.
"""

from collections.abc import Iterator
from math import sqrt
from typing import NamedTuple

import numpy as np

from saurodrome.server.rating.bradley_terry import BradleyTerry, win_probability
from saurodrome.server.rating.games import Floats, Games, bounded, components, summed
from saurodrome.server.rating.pool import Pool
from saurodrome.server.rating.quantile import chance_above
from saurodrome.server.rating.spread import ELO

MUCH = 0.5
"""Share of a bot's weight against one opponent from which that is told."""
ABOVE_EQUAL = 1.5
"""Times an equal share from which it is told: in a field of three that is a half anyway."""
LEVEL = 0.05
"""How often an honest field is flagged at all, at most."""
_PRIOR_SD = 600.0
_NOTHING = 1e-6
_FEW = 5
"""Fewest blocks in which two bots met for their results to be judged."""
_LEAST_VARIANCE = 1.0
"""Of a pair's surplus, in matches: below that a single upset looks odd to a normal distribution."""


class Concentration(NamedTuple):
    """A bot that mostly met one other, though others were there to meet."""

    bot: str
    opponent: str
    share: float
    """Of the bot's weight, 0 to 1."""


class Oddity(NamedTuple):
    """Two bots of which one did better against the other than strengths explain."""

    bot: str
    opponent: str
    score: float
    """Share of their meetings that the bot won, ties half."""
    expected: float
    blocks: int
    chance: float
    """How often a field without favours shows something as odd in any of its pairs."""


def concentrations(pool: Pool, *, much: float = MUCH) -> list[Concentration]:
    """Return bots whose matches are for more than a share against one opponent.

    What is little above an equal share each is not told: among two bots all is against the
    other, among three a half.
    """
    if not pool.names:
        return []
    found = []
    for games, won in components(Games.of(pool)):
        met = won + won.T
        share = met / met.sum(axis=1, keepdims=True)
        if len(games.names) < 3:
            continue
        least = max(much, ABOVE_EQUAL / (len(games.names) - 1))
        found += [
            Concentration(games.names[a], games.names[b], float(share[a, b]))
            for a, b in np.argwhere(share > least + _NOTHING)
        ]
    return sorted(found, key=lambda one: (-one.share, one.bot))


def oddities(pool: Pool, *, level: float = LEVEL) -> list[Oddity]:
    """Return pairs of bots whose results differ from what all results together explain.

    Each pair's surplus, results less expectations, against its standard error: that by the
    model, less what the pair itself pulled the fit, times how much blocks of all pairs differ
    more or less than the model says. Corrected for the number of pairs (Holm), so that in a
    field without favours as rarely as ``level`` anything is told at all.

    Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian
    Journal of Statistics 6 (1979).
    """
    if not pool.names:
        return []
    judged = [one for part in components(Games.of(pool)) for one in _judged(*part)]
    judged.sort(key=lambda one: one.chance)
    told = []
    for rank, one in enumerate(judged):
        chance = min(1.0, one.chance * (len(judged) - rank))
        if chance > level:
            break
        told.append(one._replace(chance=chance))
    return told


def _judged(games: Games, won: Floats) -> Iterator[Oddity]:
    """Yield what each two bots that met often enough did; the chance is for that pair alone."""
    if len(games.names) < 3:
        return
    prior = 0.0 if bounded(won).all() else (ELO / _PRIOR_SD) ** 2
    model = BradleyTerry(won, prior)
    strengths = model.strengths()
    covariance = model.covariance(strengths)
    own = np.diag(covariance)
    chance = win_probability(strengths[:, None] - strengths)
    met = won + won.T
    information = met * chance * chance.T
    left = 1 - information * (own[:, None] + own - 2 * covariance)
    surpluses = _surpluses(games, strengths)
    squares = sum(float(surplus @ surplus) for surplus in surpluses.values())
    common = squares / sum(float(information[pair]) for pair in surpluses)
    for (a, b), surplus in surpluses.items():
        variance = information[a, b] * left[a, b]
        if len(surplus) < _FEW or variance < _LEAST_VARIANCE:
            continue
        lead = float(surplus.sum())
        error = sqrt(common * variance)
        ahead, behind = (a, b) if lead > 0 else (b, a)
        yield Oddity(
            games.names[ahead],
            games.names[behind],
            float(won[ahead, behind] / met[a, b]),
            float(chance[ahead, behind]),
            len(surplus),
            2 * chance_above(-abs(lead), error),
        )


def _surpluses(games: Games, strengths: Floats) -> dict[tuple[int, int], Floats]:
    """Return by pair of bots, the lower number first, results less expectations by block."""
    size, played = len(games.names), games.pairs()
    swap = played.first > played.second
    first = np.where(swap, played.second, played.first)
    second = np.where(swap, played.first, played.second)
    score = np.where(swap, 1 - played.score, played.score)
    surplus = played.weight * (score - win_probability(strengths[first] - strengths[second]))
    keys = (first * size + second) * (int(played.block.max()) + 1) + played.block
    known, cell = np.unique(keys, return_inverse=True)
    sums = summed(cell, surplus, len(known))
    pair = known // (int(played.block.max()) + 1)
    starts = np.flatnonzero(np.diff(pair, prepend=-1))
    return {
        (int(pair[start]) // size, int(pair[start]) % size): part
        for start, part in zip(starts, np.split(sums, starts[1:]), strict=True)
    }
