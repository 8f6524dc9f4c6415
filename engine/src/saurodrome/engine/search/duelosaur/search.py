"""Determinised Monte Carlo for Duelosaur Island, from an observation alone.

Each play-out deals anew what the player cannot see, takes one of its actions, lets both sides
play on to the end of the round by simple judgement, and judges the companies then; near the end
of a match that is its end. The same dice and cards fall for each action that is looked at.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.duelosaur import flow, scoring
from saurodrome.engine.games.duelosaur.knowledge import Observation
from saurodrome.engine.games.duelosaur.position import BUILD, OVER, Position
from saurodrome.engine.games.duelosaur.setting import Setting
from saurodrome.engine.search.bandit import Bandit
from saurodrome.engine.search.duelosaur.policy import Policy
from saurodrome.engine.search.duelosaur.values import Values, crowds_left
from saurodrome.engine.search.duelosaur.worlds import Worlds

MARGIN: Final = 0.01
"""What a point of advantage is worth beside winning, at most 30 points."""
DOUBT: Final = 3.0
"""Points by which a judgement is usually wrong for each crowd that is still to come."""
SLOPE: Final = 0.08
"""What a point of advantage changes with one crowd to come."""
EXPLORE: Final = 0.15
"""How much is tried that was tried seldom."""
FIRST: Final = 3
"""So many actions come into question at once, more of them with the root of the play-outs."""
_SEEDS: Final = 1_000_003


@lru_cache(maxsize=4)
def policy_of(setting: Setting) -> Policy:
    """Return who plays the play-outs of a variant; what it has worked out is kept."""
    return Policy(Values(setting.components))


class Search(Bandit):
    """The running search of one decision."""

    def __init__(self, observation: Observation, actions: Sequence[int], seed: int = 1) -> None:
        """Start without a play-out.

        Args:
            observation: What the player to move knows.
            actions: Its legal actions.
            seed: Equal seeds and numbers of play-outs give equal estimates.

        Raises:
            ValueError: It is a spectator's observation, or there is nothing to choose.
        """
        if observation.player is None or not actions:
            raise ValueError("only a player with legal actions can search")
        self.player: int = observation.player
        self.worlds = Worlds(observation)
        self.policy = policy_of(observation.public.setting)
        self._seed = seed * _SEEDS
        position = self.worlds.position
        self._last = max(position.round, 1)
        judged = self.policy.judged(position, self.player, actions)
        slope, best = SLOPE / math.sqrt(crowds_left(position)), max(judged)
        guesses = [max(-0.5, slope * (one - best)) for one in judged]
        super().__init__(actions, guesses, EXPLORE)

    def run(self, playouts: int) -> None:
        """Add some play-outs, most of them where the action looks good."""
        for _ in range(playouts):
            width = FIRST + 2 * math.isqrt(self.played)
            self._look(self.next_of(min(len(self.actions), width)))

    def spread(self, playouts: int) -> None:
        """Add some play-outs for every action, so that all are known equally well."""
        for _ in range(playouts):
            for index in range(len(self.actions)):
                self._look(index)

    def _look(self, index: int) -> None:
        """Add one play-out that begins with an action."""
        chance = FastChance(self._seed + self.visits[index])
        position = self.worlds.draw(chance)
        phase = flow.phase(position)
        if phase is None:
            raise AssertionError("a player with legal actions has something to decide")
        position = phase.act(position, self.player, self.actions[index], chance)
        position = self.policy.play(flow.proceed(position, chance), chance, self._last)
        self.count(index, reward(self.policy.values, position, self.player))


def reward(values: Values, position: Position, player: int) -> float:
    """Return how well a position is for a player; see `bandit.Estimate.value`."""
    if position.stage == OVER:
        keys = [scoring.rank_key(sheet) for sheet in scoring.sheets(position)]
        own = keys.pop(player)
        other = max(keys)
        beaten = 0.5 if own == other else float(own > other)
        ahead = float(own[0] - other[0])
    else:
        crowds = crowds_left(position)
        ahead = _worth(values, position, player, crowds)
        others = range(len(position.companies) + len(position.rivals))
        ahead -= max(_worth(values, position, n, crowds) for n in others if n != player)
        beaten = 1 / (1 + math.exp(-ahead / (DOUBT * math.sqrt(crowds))))
    return beaten + MARGIN * max(-30.0, min(30.0, ahead))


def _worth(values: Values, position: Position, number: int, crowds: int) -> float:
    """Return about how many points a seat, or after the seats the AI, will end with."""
    if number < len(position.companies):
        company = position.works[number].company if position.works else position.companies[number]
        builds = crowds - 1 if position.stage > BUILD else crowds
        return values.worth(company, crowds, builds)
    card, own = position.setting.ai, position.rivals[0]
    if card is None:
        raise AssertionError("only a solo match has an AI")
    sheet = scoring.rival_sheet(values.parts, card, own)
    return sheet.total + crowds * own.excitement + crowds * (crowds + 1)
