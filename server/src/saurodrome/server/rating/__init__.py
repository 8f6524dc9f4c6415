"""How strong bots are: live Elo after each match, and the published table fitted to all."""

from saurodrome.server.rating.elo import elo, expected
from saurodrome.server.rating.fit import Component, Difference, Fit, RatedBot, fit
from saurodrome.server.rating.pool import RatedMatch, RatingError
from saurodrome.server.rating.spread import Spread

__all__ = [
    "Component",
    "Difference",
    "Fit",
    "RatedBot",
    "RatedMatch",
    "RatingError",
    "Spread",
    "elo",
    "expected",
    "fit",
]
