"""Glicko-2 for one rating period, which is not the method here: a yardstick for the cases."""

from collections.abc import Sequence
from math import exp, log, pi, sqrt

SCALE = 173.7178


def rate(
    player: tuple[float, float, float],
    opponents: Sequence[tuple[float, float, float]],
    tau: float,
) -> tuple[float, float, float]:
    """Give rating, deviation and volatility after one period.

    Args:
        player: rating, deviation, volatility.
        opponents: rating, deviation and the player's score, by game.
        tau: how much the volatility may change.

    Source: M. Glickman, "Example of the Glicko-2 system" (2013).
    """
    mu, phi, sigma = (player[0] - 1500) / SCALE, player[1] / SCALE, player[2]
    told, gain = 0.0, 0.0
    for rating, deviation, score in opponents:
        g = 1 / sqrt(1 + 3 * (deviation / SCALE / pi) ** 2)
        chance = 1 / (1 + exp(-g * (mu - (rating - 1500) / SCALE)))
        told += g**2 * chance * (1 - chance)
        gain += g * (score - chance)
    sigma = _volatility(phi, sigma, 1 / told, gain / told, tau)
    phi = 1 / sqrt(1 / (phi**2 + sigma**2) + told)
    return 1500 + SCALE * (mu + phi**2 * gain), SCALE * phi, sigma


def _volatility(phi: float, sigma: float, variance: float, change: float, tau: float) -> float:
    start = log(sigma**2)

    def f(x: float) -> float:
        known = phi**2 + variance + exp(x)
        return exp(x) * (change**2 - known) / (2 * known**2) - (x - start) / tau**2

    low, high = start - 10 * tau, start + 10 * tau
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return exp(low / 2)
