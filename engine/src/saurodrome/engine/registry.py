"""Which games exist."""

from saurodrome.engine.errors import UnknownGame
from saurodrome.engine.game import Game
from saurodrome.engine.games.draftosaurus.state import GAME as DRAFTOSAURUS
from saurodrome.engine.games.duelosaur.state import GAME as DUELOSAUR

_GAMES: tuple[Game, ...] = (DRAFTOSAURUS, DUELOSAUR)


def games() -> tuple[Game, ...]:
    """Return all games, sorted by name."""
    return tuple(sorted(_GAMES, key=lambda game: game.name))


def get(name: str) -> Game:
    """Return the game of this name.

    Raises:
        UnknownGame: No game is called so; the error lists those that exist.
    """
    for game in _GAMES:
        if game.name == name:
            return game
    raise UnknownGame(name, (game.name for game in _GAMES))
