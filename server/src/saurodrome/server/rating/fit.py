"""The published table: ratings of all bots from all results, with intervals and rank ranges."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from saurodrome.server.rating.blocks import Meat, meat
from saurodrome.server.rating.bradley_terry import BradleyTerry
from saurodrome.server.rating.games import (
    Floats,
    Games,
    Ints,
    block_sizes,
    bounded,
    components,
)
from saurodrome.server.rating.matches import RatedMatch, RatingError, canonical
from saurodrome.server.rating.pool import Pool
from saurodrome.server.rating.quantile import Z95, chance_above
from saurodrome.server.rating.spread import ELO, Spread, spread

PRIOR_SD = 600.0
"""Standard deviation in Elo of the prior, where one is needed."""
_NOTHING = 1e-9
"""Share of the variance by the model below which blocks tell nothing but rounding."""


class RatedBot(NamedTuple):
    """One line of the rating table."""

    name: str
    elo: float
    err95: float
    """Half width of the 95 % interval about the mean of the component, in Elo."""
    best_rank: int
    """Best rank within the component that the intervals of the differences leave open."""
    worst_rank: int
    """Worst rank that they leave open."""
    matches: int
    unbounded: bool
    """Whether results alone set no bound to it: unbeaten, winless, or linked one way only."""


class Difference(NamedTuple):
    """How far one bot is above another, in Elo."""

    elo: float
    err95: float
    """Half width of its own 95 % interval."""

    @property
    def certain(self) -> bool:
        """Whether the interval leaves out 0."""
        return abs(self.elo) > self.err95

    @property
    def superiority(self) -> float:
        """How likely the first bot is the stronger, 0 to 1, for a sample of fixed size."""
        return chance_above(self.elo, self.err95 / Z95)


class Correlation(NamedTuple):
    """What the matches of a block have in common, measured.

    Source: L. Kish, "Survey Sampling" (1965): the design effect.
    """

    within: float
    """Correlation of a bot's results in two matches of a block; below 0 where a block balances
    luck, as the seatings of one deal do."""
    design_effect: float
    """Variance of ratings by block over that by match."""
    effective_matches: float
    """How many independent matches would tell as much."""


class Component(NamedTuple):
    """Bots that met each other, directly or by way of others; only these compare."""

    bots: tuple[RatedBot, ...]
    """Best first."""
    reference: str
    """What is set to a given rating: ``mean``, or the name of the anchor."""
    matches: int
    blocks: int
    prior_sd: float | None
    """Standard deviation in Elo of the prior; None where none was needed."""
    spread: Spread
    """In the order of ``bots``."""
    correlation: Correlation

    def difference(self, a: str, b: str) -> Difference:
        """Return how far ``a`` is above ``b``.

        Raises:
            RatingError: a bot is not in this component.
        """
        places = {bot.name: place for place, bot in enumerate(self.bots)}
        if strangers := {a, b} - places.keys():
            raise RatingError(f"does not compare: {', '.join(sorted(strangers))}")
        i, j = places[a], places[b]
        err95 = 0.0 if i == j else self.spread.err95(i, j)
        return Difference(self.bots[i].elo - self.bots[j].elo, err95)

    @property
    def method(self) -> str:
        """What the numbers are, for the head of a table."""
        basis = "by block"
        if self.spread.by_model_too.all():
            basis = "by block or by the model, the wider"
        elif self.spread.by_model_too.any():
            basis = "by block, with few blocks also by the model"
        prior = "" if self.prior_sd is None else f"; prior sd {self.prior_sd:g}"
        return f"Bradley-Terry, 95 % {basis}, ± about the pool's mean{prior}"


class Fit(NamedTuple):
    """The published ratings of one pool."""

    components: tuple[Component, ...]
    """Largest first; ratings of different ones say nothing about each other."""
    matches: int
    blocks: int

    def bot(self, name: str) -> RatedBot | None:
        """Return a bot's line, or None if it has no rated match."""
        rated = (bot for component in self.components for bot in component.bots)
        return next((bot for bot in rated if bot.name == name), None)


def fit(
    matches: Iterable[RatedMatch],
    *,
    mean: float = 0.0,
    anchor: tuple[str, float] | None = None,
    prior_sd: float = PRIOR_SD,
) -> Fit:
    """Fit the ratings of all bots to all matches at once, see `fit_pool`.

    The order of the matches and of their seats makes no difference, to the last bit.
    """
    pool = Pool(canonical(matches))
    return fit_pool(pool, mean=mean, anchor=anchor, prior_sd=prior_sd)


def fit_pool(
    pool: Pool,
    *,
    mean: float = 0.0,
    anchor: tuple[str, float] | None = None,
    prior_sd: float = PRIOR_SD,
) -> Fit:
    """Fit the ratings of all bots to all matches of a pool at once.

    A component in which results set no bound to some ratings (a bot unbeaten or winless, or two
    parts linked one way only) gets a Gaussian prior about its mean on all of its bots; others
    get none. The order in which matches were added makes no difference but in rounding, below
    a millionth of an Elo point. The work grows with matches times pairs at a table, and with
    the cube of the number of bots.

    Args:
        pool: the matches.
        mean: mean rating of a component.
        anchor: a bot and the rating that it is set to, which moves its component as a whole;
            intervals stay those about the mean.
        prior_sd: standard deviation of the prior in Elo.

    Raises:
        RatingError: the anchor has no rated match.
    """
    if anchor is not None and anchor[0] not in pool.names:
        raise RatingError(f"the anchor {anchor[0]} has no rated match")
    if not pool.names:
        return Fit((), 0, 0)
    games = Games.of(pool)
    found = tuple(_component(*part, mean, anchor, prior_sd) for part in components(games))
    blocks = found[0].blocks if len(found) == 1 else len(block_sizes(games.tables))
    return Fit(found, pool.matches, blocks)


def _component(
    games: Games, won: Floats, mean: float, anchor: tuple[str, float] | None, prior_sd: float
) -> Component:
    within = bounded(won)
    prior = not within.all()
    model = BradleyTerry(won, (ELO / prior_sd) ** 2 if prior else 0.0)
    strengths = model.strengths()
    covariance = model.covariance(strengths)
    order = _best_first(games.names, strengths)
    told = meat(games, strengths, covariance).in_order(order)
    covariance = covariance.take(order, 0).take(order, 1)
    certainty = spread(told, covariance, prior=prior)
    reference, level = "mean", mean
    if anchor is not None and anchor[0] in games.names:
        reference = anchor[0]
        level = anchor[1] - ELO * float(strengths[games.names.index(reference)])
    elos = (level + ELO * strengths)[order]
    played = np.rint(won.sum(axis=0) + won.sum(axis=1)).astype(np.int64)  # a match weighs 1
    best, worst = _ranks(elos, certainty)
    columns = (elos, certainty.ratings95(), best, worst, played[order], ~within[order])
    names = [games.names[bot] for bot in order]
    return Component(
        tuple(map(RatedBot, names, *(column.tolist() for column in columns))),
        reference,
        int(told.sizes.sum()),
        len(told.sizes),
        prior_sd if prior else None,
        certainty,
        _correlation(told, covariance, certainty),
    )


def _best_first(names: Sequence[str], strengths: Floats) -> Ints:
    """Return the bots in the order of the table; equal ones by name."""
    rounded = (-np.round(strengths, 9)).tolist()
    return np.array(sorted(range(len(names)), key=lambda bot: (rounded[bot], names[bot])))


def _ranks(elos: Floats, certainty: Spread) -> tuple[Ints, Ints]:
    """Return the best and the worst ranks that intervals of differences leave open.

    Args:
        elos: descending.
        certainty: of these.
    """
    certain = certainty.apart(elos)
    return 1 + np.tril(certain).sum(axis=1), len(elos) - np.triu(certain).sum(axis=1)


def _correlation(told: Meat, covariance: Floats, certainty: Spread) -> Correlation:
    """Return how the variance of ratings by block compares with that by match.

    Where the fit followed the few blocks or matches there are, that cannot be measured: then
    matches count as if they had nothing in common.

    Args:
        told: what blocks and matches tell.
        covariance: of the strengths by the model.
        certainty: what was made of that.
    """
    sizes = told.sizes
    matches = int(sizes.sum())
    alone = Correlation(0.0, 1.0, float(matches))
    if matches == len(sizes):
        return alone
    by_block = float(np.trace(certainty.blocks)) / ELO**2
    by_match = float(np.vdot(told.by_match, covariance.T @ covariance))  # the sandwich's trace
    if min(by_block, by_match) < _NOTHING * float(np.trace(covariance)):
        return alone
    effect = by_block / by_match
    typical = float((sizes**2).sum() / matches)
    within = max(-1.0, min(1.0, (effect - 1) / (typical - 1)))
    return Correlation(within, effect, matches / effect)
