"""Duelosaur Island for PettingZoo: two agents, one after the other."""

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from saurodrome.engine.chance import FastChance
from saurodrome.engine.errors import BadPlayerCount
from saurodrome.engine.games.duelosaur.state import GAME, DuelosaurState
from saurodrome.engine.rl import duelosaur_arrays as arrays
from saurodrome.engine.rl.rewards import rewards

Observed = dict[str, Any]
"""`observation`, `action_mask` and `actions`, see `duelosaur_arrays`."""


class DuelosaurEnv(AECEnv[str, Observed, int]):
    """One match of two agents.

    Where both decide in secret, the lower seat decides first and the other one sees nothing of
    it. The reward comes with the last step: 1 for the winner, -1 for the other, 0 for both in a
    draw; the infos then hold `points` and `placement`. An action outside its mask is replaced by
    the published default action, as an arbiter does for a bot that answers nonsense; `illegal` in
    the agent's info says so.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "duelosaur_v1",
        "render_modes": [],
        "is_parallelizable": False,
    }
    render_mode = None

    def __init__(self, variant: str = "medium") -> None:
        """Set up the spaces.

        Args:
            variant: A length with its options, for two players.

        Raises:
            UnknownVariant, BadPlayerCount: There is no such match.
        """
        if GAME.player_counts(variant) != (2,):
            raise BadPlayerCount(GAME.name, 1, (2,))
        self.variant = variant
        self.possible_agents = ["seat_0", "seat_1"]
        self.agents: list[str] = []
        self.state_of_match: DuelosaurState | None = None
        self._random, _ = seeding.np_random()
        length = arrays.length(GAME.setting(variant))
        most, width = arrays.MOST_ACTIONS, arrays.WIDTH
        space = spaces.Dict(
            {
                "observation": spaces.Box(0, arrays.LARGEST, (length,), np.int16),
                "action_mask": spaces.Box(0, 1, (most,), np.int8),
                "actions": spaces.Box(0, 127, (most, width), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(most) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match.

        Args:
            seed: Equal seeds give equal chance; None goes on with the present generator.
            options: `start`: the seat that the drawn first player is counted from.
        """
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self._chance = FastChance(int(self._random.integers(2**32)))
        start = (options or {}).get("start", 0)
        self.state_of_match = GAME.initial_state(self.variant, 2, self._chance, start)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._next()

    def observe(self, agent: str) -> Observed:
        """Return what an agent knows now, and what it may do if it is its turn."""
        state, seat = self._state(), self.possible_agents.index(agent)
        return {
            "observation": arrays.observe(state, seat),
            "action_mask": arrays.mask_of(state, seat),
            "actions": arrays.meanings(state, seat),
        }

    def step(self, action: int | None) -> None:
        """Let the agent whose turn it is act."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        state, seat = self._state(), self.possible_agents.index(agent)
        chosen = state.default_action(seat) if action is None else int(action)
        illegal = chosen not in state.legal_actions(seat)
        if illegal:
            chosen = state.default_action(seat)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.infos = {one: {} for one in self.agents}
        if illegal:
            self.infos[agent]["illegal"] = True
        self.state_of_match = state.apply({seat: chosen}, self._chance)
        self._end()
        self.agent_selection = self._next()
        self._accumulate_rewards()

    def _end(self) -> None:
        """Tell all agents how the match came out, if it is over."""
        outcome = self._state().outcome()
        if outcome is None:
            return
        self.rewards = dict(zip(self.agents, rewards(outcome, 2), strict=True))
        for seat, agent in enumerate(self.agents):
            self.terminations[agent] = True
            self.infos[agent] |= {
                "points": outcome.points[seat],
                "placement": outcome.placements[seat],
            }

    def _next(self) -> str:
        deciders = self._state().deciders()
        return self.possible_agents[deciders[0] if deciders else 0]

    def _state(self) -> DuelosaurState:
        if self.state_of_match is None:
            raise RuntimeError("call reset first")
        return self.state_of_match


def env(variant: str = "medium") -> DuelosaurEnv:
    """Return a match in which agents act one after the other."""
    return DuelosaurEnv(variant)
