"""Which games exist."""

from saurodrome.engine.errors import UnknownGame
from saurodrome.engine.game import Game
from saurodrome.engine.games.draftosaurus.state import GAME as DRAFTOSAURUS
from saurodrome.engine.games.duelosaur.state import GAME as DUELOSAUR

_GAMES: tuple[Game, ...] = (DRAFTOSAURUS, DUELOSAUR)
_instead: dict[str, Game] = {}
"""Games that this process plays with other component values than the shipped ones."""


def games() -> tuple[Game, ...]:
    """Return all games, sorted by name."""
    known = (_instead.get(game.name, game) for game in _GAMES)
    return tuple(sorted(known, key=lambda game: game.name))


def use(game: Game) -> None:
    """Have this process play a game with other component values; for its start only.

    Raises:
        UnknownGame: No registered game is called so.
    """
    get(game.name)
    _instead[game.name] = game


def get(name: str) -> Game:
    """Return the game of this name.

    Raises:
        UnknownGame: No game is called so; the error lists those that exist.
    """
    for game in _GAMES:
        if game.name == name:
            return _instead.get(name, game)
    raise UnknownGame(name, (game.name for game in _GAMES))
