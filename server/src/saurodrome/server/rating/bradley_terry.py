"""The Bradley-Terry model of one group of bots: their most likely strengths and its certainty.

A bot of strength a beats one of strength b with probability 1/(1 + exp(b - a)). Every two bots
of a match count as a game, a tie as half a win. Strengths are in natural units about their mean.

Sources: R. A. Bradley, M. E. Terry, "Rank analysis of incomplete block designs", Biometrika 39
(1952); the maximum is found by Newton's method, as D. R. Hunter, "MM algorithms for generalized
Bradley-Terry models", Annals of Statistics 32 (2004), compares it.
"""

import numpy as np

from saurodrome.server.rating.definite import inverse, solution
from saurodrome.server.rating.games import Floats

_MOST_STEPS = 200
_LONGEST_STEP = 2.0
_SHORT_STEP = 0.1
"""A full step as long as this leads up: the curvature hardly changes along it."""
_CONVERGED = 1e-6
"""The error after a step is about its square."""
_ROUNDING = 1e-12


class BradleyTerry:
    """The likelihood of a group's results, with a Gaussian prior about 0 if one is given."""

    def __init__(self, won: Floats, precision: float = 0.0) -> None:
        """Take the results of every two bots.

        Args:
            won: weight of games won by row from column, ties half.
            precision: one over the variance of the prior, in natural units; 0 for none.
        """
        self._precision = precision
        self._won = won
        self._weight = won + won.T
        self._points = won.sum(axis=1)

    def strengths(self) -> Floats:
        """Return the most likely strengths.

        Without a prior they are finite only if results bound all of the group, see
        `saurodrome.server.rating.games.bounded`.

        Raises:
            ArithmeticError: the maximum was not reached.
        """
        at = self._guess()
        for _ in range(_MOST_STEPS):
            slope, curvature = self._derivatives(at)
            step = solution(curvature, slope)
            longest = float(np.abs(step).max())
            if longest < _SHORT_STEP:
                at = at + step
            else:
                at = self._climb(at, step * min(1.0, _LONGEST_STEP / longest))
            if longest < _CONVERGED:
                return np.asarray(at - at.mean())
        raise ArithmeticError(f"no maximum within {_MOST_STEPS} steps")

    def _guess(self) -> Floats:
        """Return strengths as if every opponent were an average one."""
        share = (self._points + 0.5) / (self._weight.sum(axis=1) + 1)
        return np.asarray(np.log(share / (1 - share)))

    def covariance(self, strengths: Floats) -> Floats:
        """Return the covariance if every game were independent and the model true."""
        _, curvature = self._derivatives(strengths)
        return _centred(inverse(curvature))

    def _climb(self, start: Floats, step: Floats) -> Floats:
        """Go as much of a step as does not lead down."""
        if float(self._derivatives(start + step)[0] @ step) >= 0:  # it still leads up at its end
            return start + step
        height = self._likelihood(start)
        height -= _ROUNDING * abs(height)
        for _ in range(30):
            if self._likelihood(start + step) >= height:
                return start + step
            step = step / 2
        return start

    def _likelihood(self, at: Floats) -> float:
        behind = at - at[:, None]
        told = self._won * (np.maximum(behind, 0) + np.log1p(np.exp(-np.abs(behind))))
        return -float(told.sum()) - self._precision / 2 * float(at @ at)

    def _derivatives(self, at: Floats) -> tuple[Floats, Floats]:
        """Return the slope of the likelihood, and its curvature with the sign changed.

        The curvature is made definite along the mean, which is free without a prior.
        """
        chance = chances(at)
        expected = self._weight * chance
        slope = self._points - expected.sum(axis=1) - self._precision * at
        np.subtract(1, chance, out=chance)
        information = np.multiply(expected, chance, out=expected)
        own = information.sum(axis=1)
        free = 0.0 if self._precision else own.sum() / len(at) ** 2
        curvature = np.subtract(free, information, out=information)
        curvature[np.diag_indices(len(at))] += own + self._precision
        return slope, curvature


def chances(strengths: Floats) -> Floats:
    """Return how likely each wins against each, by row and column."""
    weight = np.exp(strengths - (strengths.max() + strengths.min()) / 2)
    return np.asarray(weight[:, None] / (weight[:, None] + weight))


def win_probability(lead: Floats) -> Floats:
    """Return how likely a bot wins that is stronger by so much."""
    return np.asarray((1 + np.tanh(lead / 2)) / 2)


def _centred(matrix: Floats) -> Floats:
    """Return the covariance of deviations from the mean, given the covariance of the values."""
    means = matrix.mean(axis=1)
    return np.asarray(matrix - (means[:, None] + (means - means.mean())))
