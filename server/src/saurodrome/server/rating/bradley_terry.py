"""The Bradley-Terry model of one group of bots: their most likely strengths and its certainty.

A bot of strength a beats one of strength b with probability 1/(1 + exp(b - a)). Every two bots
of a match count as a game, a tie as half a win. Strengths are in natural units about their mean.

Sources: R. A. Bradley, M. E. Terry, "Rank analysis of incomplete block designs", Biometrika 39
(1952); the maximum is found by Newton's method, as D. R. Hunter, "MM algorithms for generalized
Bradley-Terry models", Annals of Statistics 32 (2004), compares it.
"""

from math import pi, sqrt
from typing import NamedTuple

import numpy as np

from saurodrome.server.rating.definite import inverse, solution, strips
from saurodrome.server.rating.games import Floats

_MOST_STEPS = 200
_LONGEST_STEP = 2.0
_SHORT_STEP = 0.1
"""A full step as long as this leads up: the curvature hardly changes along it."""
_CONVERGED = 3e-7
"""The error after a step is below its square."""
_ROUNDING = 1e-12


class _Curvature(NamedTuple):
    """The second derivative of the likelihood with the sign changed.

    Beside the diagonal it is ``free - springs * weights * weights'``.
    """

    springs: Floats
    weights: Floats
    own: Floats
    free: float
    """Makes it definite along the mean, which is free without a prior."""

    def times(self, vector: Floats) -> Floats:
        """Return the product with a vector."""
        pulled = self.weights * (self.springs @ (self.weights * vector))
        return np.asarray(self.own * vector - pulled + self.free * vector.sum())

    def matrix(self) -> Floats:
        """Return the whole of it."""
        found = self.springs * self.weights
        found *= -self.weights[:, None]
        found += self.free
        found[np.diag_indices(len(found))] += self.own
        return found


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
        self._springs = np.empty_like(won)

    def strengths(self) -> Floats:
        """Return the most likely strengths.

        Without a prior they are finite only if results bound all of the group, see
        `saurodrome.server.rating.games.bounded`.

        Raises:
            ArithmeticError: the maximum was not reached.
        """
        at = self._guess()
        slope, curvature = self._derivatives(at)
        for _ in range(_MOST_STEPS):
            step = solution(curvature.times, curvature.own + curvature.free, slope)
            if step is None:
                step = np.linalg.solve(curvature.matrix(), slope).astype(np.float64)
            longest = float(np.abs(step).max())
            if longest < _CONVERGED:
                at = at + step
                return np.asarray(at - at.mean())
            step *= min(1.0, _LONGEST_STEP / longest)
            before, at = at, at + step
            slope, curvature = self._derivatives(at)
            if longest >= _SHORT_STEP and float(slope @ step) < 0:  # it led down in the end
                at = self._climb(before, step)
                slope, curvature = self._derivatives(at)
        raise ArithmeticError(f"no maximum within {_MOST_STEPS} steps")

    def _guess(self) -> Floats:
        """Return strengths as if every opponent were any of the group.

        Shares of wins lie closer together then than strengths do: with strengths of variance v,
        their logits by the root of 1 + pi/8 v.

        Source: D. J. C. MacKay, "The evidence framework applied to classification networks",
        Neural Computation 4 (1992).
        """
        share = (self._points + 0.5) / (self._weight.sum(axis=1) + 1)
        logits = np.log(share / (1 - share))
        return np.asarray(logits / sqrt(max(0.25, 1 - pi / 8 * float(logits.var()))))

    def covariance(self, strengths: Floats) -> Floats:
        """Return the covariance if every game were independent and the model true."""
        return _centred(inverse(self._derivatives(strengths)[1].matrix()))

    def _climb(self, start: Floats, step: Floats) -> Floats:
        """Go as much of a step as does not lead down."""
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

    def _derivatives(self, at: Floats) -> tuple[Floats, _Curvature]:
        """Return the slope of the likelihood and its curvature, good until the next call.

        One bot wins with probability w / (w + v), if w and v are the exponentials of strengths.
        """
        weights = np.exp(at - (at.max() + at.min()) / 2)
        beaten, springs = np.empty(len(at)), self._springs
        for some in strips(len(at)):
            share = 1 / (weights[some, None] + weights)
            expected = self._weight[some] * share
            beaten[some] = expected.sum(axis=1)
            np.multiply(expected, share, out=springs[some])
        slope = self._points - weights * beaten - self._precision * at
        own = weights * (springs @ weights) + self._precision
        free = 0.0 if self._precision else float(own.sum()) / len(at) ** 2
        return slope, _Curvature(springs, weights, own, free)


def win_probability(lead: Floats) -> Floats:
    """Return how likely a bot wins that is stronger by so much."""
    return np.asarray((1 + np.tanh(lead / 2)) / 2)


def _centred(matrix: Floats) -> Floats:
    """Make of the covariance of values that of their deviations from the mean."""
    means = matrix.mean(axis=1)
    matrix -= means[:, None]
    matrix -= means - means.mean()
    return matrix
