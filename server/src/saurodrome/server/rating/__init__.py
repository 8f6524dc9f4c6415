"""How strong bots are: live Elo after each match, and the published table fitted to all."""

from saurodrome.server.rating.elo import elo, expected
from saurodrome.server.rating.fit import (
    Component,
    Correlation,
    Difference,
    Fit,
    RatedBot,
    fit,
    fit_pool,
)
from saurodrome.server.rating.pool import Pool, RatedMatch, RatingError
from saurodrome.server.rating.spread import Spread

__all__ = [
    "Component",
    "Correlation",
    "Difference",
    "Fit",
    "Pool",
    "RatedBot",
    "RatedMatch",
    "RatingError",
    "Spread",
    "elo",
    "expected",
    "fit",
    "fit_pool",
]
