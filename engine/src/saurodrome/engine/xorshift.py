"""Draws for play-outs: a small generator whose numbers fit into machine integers."""

from __future__ import annotations

import random
from struct import Struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

BLOCK: Final = 36
"""How many numbers can be asked for at once."""

_LANE: Final = 40
"""Bits for each of them in a block: its 32, and 8 for the factor of a product."""


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

    def words(self, count: int) -> tuple[int, ...]:
        """Return the next numbers themselves, 1 to `BLOCK`; `below(n)` is `word * n >> 32`."""
        block = _block(self.word) & _FIRST[count]
        found: tuple[int, ...] = _UNPACK[count](block.to_bytes(_LANE // 8 * count, "little"))
        self.word = found[-1]
        return found

    def falling(self, n: int, count: int) -> bytes:
        """Return what `below(n)`, `below(n - 1)` and so on would, a byte each.

        Args:
            n: At most 256.
            count: How many draws, 1 to `BLOCK`, at most n.
        """
        block = _block(self.word) & _FIRST[count]
        self.word = block >> _LANE * (count - 1)
        less = 0
        for mask in _PLACE_BITS[-count.bit_length() :]:
            less = (less << 1) + (block & mask)
        return (block * n - less).to_bytes(_LANE // 8 * count, "little")[4::5]


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
_UNPACK: Final = [Struct("<" + "Ix" * count).unpack for count in range(BLOCK + 1)]
_PLACE_BITS: Final = [
    sum([0xFFFFFFFF << _LANE * place for place in range(BLOCK) if place >> bit & 1])
    for bit in reversed(range(BLOCK.bit_length()))
]
"""The lanes whose place has a bit set, the highest bit first."""
