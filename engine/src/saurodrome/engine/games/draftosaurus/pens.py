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
RULE_ALTERNATE: Final = 3
RULE_PYRAMID: Final = 4

BESIDE: Final = ((1, 3), (0, 2, 3, 4), (1, 4), (0, 1, 4, 5), (1, 2, 3, 5), (3, 4))
"""Slots of a pyramid that touch each slot: 0 1 2 below, 3 4 on them, 5 on top."""

_ROWS: Final = ((0, 1, 2), (3, 4), (5,))


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


def accepts(rule: int, contents: int) -> int:
    """Return what a pen takes next where that depends on what lies in which place.

    Args:
        rule: RULE_ALTERNATE or RULE_PYRAMID; under the other rules a mask for each placement
            says it, see `board.Move`.
        contents: What is in the pen, packed.

    Returns:
        A species set for each slot, six bits a slot.
    """
    return _alternating(contents) if rule == RULE_ALTERNATE else _pyramid(contents)


def _alternating(contents: int) -> int:
    """Two different species take turns from the left, six places."""
    inside = unpack(contents)
    if not inside:
        return ALL
    if len(inside) == 1:
        return ALL & ~(1 << inside[0])
    return 1 << inside[-2] if len(inside) < 6 else 0


def _pyramid(contents: int) -> int:
    """A row opens when the row below is full; neighbours must differ."""
    word = 0
    for row in _ROWS:
        vacant = [slot for slot in row if not contents >> 3 * slot & 7]
        for slot in vacant:
            word |= _unlike_neighbours(contents, slot) << SPECIES * slot
        if vacant:
            break
    return word


def _unlike_neighbours(contents: int, slot: int) -> int:
    """Return the set of species that do not touch this slot."""
    species = ALL
    for other in BESIDE[slot]:
        digit = contents >> 3 * other & 7
        if digit:
            species &= ~(1 << digit - 1)
    return species
