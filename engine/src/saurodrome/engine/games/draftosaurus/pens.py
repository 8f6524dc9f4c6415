"""What a pen accepts next: one rule a kind, as functions on packed contents.

Packed contents hold three bits a dinosaur, its species + 1, the first or lowest slot in the
lowest bits; 0 is an empty place. A packed count holds four bits a species. A species set holds
one bit a species. All of them fit into 62 bits, so that a compiler may use machine integers.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from saurodrome.engine.games.draftosaurus.bits import COMPILED, tally_by_arithmetic

if TYPE_CHECKING:
    from mypy_extensions import i64

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

_NEIGHBOURS: Final = tuple([sum([7 << 3 * slot for slot in slots]) for slots in BESIDE])
"""The slots that touch each slot, as a mask on packed contents."""


def size(contents: int) -> int:
    """Return how many places of packed contents are in use, counted from the left."""
    return (contents.bit_length() + 2) // 3


def unpack(contents: int) -> tuple[int, ...]:
    """Return the species of packed contents from the left; -1 is an empty slot."""
    return tuple((contents >> 3 * index & 7) - 1 for index in range(size(contents)))


def pack(species: tuple[int, ...]) -> int:
    """Return packed contents; -1 is an empty slot."""
    return sum(one + 1 << 3 * index for index, one in enumerate(species))


FEW: Final = 1 << 12
"""Packed contents below hold at most four dinosaurs."""

TALLIES: Final = [tally_by_arithmetic(contents) for contents in range(FEW)]
"""By packed contents: the packed count, of few dinosaurs."""


def tally(contents: int) -> int:
    """Return the packed count of packed contents."""
    packed = TALLIES[contents % FEW]
    while contents >= FEW:
        contents //= FEW
        packed += TALLIES[contents % FEW]
    return packed


def counts_of(packed: int) -> tuple[int, ...]:
    """Return how many of each species a packed count holds."""
    return (
        packed & 15,
        packed >> 4 & 15,
        packed >> 8 & 15,
        packed >> 12 & 15,
        packed >> 16 & 15,
        packed >> 20 & 15,
    )


def total(packed: int) -> int:
    """Return how many dinosaurs a packed count holds: its digits, two in a byte, cast out."""
    return ((packed & 0x0F0F0F) + (packed >> 4 & 0x0F0F0F)) % 255


def hand_size(hand: int) -> int:
    """Return how many dinosaurs a hand of at most six holds: its digits, cast out by 15."""
    return hand % 15


def accepts(rule: i64, contents: i64) -> i64:
    """Return what a pen takes next where that depends on what lies in which place.

    Args:
        rule: RULE_ALTERNATE or RULE_PYRAMID; under the other rules a mask for each placement
            says it, see `board.Move`.
        contents: What is in the pen, packed.

    Returns:
        A species set for each slot, six bits a slot.
    """
    if COMPILED:
        return _alternating(contents) if rule == RULE_ALTERNATE else _pyramid(contents)
    return _known_accepts(rule, contents)


def _alternating(contents: i64) -> i64:
    """Two different species take turns from the left, six places."""
    if contents >> 15:
        return 0
    one: i64 = 1
    if contents < 8:
        return ALL & ~(one << contents - 1) if contents else ALL
    while contents >> 6:
        contents >>= 3
    return one << (contents & 7) - 1


def _pyramid(contents: i64) -> i64:
    """A row opens when the row below is full; neighbours must differ."""
    first: i64 = 0
    slots: i64 = 3
    word: i64 = 0
    while slots and not word:
        for slot in range(first, first + slots):
            if not contents >> 3 * slot & 7:
                word |= _unlike_neighbours(contents, slot) << SPECIES * slot
        first += slots
        slots -= 1
    return word


def _unlike_neighbours(contents: i64, slot: i64) -> i64:
    """Return the set of species that do not touch this slot."""
    species: i64 = ALL
    one: i64 = 1
    contents &= _NEIGHBOURS[slot]
    while contents:
        if contents & 7:
            species &= ~(one << (contents & 7) - 1)
        contents >>= 3
    return species


_known_accepts: Final = lru_cache(1 << 15)(
    lambda rule, contents: _alternating(contents) if rule == RULE_ALTERNATE else _pyramid(contents)
)


def what_matters(rule: int, contents: int) -> int:
    """Return what of a pen's contents later placements depend on, beside what it takes now.

    Args:
        rule: The rule of the pen.
        contents: What is in it, packed.

    Returns:
        A number that is the same only for contents with the same future.
    """
    if rule <= RULE_DIFFERENT:
        return size(contents)
    if rule == RULE_PYRAMID:
        hidden = [
            slot
            for slot, beside in enumerate(BESIDE)
            if contents >> 3 * slot & 7 and all(contents >> 3 * other & 7 for other in beside)
        ]
        for slot in hidden:
            contents |= 7 << 3 * slot
    return contents
