"""Many matches of Duelosaur Island stepped together, as arrays in and arrays out."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.duelosaur.state import GAME, DuelosaurState
from saurodrome.engine.rl import duelosaur_arrays as arrays
from saurodrome.engine.rl.rewards import rewards


class View(NamedTuple):
    """What the players to move know; shapes and dtypes as in `duelosaur_arrays`.

    Attributes:
        seats: int8, (matches,): whose turn it is.
        observations: int16, (matches, entries).
        masks: int8, (matches, actions).
        actions: int8, (matches, actions, columns): what the ids mean.
    """

    seats: NDArray[np.int8]
    observations: NDArray[np.int16]
    masks: NDArray[np.int8]
    actions: NDArray[np.int8]


class Step(NamedTuple):
    """What a step of all matches brought.

    Attributes:
        view: What is known now; of the new match where one ended.
        rewards: float32, (matches, 2): by seat, as in `DuelosaurEnv`.
        ended: bool, (matches,): the match ended with this step, and a new one began.
    """

    view: View
    rewards: NDArray[np.float32]
    ended: NDArray[np.bool_]


class DuelosaurBatch:
    """Matches that begin anew by themselves; the start seat moves on with each."""

    def __init__(self, matches: int, variant: str = "medium", seed: int = 0) -> None:
        """Begin all matches.

        Args:
            matches: How many.
            variant: A length with its options.
            seed: Equal seeds and actions give equal matches.

        Raises:
            UnknownVariant, BadPlayerCount: There are no such matches of two.
        """
        self.variant = variant
        self._chances = [FastChance(seed * 1_000_003 + number) for number in range(matches)]
        self._begun = [0] * matches
        self._states = [self._begin(number) for number in range(matches)]

    def _begin(self, number: int) -> DuelosaurState:
        start = self._begun[number] % 2
        self._begun[number] += 1
        return GAME.initial_state(self.variant, 2, self._chances[number], start)

    def look(self) -> View:
        """Return what the players to move know."""
        turns = [(state, state.deciders()[0]) for state in self._states]
        return View(
            np.array([seat for _, seat in turns], dtype=np.int8),
            np.array([arrays.observe(*turn) for turn in turns]),
            np.array([arrays.mask_of(*turn) for turn in turns]),
            np.array([arrays.meanings(*turn) for turn in turns]),
        )

    def step(self, actions: NDArray[np.integer] | Sequence[int]) -> Step:
        """Play one decision of every match.

        Args:
            actions: Action ids, (matches,); replaced by the default action where not legal.
        """
        gained: NDArray[np.float32] = np.zeros((len(self._states), 2), dtype=np.float32)
        ended: NDArray[np.bool_] = np.zeros(len(self._states), dtype=np.bool_)
        for number, (state, asked) in enumerate(zip(self._states, actions, strict=True)):
            seat, action = state.deciders()[0], int(asked)
            if action not in state.legal_actions(seat):
                action = state.default_action(seat)
            after = state.apply({seat: action}, self._chances[number])
            outcome = after.outcome()
            if outcome is not None:
                gained[number] = rewards(outcome, 2)
                ended[number] = True
                after = self._begin(number)
            self._states[number] = after
        return Step(self.look(), gained, ended)
