"""Which action a search looks at next, and what it thinks of each: UCB1.

After Auer, Cesa-Bianchi and Fischer, "Finite-time Analysis of the Multiarmed Bandit Problem"
(2002).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

EXPLORE: Final = 0.5
"""How much is tried that was tried seldom; rewards lie between -0.3 and 1.3."""


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
    """What is known of each of some actions so far."""

    def __init__(self, actions: Sequence[int]) -> None:
        """Start without a play-out.

        Args:
            actions: The actions; of equal ones the first is tried first.
        """
        self.actions = list(actions)
        self.played = 0
        self.visits = [0] * len(self.actions)
        self.sums = [0.0] * len(self.actions)
        self.squares = [0.0] * len(self.actions)

    def count(self, index: int, reward: float) -> None:
        """Add what a play-out brought that began with an action."""
        self.played += 1
        self.visits[index] += 1
        self.sums[index] += reward
        self.squares[index] += reward * reward

    def next_of(self, most: int) -> int:
        """Return the index of the action to look at: the untried first, then by UCB1.

        Args:
            most: How many of the actions come into question, from the first.
        """
        best, bound = 0, -math.inf
        log = math.log(self.played + 1)
        for index in range(most):
            visits = self.visits[index]
            if visits == 0:
                return index
            hope = self.sums[index] / visits + EXPLORE * math.sqrt(log / visits)
            if hope > bound:
                best, bound = index, hope
        return best

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

    def best(self) -> int:
        """Return the action that was looked at most, which is the one that did best."""
        return self.actions[max(range(len(self.actions)), key=self.visits.__getitem__)]
