"""Positions of Duelosaur Island on the way of simple and of random players."""

from collections.abc import Iterator

from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.duelosaur.state import GAME, DuelosaurState
from tests.engine.duelosaur.players import at_random, greedy


def positions(variant: str, seed: int, most: int = 200) -> Iterator[tuple[DuelosaurState, int]]:
    """Yield states with one of their deciders; seat 0 plays greedily, seat 1 at random."""
    chance = FastChance(seed)
    players = [greedy(), at_random(seed)]
    state = GAME.initial_state(variant, GAME.setting(variant).players, chance)
    for step in range(most):
        deciders = state.deciders()
        if not deciders:
            return
        yield state, deciders[step % len(deciders)]
        state = state.apply({seat: players[seat](state, seat) for seat in deciders}, chance)
