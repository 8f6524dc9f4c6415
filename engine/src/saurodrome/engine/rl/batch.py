"""Many matches of Draftosaurus stepped together, as arrays in and arrays out."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.draftosaurus.state import GAME, DraftosaurusState
from saurodrome.engine.rl import arrays
from saurodrome.engine.rl.draftosaurus import legalised
from saurodrome.engine.rl.rewards import rewards


class Step(NamedTuple):
    """What a step of all matches brought.

    Attributes:
        observations: int8, (matches, players, entries); of the new match where one ended.
        masks: int8, (matches, players, actions), likewise.
        rewards: float32, (matches, players); see `DraftosaurusParallelEnv`.
        ended: bool, (matches,): the match ended with this step, and a new one began.
    """

    observations: NDArray[np.int8]
    masks: NDArray[np.int8]
    rewards: NDArray[np.float32]
    ended: NDArray[np.bool_]


class DraftosaurusBatch:
    """Matches that begin anew by themselves; the start seat moves on with each."""

    def __init__(self, matches: int, variant: str = "summer", players: int = 2, seed: int = 0):
        """Begin all matches.

        Args:
            matches: How many.
            variant: The board.
            players: 2 to 5.
            seed: Equal seeds and actions give equal matches.

        Raises:
            UnknownVariant, BadPlayerCount: There are no such matches.
        """
        self.variant, self.players = variant, players
        self._chances = [FastChance(seed * 1_000_003 + number) for number in range(matches)]
        self._begun = [0] * matches
        self._states = [self._begin(number) for number in range(matches)]

    def _begin(self, number: int) -> DraftosaurusState:
        start = self._begun[number] % self.players
        self._begun[number] += 1
        return GAME.initial_state(self.variant, self.players, self._chances[number], start)

    def look(self) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Return the observations and masks of all matches, shaped as in `Step`."""
        seats = range(self.players)
        observations = [[arrays.observe(state, seat) for seat in seats] for state in self._states]
        masks = [[arrays.mask(state, seat) for seat in seats] for state in self._states]
        return np.array(observations), np.array(masks)

    def step(self, actions: NDArray[np.integer] | Sequence[Sequence[int]]) -> Step:
        """Play one step of every match.

        Args:
            actions: Action ids, (matches, players); ignored where there is nothing to decide,
                replaced by the default action where they are not legal.
        """
        gained: NDArray[np.float32] = np.zeros((len(self._states), self.players), dtype=np.float32)
        ended: NDArray[np.bool_] = np.zeros(len(self._states), dtype=np.bool_)
        for number, (state, row) in enumerate(zip(self._states, actions, strict=True)):
            chosen = legalised(state, {seat: int(row[seat]) for seat in state.deciders()})
            after = state.apply(chosen, self._chances[number])
            outcome = after.outcome()
            if outcome is not None:
                gained[number] = rewards(outcome, self.players)
                ended[number] = True
                after = self._begin(number)
            self._states[number] = after
        return Step(*self.look(), gained, ended)
