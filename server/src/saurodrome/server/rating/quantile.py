"""Quantiles and chances of the normal distribution."""

from statistics import NormalDist

_NORMAL = NormalDist()
Z95 = _NORMAL.inv_cdf(0.975)
"""Half width of a 95 % interval in standard errors that are known."""


def chance_above(value: float, error: float) -> float:
    """Return the chance that what was measured as ``value`` is above 0.

    Args:
        value: the estimate.
        error: its standard error; 0 where it is certain.
    """
    if error == 0:
        return 0.5 if value == 0 else float(value > 0)
    return _NORMAL.cdf(value / error)
