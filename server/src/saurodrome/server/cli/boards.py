"""Positions as text: the drawing and the words are the game's, found by its name."""

import importlib
from types import ModuleType
from typing import Any

from saurodrome.engine.game import Observation, State
from saurodrome.server.tournament.spectacle import draw, turn_of

__all__ = ["actions", "all_open", "draw", "meaning", "refusal", "turn_of"]

NO_MEANING = "no action at all"


def refusal(game: str, state: State, seat: int, action: int) -> str:
    """Says why an action is not legal, where the game has words for it in a module `reasons`."""
    explain: Any = getattr(_module(game, "reasons"), "refusal", None)
    if explain is None or meaning(state, seat, action) == NO_MEANING:
        return ""
    return str(explain(state, seat, action))


def _module(game: str, name: str) -> ModuleType | None:
    """Gives a module of a game, or None if the game has no such one."""
    path = f"saurodrome.engine.games.{game}.{name}"
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError as error:
        if error.name is None or not path.startswith(error.name):
            raise
        return None


def all_open(state: State) -> Observation:
    """Gives the view with nothing hidden where the game has one, else a spectator's."""
    reveal: Any = getattr(state, "reveal_all", None)
    if reveal is None:
        return state.observation(None)
    observation: Observation = reveal()
    return observation


def actions(state: State, seat: int) -> list[str]:
    """Gives a seat's legal actions in words, those that differ by their first word together.

    `S forest`, `S trio`, `N forest` and `N trio` become `S N: forest trio`.
    """
    ends: dict[str, list[str]] = {}
    for action in state.legal_actions(seat):
        first, _, rest = state.action_text(seat, action).partition(" ")
        ends.setdefault(first, []).append(rest)
    firsts: dict[str, list[str]] = {}
    for first, rests in ends.items():
        firsts.setdefault(" ".join(dict.fromkeys(rests)), []).append(first)
    return [f"{' '.join(together)}: {rest}" for rest, together in firsts.items()]


def meaning(state: State, seat: int, action: int) -> str:
    """Says what an id would mean here, whether it is legal or not."""
    try:
        return state.action_text(seat, action)
    except (ValueError, LookupError):
        return NO_MEANING
