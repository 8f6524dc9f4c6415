"""What a board is: pens, places and a score sheet, with the tables that the kernel reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from saurodrome.engine.games.draftosaurus.pens import (
    ALL,
    RULE_ANY,
    RULE_DIFFERENT,
    RULE_SAME,
    SPECIES,
    TREX,
    accepts,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

SPECIES_NAMES: Final = (
    "trex",
    "stegosaurus",
    "triceratops",
    "brachiosaurus",
    "spinosaurus",
    "parasaurolophus",
)
LETTERS: Final = "RSCBNP"
FACES: Final = ("woodlands", "grasslands", "food_court", "restrooms", "empty_pen", "no_trex")
WOODLANDS: Final = 0
GRASSLANDS: Final = 1
FOOD_COURT: Final = 2
RESTROOMS: Final = 3
EMPTY_PEN: Final = 4
NO_TREX: Final = 5
FREE: Final = 6
"""Stands for the die where it binds nobody: for the roller, and when no die lies."""

NO_LIMIT: Final = 0

WORD: Final = 10
"""Places whose species sets fit into one word of 60 bits."""

LOW: Final = (1 << SPECIES * WORD) - 1

SCORE_TABLE: Final = 0
SCORE_COUPLES: Final = 1
SCORE_PAIRS: Final = 2
SCORE_SLOTS: Final = 3
SCORE_MOST: Final = 4
SCORE_ALONE: Final = 5
SCORE_WATCH: Final = 6


class Pen(NamedTuple):
    """One pen, or the River.

    Attributes:
        name: Full name, as in rulebooks.
        short: Name in action texts.
        zone: WOODLANDS or GRASSLANDS; FREE for the River.
        side: FOOD_COURT (left bank) or RESTROOMS (right bank); FREE for the River.
        rule: What it takes, a RULE constant of `pens`.
        capacity: How many dinosaurs fit in, or NO_LIMIT.
        slots: Places that a player chooses between; 1 where the order is given.
    """

    name: str
    short: str
    zone: int
    side: int
    rule: int
    capacity: int
    slots: int = 1


class Score:
    """One line of the score sheet.

    Attributes:
        name: Name of the line, usually of its pen.
        kind: A SCORE constant.
        pen: Index of the pen that it counts.
        table: SCORE_TABLE: points by number of dinosaurs. SLOTS: points by slot. Else one
            entry, the points of a couple (COUPLES), of a couple across the river (PAIRS), of
            each dinosaur of the species in the zoo on the right (WATCH), or of a success:
            nobody else's zoo holds more of the species (MOST), the own zoo holds no other of
            it (ALONE).
        partner: PAIRS: index of the other pen; else -1.
    """

    __slots__ = ("kind", "name", "partner", "pen", "table")

    def __init__(
        self, name: str, kind: int, pen: int, table: tuple[int, ...], partner: int = -1
    ) -> None:
        """Keep what the line counts."""
        self.name = name
        self.kind: i64 = kind
        self.pen: i64 = pen
        self.table = table
        self.partner: i64 = partner


class Move:
    """One placement, with all that the kernel needs to make it.

    Attributes:
        pen: Index of the pen.
        half: 0 if the pen's places lie in `low`, 1 if in `high`.
        asked: The bit of this word that must be set.
        species: Index of the species.
        at: Where in packed contents the dinosaur lies, -1 where the order of placement says it.
        last: Where in packed contents the last dinosaur of a full pen lies; -1 without limit.
        closed: The mask on the word that closes the pen.
        narrow: The mask on the word for what the pen still takes after this dinosaur.
        others: The mask that takes the pen out of a set of pens; the River stays in.
        tame: The mask that takes the pen out of the set of pens without a T-Rex, if it is one.
        unit: One dinosaur of the species, as a packed count.
        digit: The mask of the species on a packed count.
        rule: Under which rule `pens.accepts` says what the pen takes next; 0 where the masks
            say it.
        shift: Where the pen's first place lies in the word.
    """

    __slots__ = (
        "asked",
        "at",
        "closed",
        "digit",
        "half",
        "last",
        "narrow",
        "others",
        "pen",
        "rule",
        "shift",
        "species",
        "tame",
        "unit",
    )

    def __init__(self, pen: Pen, place: Place, species: int, first: int) -> None:
        """Work out the placement of a species in a place of a pen.

        Args:
            pen: The pen.
            place: The place.
            species: The species.
            first: Index of the pen's first place.
        """
        half = place.number // WORD
        shift = SPECIES * (first % WORD)
        bit = SPECIES * (place.number % WORD) + species
        closed = ~(((1 << SPECIES * pen.slots) - 1) << shift)
        limited = pen.capacity != NO_LIMIT
        masks = {RULE_ANY: -1, RULE_SAME: closed | 1 << bit, RULE_DIFFERENT: ~(1 << bit)}
        self.pen: i64 = place.pen
        self.half: i64 = half
        self.asked: i64 = 1 << bit
        self.species: i64 = species
        self.at: i64 = 3 * place.slot if place.slot >= 0 else -1
        self.last: i64 = 3 * (pen.capacity - 1) if limited else -1
        self.closed: i64 = closed
        self.narrow: i64 = masks.get(pen.rule, closed)
        self.others: i64 = ~(1 << place.pen) if pen.zone != FREE else -1
        self.tame: i64 = self.others if species == TREX else -1
        self.digit: i64 = 15 << 4 * species
        self.unit: i64 = 1 << 4 * species
        self.rule: i64 = 0 if pen.rule in masks else pen.rule
        self.shift: i64 = shift


class Place(NamedTuple):
    """Where a dinosaur can be put.

    Attributes:
        number: Its number among the places.
        pen: Index of the pen.
        slot: Slot inside it, or -1 where the order is given.
    """

    number: int
    pen: int
    slot: int


@dataclass(frozen=True, eq=False)
class Board:
    """One side of the board, with the tables that the kernel reads.

    What a zoo takes is a bit an action id: those of the first `WORD` places are its word `low`,
    those of the others its word `high`. The places of one pen share a word.

    Attributes:
        name: Name of the variant.
        index: Its index in `BOARDS`.
        pens: The pens, the River last.
        scores: The score sheet.
        places: All places, in the order of action ids.
        moves: All placements, by action id.
        face_pens: For each static face and FREE the set of pens that it allows, and the River.
        open_low: For each set of pens, all actions in them, in the word `low`.
        open_high: The same in the word `high`.
        low: What an empty zoo takes, in the word `low`.
        high: The same in the word `high`.
        river: Index of the River among the pens.
        every_pen: The set of all pens and the River.
        first_discard: Action id of discarding species 0; the other species follow.
        first_move: Action id of moving a dinosaur out of quarantine as placement 0 would put
            it; the other placements follow.
        quarantine: Index of the pen whose dinosaur moves before scoring, -1 for none.
        fences: The pens with which the second and the third group of `nodes` begin.
        lines_of: For each pen the line of the score sheet that counts it.
        discards: For each species set the action ids of discarding them, ascending.
    """

    name: str
    index: int
    pens: tuple[Pen, ...]
    scores: tuple[Score, ...]
    places: tuple[Place, ...]
    moves: tuple[Move, ...]
    face_pens: tuple[int, ...]
    open_low: tuple[int, ...]
    open_high: tuple[int, ...]
    low: int
    high: int
    river: int
    every_pen: int
    first_discard: int
    first_move: int
    quarantine: int
    fences: tuple[int, int]
    lines_of: tuple[Score, ...]
    discards: tuple[tuple[int, ...], ...]


def _places(pens: tuple[Pen, ...]) -> tuple[Place, ...]:
    """Return the places of pens in their order."""
    chosen = [
        (pen, slot if pens[pen].slots > 1 else -1)
        for pen in range(len(pens))
        for slot in range(pens[pen].slots)
    ]
    return tuple([Place(number, pen, slot) for number, (pen, slot) in enumerate(chosen)])


def _face_pens(pens: tuple[Pen, ...]) -> tuple[int, ...]:
    """Return which pens each face allows; 0 for the two faces that look at the zoo."""
    fixed = tuple(
        sum(1 << i for i, pen in enumerate(pens) if {face, FREE} & {pen.zone, pen.side})
        for face in range(EMPTY_PEN)
    )
    return (*fixed, 0, 0, (1 << len(pens)) - 1)


def _open(places: tuple[Place, ...], pens: int) -> int:
    """Return all actions in a set of pens, a bit an id."""
    return sum([ALL << SPECIES * place.number for place in places if pens >> place.pen & 1])


def _at_first(pens: tuple[Pen, ...], firsts: list[int]) -> int:
    """Return what empty pens take, a bit an action id."""
    word = 0
    for pen, first in zip(pens, firsts, strict=True):
        word |= (accepts(pen.rule, 0) if pen.rule > RULE_DIFFERENT else ALL) << SPECIES * first
    return word


def make_board(
    index: int,
    name: str,
    pens: tuple[Pen, ...],
    scores: tuple[Score, ...],
    fences: tuple[int, int],
    quarantine: int = -1,
) -> Board:
    """Return a board with its tables.

    Args:
        index: Its place in `BOARDS`.
        name: Name of the variant.
        pens: The pens, the River last.
        scores: The score sheet.
        fences: The pens with which the second and the third group of `nodes` begin.
        quarantine: Index of the pen whose dinosaur moves before scoring, -1 for none.
    """
    places = _places(pens)
    firsts = [min([place.number for place in places if place.pen == i]) for i in range(len(pens))]
    opened = [_open(places, chosen) for chosen in range(1 << len(pens))]
    empty = _at_first(pens, firsts)
    return Board(
        name=name,
        index=index,
        pens=pens,
        scores=scores,
        places=places,
        moves=tuple(
            [
                Move(pens[place.pen], place, species, firsts[place.pen])
                for place in places
                for species in range(SPECIES)
            ]
        ),
        face_pens=_face_pens(pens),
        open_low=tuple([word & LOW for word in opened]),
        open_high=tuple([word >> SPECIES * WORD for word in opened]),
        low=empty & LOW,
        high=empty >> SPECIES * WORD,
        river=len(pens) - 1,
        every_pen=(1 << len(pens)) - 1,
        first_discard=SPECIES * len(places),
        first_move=SPECIES * (len(places) + 1),
        quarantine=quarantine,
        fences=fences,
        lines_of=tuple(
            [next(s for s in scores if pen in (s.pen, s.partner)) for pen in range(len(pens))]
        ),
        discards=tuple(
            [
                tuple([SPECIES * len(places) + one for one in range(SPECIES) if chosen >> one & 1])
                for chosen in range(1 << SPECIES)
            ]
        ),
    )
