"""What is seen of matches while they are played: what `observation(None)` knows, and no more.

All that is shown follows from that observation and from the phase, which everybody knows. So it
does not tell who has answered or how fast, and nothing of a sealed phase before it is revealed.
"""

import importlib
from collections.abc import Sequence
from types import ModuleType

from saurodrome.engine.game import Observation, State
from saurodrome.server.contracts import Spectacle
from saurodrome.server.match import Match


def draw(game: str, observation: Observation, names: Sequence[str] = ()) -> list[str]:
    """What an observer knows, as lines of at most 80 cells.

    Args:
        game: The game's name; its folder in the engine has a module `render`.
        observation: What to show.
        names: Names of the seats.
    """
    lines: list[str] = _render(game).render(observation, names=names)
    return lines


def turn_of(game: str, state: State) -> int | None:
    """The turn of a state from 1, where the game counts turns in its module `render`."""
    count = getattr(_render(game), "turn_of", None)
    return None if count is None else int(count(state.observation(None)))


def spectacle(match: Match, *, named: bool, board: bool) -> Spectacle:
    """A match that is being played.

    Args:
        match: The match.
        named: Say who plays; else seats stand for bots.
        board: Draw the board, too.
    """
    plan, state = match.plan, match.state
    seats = range(len(plan.players))
    names = [plan.players[seat].bot if named else f"seat-{seat + 1}" for seat in seats]
    shown = Spectacle(plan.match_id, plan.attempt, tuple(names))
    if state is None:
        return shown._replace(getting_ready=tuple(names[seat] for seat in match.getting_ready))
    game = plan.game.name
    return shown._replace(
        turn=turn_of(game, state) or 0,
        phase=state.phase,
        board=tuple(draw(game, state.observation(None), names)) if board else (),
    )


def _render(game: str) -> ModuleType:
    return importlib.import_module(f"saurodrome.engine.games.{game}.render")
