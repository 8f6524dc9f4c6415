"""Student's t for many degrees of freedom at once."""

import numpy as np

from saurodrome.server.rating.games import Floats
from saurodrome.server.rating.quantile import Z95

LEAST_FREEDOM = 3.0
"""Fewest degrees of freedom for which the series for Student's t is good; fewer count as these."""
_TERMS = (
    (79 * Z95**9 + 776 * Z95**7 + 1482 * Z95**5 - 1920 * Z95**3 - 945 * Z95) / 92160,
    (3 * Z95**7 + 19 * Z95**5 + 17 * Z95**3 - 15 * Z95) / 384,
    (5 * Z95**5 + 16 * Z95**3 + 3 * Z95) / 96,
    (Z95**3 + Z95) / 4,
    Z95,
)
"""Of Student's t in one over the degrees of freedom, the highest power first."""


def t95(freedom: Floats) -> Floats:
    """Return Student's t for 95 % intervals, by degrees of freedom, within 0.3 %.

    Source: M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions" (1964), 26.7.5.
    """
    share = np.asarray(1 / np.maximum(freedom, LEAST_FREEDOM))
    found = np.full_like(share, _TERMS[0])
    for term in _TERMS[1:]:
        found *= share
        found += term
    return found
