"""Draws for play-outs: a small generator whose numbers fit into machine integers."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import i64


class XorshiftChance:
    """Cheap draws for play-outs and benches, the same in the compiled and the plain form.

    Marsaglia's generator of 32 bits with the shifts 13, 17 and 5 ("Xorshift RNGs", 2003); its
    period is 2**32 - 1. One generator serves all streams, so the order of asking matters. The
    bias is below n / 2**32. Never for a rated match.

    Attributes:
        word: Its state, which is the last number as well.
    """

    __slots__ = ("word",)

    def __init__(self, seed: int) -> None:
        """Start the generator.

        Args:
            seed: Equal seeds give equal draws.
        """
        self.word: i64 = random.Random(seed).getrandbits(32) or 1

    def below(self, n: i64) -> i64:
        """Return an integer of 0..n-1, all equally likely; n is at most 2**31."""
        word = self.word
        word ^= word << 13 & 0xFFFFFFFF
        word ^= word >> 17
        word ^= word << 5 & 0xFFFFFFFF
        self.word = word
        return word * n >> 32

    def draw(self, stream: str, n: int) -> int:
        """Return an integer of 0..n-1, all equally likely."""
        return self.below(n)
