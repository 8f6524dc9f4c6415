"""How certain fitted ratings are: 95 % intervals of ratings and of their differences."""

from dataclasses import dataclass, fields
from math import log, sqrt

import numpy as np

from saurodrome.server.rating.blocks import Meat
from saurodrome.server.rating.definite import sandwich, strips
from saurodrome.server.rating.elo import WIDTH
from saurodrome.server.rating.games import Flags, Floats
from saurodrome.server.rating.quantile import Z95
from saurodrome.server.rating.student import t95

ELO = WIDTH / log(10)
"""Elo points of one natural unit of strength."""
FEW_BLOCKS = 5.0
"""Below so many blocks of a bot, what they tell of its certainty is a guess."""
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Spread:
    """Covariances of ratings about their mean, in Elo squared, by bot and bot.

    Intervals rest on the spread between blocks with the correction CR2, and on Student's t, its
    degrees of freedom twice the effective blocks of a bot less one. Twice, since the score of
    a block is bounded and its square varies less than that of a normal error; `tests/bench`
    measures how many intervals hold the truth. A difference has degrees of freedom of both bots,
    as for the sum of two variances that were measured apart.

    Source: F. E. Satterthwaite, "An approximate distribution of estimates of variance
    components", Biometrics Bulletin 2 (1946).

    That spread is a guess for a bot of few blocks, and too small where results set no bound and
    a prior does. There an interval is the wider one of this and the one by the model.
    """

    covariance: Floats
    """What intervals are made of: 1.96 times the root of a variance is a half width.

    Student's t, one factor for each interval, is in it; so it need not be positive definite.
    """
    blocks: Floats
    """From the spread between blocks, corrected (CR2)."""
    model: Floats
    """If every game were independent and the model true."""
    effective_blocks: Floats
    """By bot: of how many blocks of equal weight its certainty comes."""
    by_model_too: Flags
    """By bot: whether the model has a say in its intervals."""

    def __eq__(self, other: object) -> bool:
        """Whether all figures are equal to the last bit."""
        if not isinstance(other, Spread):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, field.name), getattr(other, field.name))
            for field in fields(self)
        )

    __hash__ = None  # type: ignore[assignment]

    def err95(self, bot: int, other: int | None = None) -> float:
        """Return the half width of a 95 % interval in Elo.

        Args:
            bot: index of a bot.
            other: index of another, for the interval of their difference; else it is of the
                rating about the mean.
        """
        return half_width(self.covariance, bot, other)

    def ratings95(self) -> Floats:
        """Return the half widths of the intervals of all ratings about the mean, in Elo."""
        return np.asarray(Z95 * np.sqrt(np.maximum(0.0, np.diag(self.covariance))))

    def apart(self, elos: Floats) -> Flags:
        """Return by bot and bot whether the interval of their difference leaves out 0."""
        found = np.empty(self.covariance.shape, np.bool_)
        for some in strips(len(elos)):
            variance = differences_of(self.covariance, some)
            found[some] = (elos[some, None] - elos) ** 2 > Z95**2 * variance
        return found


def half_width(covariance: Floats, bot: int, other: int | None = None) -> float:
    """Return 1.96 standard errors of a rating, or of a difference, by a covariance."""
    variance = float(covariance[bot, bot])
    if other is not None:
        variance += float(covariance[other, other]) - 2 * float(covariance[bot, other])
    return Z95 * sqrt(max(0.0, variance))


def spread(told: Meat, covariance: Floats, *, prior: bool) -> Spread:
    """Return how certain strengths are.

    Args:
        told: what blocks tell.
        covariance: of the strengths, by the model.
        prior: whether a prior was needed.
    """
    few = (told.effective < FEW_BLOCKS - _ROUNDING) | prior
    blocks = sandwich(covariance, told.by_block)
    blocks *= ELO**2
    model = covariance * ELO**2
    return Spread(_widened(blocks, model, told.effective, few), blocks, model, told.effective, few)


def _widened(blocks: Floats, model: Floats, effective: Floats, few: Flags) -> Floats:
    """Return the matrix that gives each rating and each difference its interval."""
    own, own_model = np.diag(blocks), np.diag(model)
    freedom = 2 * effective - 1
    share = own_model**2 / freedom
    ratings = own * (t95(freedom) / Z95) ** 2
    ratings = np.where(few, np.maximum(ratings, own_model), ratings)
    found = np.empty_like(blocks)
    for some in strips(len(own)):
        freedoms = (own_model[some, None] + own_model) ** 2 / (share[some, None] + share)
        differences = differences_of(blocks, some) * (t95(freedoms) / Z95) ** 2
        if few.any():
            by_model = np.maximum(differences, differences_of(model, some))
            differences = np.where(few[some, None] | few, by_model, differences)
        found[some] = (ratings[some, None] + ratings - differences) / 2
    np.fill_diagonal(found, ratings)
    return found


def differences_of(covariance: Floats, some: slice = slice(None)) -> Floats:
    """Return the variance of the difference of every two, given their covariance.

    Args:
        covariance: of all, symmetric.
        some: the rows wanted.
    """
    own = np.diag(covariance)
    return np.asarray(own[some, None] + own - 2 * covariance[some])
