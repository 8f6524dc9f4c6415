"""Questions about packed ints: by arithmetic where compiled, by builtins where interpreted.

Both ways give the same answers. Arguments are not negative and fit into 62 bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

COMPILED: Final = not __file__.endswith(".py")
"""Whether this is the compiled form of the engine."""

_SPECIES_OF_THREE: Final = bytes(
    sum((packed >> 4 * one & 15 > 0) << one for one in range(3)) for packed in range(1 << 12)
)
"""Species set of each packed count of the first three species."""


def ones(mask: i64) -> i64:
    """Return how many bits are set."""
    if COMPILED:
        return ones_by_arithmetic(mask)
    return int.bit_count(mask)


def ones_by_arithmetic(mask: i64) -> i64:
    """Return how many bits are set: sums of ever wider fields."""
    mask -= mask >> 1 & 0x5555555555555555
    mask = (mask & 0x3333333333333333) + (mask >> 2 & 0x3333333333333333)
    mask = mask + (mask >> 4) & 0x0F0F0F0F0F0F0F0F
    mask += mask >> 8
    mask += mask >> 16
    return mask + (mask >> 32) & 127


def nth(mask: i64, index: i64) -> i64:
    """Return the place of a set bit, counted from the lowest one, which is number 0."""
    while index:
        mask &= mask - 1
        index -= 1
    if COMPILED:
        return ones_by_arithmetic((mask & -mask) - 1)
    return int.bit_length(mask & -mask) - 1


def end(contents: i64) -> i64:
    """Return where the next dinosaur of packed contents would lie, in bits."""
    if COMPILED:
        at: i64 = 0
        while contents >> at:
            at += 3
        return at
    return (int.bit_length(contents) + 2) // 3 * 3


def species_of(packed: i64) -> i64:
    """Return the species set of a packed count, at most 15 of each species."""
    if COMPILED:
        packed |= packed >> 1
        packed = (packed | packed >> 2) & 0x111111
        packed = (packed | packed >> 3) & 0x030303
        return (packed | packed >> 6 | packed >> 12) & 63
    return _SPECIES_OF_THREE[packed & 4095] | _SPECIES_OF_THREE[packed >> 12] << 3


def tally_by_arithmetic(contents: i64) -> i64:
    """Return the packed count of packed contents."""
    counts: i64 = 0
    one: i64 = 1
    while contents:
        if contents & 7:
            counts += one << 4 * ((contents & 7) - 1)
        contents >>= 3
    return counts


def species_at(packed: i64, index: i64) -> i64:
    """Return the species of one dinosaur of a packed count, numbered in the order of species."""
    species: i64 = 0
    while index >= packed & 15:
        index -= packed & 15
        packed >>= 4
        species += 1
    return species


def size_of(packed: i64) -> i64:
    """Return how many dinosaurs a packed count holds."""
    size: i64 = 0
    while packed:
        size += packed & 15
        packed >>= 4
    return size
