"""The Bradley-Terry model of one group of bots: strengths, their certainty, their spread.

A bot of strength a beats one of strength b with probability 1/(1 + exp(b - a)). Every two bots
of a match count as a game, a tie as half a win. Strengths are in natural units about their mean.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import exp, log1p, tanh

from saurodrome.server.rating.linear import Matrix, centred, inverse, sandwich, solve, zeros
from saurodrome.server.rating.pool import Group, games

_MOST_STEPS = 200
_LONGEST_STEP = 2.0
_CONVERGED = 1e-11
_ROUNDING = 1e-12


class BradleyTerry:
    """The likelihood of a group's results, with a Gaussian prior about 0 if one is given."""

    def __init__(self, group: Group, precision: float = 0.0) -> None:
        """Gather the games of every two bots.

        Args:
            group: the bots and their matches.
            precision: one over the variance of the prior, in natural units; 0 for none.
        """
        self._group = group
        self._index = {name: index for index, name in enumerate(group.names)}
        self._precision = precision
        size = len(group.names)
        self._weight = zeros(size)
        self._won = zeros(size)
        for match in group.matches:
            for game in games(match):
                a, b = self._index[game.first], self._index[game.second]
                self._weight[a][b] += game.weight
                self._weight[b][a] += game.weight
                self._won[a][b] += game.weight * game.score
                self._won[b][a] += game.weight * (1 - game.score)

    def strengths(self) -> list[float]:
        """Return the most likely strengths, by Newton's method.

        Without a prior they are finite only if results bound all of the group, see
        `saurodrome.server.rating.pool.bounded`.

        Raises:
            ArithmeticError: the maximum was not reached.
        """
        at = [0.0] * len(self._group.names)
        for _ in range(_MOST_STEPS):
            step = solve(self._curvature(at), self._slope(at))
            longest = max(map(abs, step))
            shorten = min(1.0, _LONGEST_STEP / longest) if longest else 1.0
            at = self._climb(at, [shorten * s for s in step])
            if longest < _CONVERGED:
                mean = sum(at) / len(at)
                return [strength - mean for strength in at]
        raise ArithmeticError(f"no maximum within {_MOST_STEPS} steps")

    def model_covariance(self, strengths: Sequence[float]) -> Matrix:
        """Return the covariance if every game were independent and the model true."""
        return centred(inverse(self._curvature(strengths)))

    def block_covariance(self, strengths: Sequence[float]) -> Matrix:
        """Return the covariance that holds whatever the games of a block have in common.

        The cluster-robust sandwich with blocks as clusters, not corrected for their number.

        Source: K.-Y. Liang, S. L. Zeger, "Longitudinal data analysis using generalized linear
        models", Biometrika 73 (1986).
        """
        meat = zeros(len(strengths))
        for slopes in self._block_slopes(strengths):
            for a, slope_a in slopes.items():
                row = meat[a]
                for b, slope_b in slopes.items():
                    row[b] += slope_a * slope_b
        return sandwich(self.model_covariance(strengths), meat)

    def _block_slopes(self, strengths: Sequence[float]) -> Iterator[dict[int, float]]:
        """Yield the slope of the likelihood of each block, for the bots in it."""
        for _, matches in groupby(self._group.matches, key=lambda match: match.block):
            slopes: dict[int, float] = {}
            for match in matches:
                for game in games(match):
                    a, b = self._index[game.first], self._index[game.second]
                    surprise = game.score - _win_probability(strengths[a] - strengths[b])
                    slopes[a] = slopes.get(a, 0.0) + game.weight * surprise
                    slopes[b] = slopes.get(b, 0.0) - game.weight * surprise
            yield slopes

    def _climb(self, start: list[float], step: list[float]) -> list[float]:
        """Go as much of a step as does not lead down."""
        height = self._likelihood(start)
        height -= _ROUNDING * abs(height)
        for _ in range(30):
            end = [a + s for a, s in zip(start, step, strict=True)]
            if self._likelihood(end) >= height:
                return end
            step = [s / 2 for s in step]
        return start

    def _likelihood(self, at: Sequence[float]) -> float:
        games_told = sum(
            won * _log_probability(at[a] - at[b])
            for a, row in enumerate(self._won)
            for b, won in enumerate(row)
            if won
        )
        return games_told - self._precision / 2 * sum(strength**2 for strength in at)

    def _slope(self, at: Sequence[float]) -> list[float]:
        slope = [-self._precision * strength for strength in at]
        for a, row in enumerate(self._weight):
            for b, weight in enumerate(row):
                if weight:
                    probability = _win_probability(at[a] - at[b])
                    slope[a] += self._won[a][b] - weight * probability
        return slope

    def _curvature(self, at: Sequence[float]) -> Matrix:
        """Return the negative second derivative, made definite along the mean, which is free."""
        size = len(at)
        curvature = zeros(size)
        for a, row in enumerate(self._weight):
            for b, weight in enumerate(row):
                if weight:
                    probability = _win_probability(at[a] - at[b])
                    information = weight * probability * (1 - probability)
                    curvature[a][b] -= information
                    curvature[a][a] += information
        free = 0.0 if self._precision else sum(curvature[a][a] for a in range(size)) / size**2
        return [
            [value + free + (self._precision if a == b else 0.0) for b, value in enumerate(row)]
            for a, row in enumerate(curvature)
        ]


def _win_probability(lead: float) -> float:
    return (1 + tanh(lead / 2)) / 2


def _log_probability(lead: float) -> float:
    return -log1p(exp(-lead)) if lead > 0 else lead - log1p(exp(lead))
