"""How often each seat wins, with an error that minds what the matches of a block share."""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

from saurodrome.server.rating.student import t95

_WIN = 60
"""A win is kept as so many parts: whole when 2 to 5 share it."""


class SeatShare(NamedTuple):
    """Share of the matches that one seat won, shared wins split."""

    share: float
    err95: float
    """Half width of the 95 % interval; infinite while there is one block."""


class SeatWins:
    """Sums over matches; whole numbers, so the order makes no difference.

    A block's wins of a seat are compared with its share of the block's matches: the variance of
    a ratio between blocks.

    Source: W. G. Cochran, "Sampling Techniques" (1977), 6.4.
    """

    def __init__(self) -> None:
        """Begin without matches."""
        self._blocks: dict[str, list[int]] = {}
        self._parts: list[int] = []
        self._matches = 0
        self._squares: list[int] = []
        """By seat: sum over blocks of the parts won, squared."""
        self._products: list[int] = []
        """By seat: sum over blocks of the parts won times matches."""
        self._sizes = 0
        """Sum over blocks of matches, squared."""

    def add(self, block: str, placements: Sequence[int]) -> None:
        """Count a match of two or more seats.

        Args:
            block: its block.
            placements: by seat, 1 is best.
        """
        more = len(placements) - len(self._parts)
        for sums in (self._parts, self._squares, self._products):
            sums += [0] * more
        own = self._blocks.setdefault(block, [0])  # matches, then parts by seat
        own += [0] * (len(self._parts) + 1 - len(own))
        for seat in range(len(self._parts)):
            before, size = own[seat + 1], own[0]
            first = seat < len(placements) and placements[seat] == 1
            won = _WIN // placements.count(1) if first else 0
            own[seat + 1] = before + won
            self._parts[seat] += won
            self._squares[seat] += (before + won) ** 2 - before**2
            self._products[seat] += (before + won) * (size + 1) - before * size
        self._sizes += 2 * own[0] + 1
        own[0] += 1
        self._matches += 1

    def shares(self) -> tuple[SeatShare, ...]:
        """Return the shares by seat; they add up to 1. Empty before the first match."""
        return tuple(map(self._share, range(len(self._parts))))

    def _share(self, seat: int) -> SeatShare:
        share = self._parts[seat] / self._matches / _WIN
        blocks = len(self._blocks)
        if blocks < 2:
            return SeatShare(share, float("inf"))
        squares = self._squares[seat] / _WIN**2
        products = self._products[seat] / _WIN
        apart = max(0.0, squares - 2 * share * products + share**2 * self._sizes)
        error = sqrt(apart * blocks / (blocks - 1)) / self._matches
        return SeatShare(share, float(t95(np.array(blocks - 1.0))) * error)
