"""Positions as text: the drawing is the game's, found by its name."""

import importlib
from collections.abc import Sequence
from typing import Any

from saurodrome.engine.game import Observation, State


def draw(game: str, observation: Observation, names: Sequence[str] = ()) -> list[str]:
    """Gives what an observer knows as lines of at most 80 cells.

    Args:
        game: The game's name; its folder in the engine has a module `render`.
        observation: What to show.
        names: Names of the seats.
    """
    module = importlib.import_module(f"saurodrome.engine.games.{game}.render")
    lines: list[str] = module.render(observation, names=names)
    return lines


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
        return "no action at all"
