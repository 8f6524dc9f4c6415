"""Which action a search looks at next, and what it thinks of each: UCB1.

After Auer, Cesa-Bianchi and Fischer, "Finite-time Analysis of the Multiarmed Bandit Problem"
(2002).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

TRUST: Final = 6.0
"""So many play-outs a first guess is worth."""


class Estimate(NamedTuple):
    """What a search thinks of one action.

    Attributes:
        action: The action id.
        value: Mean share of opponents beaten, ties half, plus a hundredth for each point of
            advantage over the best of them.
        error: Standard error of the value.
        visits: Play-outs that began with it.
    """

    action: int
    value: float
    error: float
    visits: int


class Bandit:
    """What is known of each of some actions so far: by guess, and by play-outs."""

    def __init__(self, actions: Sequence[int], guesses: Sequence[float], explore: float) -> None:
        """Start without a play-out.

        Args:
            actions: The actions.
            guesses: How much better than others each seems to be at once, in rewards.
            explore: How much is tried that was tried seldom; rewards lie between -0.3 and 1.3.
        """
        order = sorted(range(len(actions)), key=lambda n: -guesses[n])
        self.actions = [actions[n] for n in order]
        self.guesses = [guesses[n] for n in order]
        self.explore = explore
        self.played = 0
        self.beyond = 0.0  # what play-outs brought more than guessed, in all
        self.visits = [0] * len(self.actions)
        self.sums = [0.0] * len(self.actions)
        self.squares = [0.0] * len(self.actions)

    def count(self, index: int, reward: float) -> None:
        """Add what a play-out brought that began with an action."""
        self.played += 1
        self.beyond += reward - self.guesses[index]
        self.visits[index] += 1
        self.sums[index] += reward
        self.squares[index] += reward * reward

    def hope(self, index: int) -> float:
        """Return what an action is worth by its play-outs and by the guess together."""
        usual = self.beyond / self.played if self.played else 0.5
        total = self.sums[index] + TRUST * (usual + self.guesses[index])
        return total / (self.visits[index] + TRUST)

    def next_of(self, most: int) -> int:
        """Return the index of the action to look at, by UCB1 on top of the guesses.

        Args:
            most: How many of the actions come into question, from the most promising one.
        """
        best, bound = 0, -math.inf
        wide = self.explore * math.sqrt(math.log(self.played + 2))
        for index in range(most):
            hope = self.hope(index) + wide / math.sqrt(self.visits[index] + TRUST)
            if hope > bound:
                best, bound = index, hope
        return best

    def best(self) -> int:
        """Return the action that is worth most."""
        return self.actions[max(range(len(self.actions)), key=self.hope)]

    def estimates(self) -> tuple[Estimate, ...]:
        """Return what is known of each action that was looked at, the best first."""
        found = []
        for action, n, total, squares in zip(
            self.actions, self.visits, self.sums, self.squares, strict=True
        ):
            if n:
                mean = total / n
                variance = max(squares / n - mean * mean, 0.0) if n > 1 else 1.0
                found.append(Estimate(action, mean, math.sqrt(variance / n), n))
        return tuple(sorted(found, key=lambda one: one.value, reverse=True))
