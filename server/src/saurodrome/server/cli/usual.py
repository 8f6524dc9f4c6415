"""What is played where the command line leaves it open."""

from saurodrome.engine import registry
from saurodrome.engine.errors import UnknownGame

VARIANT_HELP = "Its variant  [default: the game's usual one]"
PLAYERS_HELP = "At a table  [default: the fewest that play the variant]"


def variant_of(game: str, variant: str | None) -> str:
    """Gives the variant, or the usual one of a game; "" for a game that only the server knows."""
    try:
        return variant or registry.get(game).variants[0]
    except UnknownGame:
        return ""


def players_of(game: str, variant: str, players: int | None) -> int:
    """Gives the number of players, or the fewest that play a variant; 2 if it is unknown here."""
    try:
        known = registry.get(game)
    except UnknownGame:
        return players or 2
    return players or (min(known.player_counts(variant)) if variant in known.variants else 2)
