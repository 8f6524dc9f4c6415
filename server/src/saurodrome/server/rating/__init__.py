"""How strong bots are: live Elo after each match, and the published table fitted to all."""

from saurodrome.server.rating.bradley_terry import (
    Component,
    Difference,
    Fit,
    RatedMatch,
    RatedBot,
    RatingError,
    fit,
)
from saurodrome.server.rating.elo import elo

__all__ = [
    "Component",
    "Difference",
    "Fit",
    "RatedBot",
    "RatedMatch",
    "RatingError",
    "elo",
    "fit",
]
