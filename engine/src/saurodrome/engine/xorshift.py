"""Draws for play-outs: a small generator whose numbers fit into machine integers."""

from __future__ import annotations

import random
from struct import Struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

BLOCK: Final = 36
"""How many numbers can be asked for at once."""

FRACTION: Final = 24
"""Bits of a number that count in a draw, its upper ones: Python multiplies them in one digit."""

_LANE: Final = 32
"""Bits for each of them in a block, which is as many as a fraction times a byte has."""


class XorshiftChance:
    """Cheap draws for play-outs and benches, the same in the compiled and the plain form.

    Marsaglia's generator of 32 bits with the shifts 13, 17 and 5 ("Xorshift RNGs", 2003); its
    period is 2**32 - 1. One generator serves all streams, so the order of asking matters. The
    bias is below n / 2**24. Never for a rated match.

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
        """Return an integer of 0..n-1, all equally likely; n is at most 2**24."""
        word = self.word
        word ^= word << 13 & 0xFFFFFFFF
        word ^= word >> 17
        word ^= word << 5 & 0xFFFFFFFF
        self.word = word
        return (word >> 8) * n >> FRACTION

    def draw(self, stream: str, n: int) -> int:
        """Return an integer of 0..n-1, all equally likely."""
        return self.below(n)

    def fractions(self, count: int) -> tuple[int, ...]:
        """Return the next numbers' upper bits, 1 to `BLOCK` of them.

        `below(n)` is `fraction * n >> FRACTION`.
        """
        return _UNPACK[count](self._upper(count).to_bytes(_LANE // 8 * count, "little"))

    def falling(self, n: int, count: int) -> bytes:
        """Return what `below(n)`, `below(n - 1)` and so on would, a byte each.

        Args:
            n: At most 256.
            count: How many draws, 1 to `BLOCK`, at most n.
        """
        upper, less = self._upper(count), 0
        for mask in _PLACE_BITS[-count.bit_length() :]:
            less = (less << 1) + (upper & mask)
        return (upper * n - less).to_bytes(_LANE // 8 * count, "little")[3::4]

    def _upper(self, count: int) -> int:
        """Return the upper bits of the next numbers, a lane each, and go on behind them."""
        block = _block(self.word) & _FIRST[count]
        self.word = block >> _LANE * (count - 1)
        return block >> _LANE - FRACTION & _UPPER


def _block(word: int) -> int:
    """Return the numbers that follow a number, the first in the lowest lane.

    The generator is linear: what follows a number is the sum, without carry, of what follows
    each of its four bytes.
    """
    first, second, third, fourth = _FOLLOWERS
    lower = first[word & 255] ^ second[word >> 8 & 255]
    return lower ^ third[word >> 16 & 255] ^ fourth[word >> 24]


def _followers() -> tuple[list[int], ...]:
    """Return for each byte of a number, and each value of it, the block that follows."""
    generator = XorshiftChance(0)
    tables = []
    for byte in range(4):
        table = [0]
        for bit in range(8):
            generator.word = 1 << 8 * byte + bit
            block = 0
            for place in range(BLOCK):
                generator.below(1)
                block |= generator.word << _LANE * place
            table += [block ^ other for other in table]
        tables.append(table)
    return tuple(tables)


_FOLLOWERS: Final = _followers()
_FIRST: Final = [(1 << _LANE * count) - 1 for count in range(BLOCK + 1)]
_UNPACK: Final = [Struct(f"<{count}I").unpack for count in range(BLOCK + 1)]
_UPPER: Final = sum([(1 << FRACTION) - 1 << _LANE * place for place in range(BLOCK)])
_PLACE_BITS: Final = [
    sum([0xFFFFFFFF << _LANE * place for place in range(BLOCK) if place >> bit & 1])
    for bit in reversed(range(BLOCK.bit_length()))
]
"""The lanes whose place has a bit set, the highest bit first."""
