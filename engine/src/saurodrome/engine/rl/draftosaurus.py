"""Draftosaurus for PettingZoo: all seats at once, or one after the other."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec

from saurodrome.engine.chance import FastChance
from saurodrome.engine.game import Outcome
from saurodrome.engine.games.draftosaurus.state import GAME, DraftosaurusState
from saurodrome.engine.rl import arrays
from saurodrome.engine.rl.rewards import rewards

Observed = dict[str, Any]
"""`observation` and `action_mask`, see `arrays`."""


class DraftosaurusParallelEnv(ParallelEnv[str, Observed, int]):
    """One match: every live agent acts in every step, some of them by waiting.

    The reward comes with the last step: the share of opponents that a seat beat, ties half, times
    2, minus 1; so it is 1 for the winner, -1 for the last, and 0 over the table. The infos of
    that step hold `points` and `placement`.

    An action outside its mask is replaced by the published default action, as an arbiter does
    for a bot that answers nonsense; `illegal` in the agent's info says so.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "draftosaurus_v1",
        "render_modes": [],
        "is_parallelizable": True,
    }
    render_mode = None

    def __init__(self, variant: str = "summer", players: int = 2) -> None:
        """Set up the spaces.

        Args:
            variant: The board, "summer" or "winter".
            players: 2 to 5.

        Raises:
            UnknownVariant, BadPlayerCount: There is no such match.
        """
        GAME.validate(variant, players)
        self.variant = variant
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self.state_of_match: DraftosaurusState | None = None
        self._random, _ = seeding.np_random()
        board = GAME.initial_state(variant, players, FastChance(0)).board
        count = arrays.actions(board)
        length = arrays.length(players)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, arrays.MOST, (length,), np.int8),
                    "action_mask": spaces.Box(0, 1, (count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observed], dict[str, dict[str, Any]]]:
        """Begin a match.

        Args:
            seed: Equal seeds give equal deals; None goes on with the present generator.
            options: `start`: the seat that rolls first, 0 unless told.
        """
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self._chance = FastChance(int(self._random.integers(2**32)))
        start = int((options or {}).get("start", 0))
        self.agents = list(self.possible_agents)
        players = len(self.agents)
        self.state_of_match = GAME.initial_state(self.variant, players, self._chance, start)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[
        dict[str, Observed],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Play one step of all agents."""
        state = self._state()
        asked = {seat: int(actions[self.agents[seat]]) for seat in state.deciders()}
        chosen = legalised(state, asked)
        self.state_of_match = state.apply(chosen, self._chance)
        outcome = self.state_of_match.outcome()
        agents, over = self.agents, outcome is not None
        found = self._observations()
        if outcome is not None:
            self.agents = []
        return (
            found,
            dict(zip(agents, rewards(outcome, len(agents)), strict=True)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            {
                agent: _info(outcome, seat, asked.get(seat) != chosen.get(seat))
                for seat, agent in enumerate(agents)
            },
        )

    def _state(self) -> DraftosaurusState:
        if self.state_of_match is None:
            raise RuntimeError("call reset first")
        return self.state_of_match

    def _observations(self) -> dict[str, Observed]:
        state = self._state()
        return {
            agent: {
                "observation": arrays.observe(state, seat),
                "action_mask": arrays.mask(state, seat),
            }
            for seat, agent in enumerate(self.agents)
        }


def legalised(state: DraftosaurusState, asked: Mapping[int, int]) -> dict[int, int]:
    """Return the actions by seat, the default action where one is not legal."""
    return {
        seat: action if action in state.legal_actions(seat) else state.default_action(seat)
        for seat, action in asked.items()
    }


def _info(outcome: Outcome | None, seat: int, illegal: bool) -> dict[str, Any]:
    if illegal:
        return {**_info(outcome, seat, False), "illegal": True}
    if outcome is None:
        return {}
    return {"points": outcome.points[seat], "placement": outcome.placements[seat]}


def parallel_env(variant: str = "summer", players: int = 2) -> DraftosaurusParallelEnv:
    """Return a match in which all seats act at once, as they do in the game."""
    return DraftosaurusParallelEnv(variant, players)


def env(variant: str = "summer", players: int = 2) -> AECEnv[str, Observed, int]:
    """Return a match in which agents act one after the other, for tools that need it so.

    Nobody sees what the others chose in the same step.
    """
    return parallel_to_aec(parallel_env(variant, players))
