"""What a pen accepts next: one rule a kind, as functions on packed contents.

Packed contents hold three bits a dinosaur, its species + 1, the first or lowest slot in the
lowest bits; 0 is an empty place. A packed count holds four bits a species. A species set holds
one bit a species. All of them fit into 62 bits, so that a compiler may use machine integers.
"""

from functools import lru_cache
from typing import Final

SPECIES: Final = 6
TREX: Final = 0
ALL: Final = (1 << SPECIES) - 1

RULE_ANY: Final = 0
RULE_SAME: Final = 1
RULE_DIFFERENT: Final = 2


def size(contents: int) -> int:
    """Return how many places of packed contents are in use, counted from the left."""
    return (contents.bit_length() + 2) // 3


def unpack(contents: int) -> tuple[int, ...]:
    """Return the species of packed contents from the left; -1 is an empty slot."""
    return tuple((contents >> 3 * index & 7) - 1 for index in range(size(contents)))


def pack(species: tuple[int, ...]) -> int:
    """Return packed contents; -1 is an empty slot."""
    return sum(one + 1 << 3 * index for index, one in enumerate(species))


@lru_cache(1 << 15)
def tally(contents: int) -> int:
    """Return the packed count of packed contents; the same ones come again and again."""
    counts = 0
    while contents:
        if contents & 7:
            counts += 1 << 4 * ((contents & 7) - 1)
        contents >>= 3
    return counts


def counts_of(packed: int) -> tuple[int, ...]:
    """Return how many of each species a packed count holds."""
    return tuple(packed >> 4 * species & 15 for species in range(SPECIES))


def total(packed: int) -> int:
    """Return how many dinosaurs a packed count holds."""
    return sum(counts_of(packed))


def hand_size(hand: int) -> int:
    """Return how many dinosaurs a hand of at most six holds: its digits, cast out by 15."""
    return hand % 15
