"""What a board is: pens, places and a score sheet, with the tables that the kernel reads."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from saurodrome.engine.games.draftosaurus.pens import (
    ALL,
    RULE_ANY,
    RULE_DIFFERENT,
    RULE_SAME,
    SPECIES,
    accepts,
)

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

SCORE_TABLE: Final = 0
SCORE_COUPLES: Final = 1
SCORE_MOST: Final = 2
SCORE_ALONE: Final = 3
SCORE_PAIRS: Final = 4
SCORE_SLOTS: Final = 5
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


class Score(NamedTuple):
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

    name: str
    kind: int
    pen: int
    table: tuple[int, ...]
    partner: int = -1


class Move(NamedTuple):
    """One placement, with all that the kernel needs to make it.

    Attributes:
        pen: Index of the pen.
        slot: Slot inside it, or -1 where the order is given.
        bit: Which bit of a zoo's `accepts` word must be set.
        species: Index of the species.
        last: Where in packed contents the last dinosaur of a full pen lies; -1 without limit.
        closed: The mask on `accepts` that closes the pen.
        narrow: The mask on `accepts` for what the pen still takes after this dinosaur.
        others: The mask that takes the pen out of a set of pens; the River stays in.
        unit: One dinosaur of the species, as a packed count.
        rule: Under which rule `pens.accepts` says what the pen takes next; 0 where the masks
            say it.
        shift: Where the pen's first place lies in `accepts`; 0 without a limit.
    """

    pen: int
    slot: int
    bit: int
    species: int
    last: int
    closed: int
    narrow: int
    others: int
    unit: int
    rule: int
    shift: int


class Place(NamedTuple):
    """Where a dinosaur can be put.

    Attributes:
        pen: Index of the pen.
        slot: Slot inside it, or -1 where the order is given.
        shift: Where its species set lies in a zoo's `accepts` word.
        ids: Action ids for each species set, ascending.
    """

    pen: int
    slot: int
    shift: int
    ids: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class Board:
    """One side of the board, with the tables that the kernel reads.

    In a zoo's `accepts` word the lowest six bits are always set and serve every place without
    a limit; each other place has six bits of its own.

    Attributes:
        name: Name of the variant.
        index: Its index in `BOARDS`.
        pens: The pens, the River last.
        scores: The score sheet.
        places: All places, in the order of action ids.
        moves: All placements, by action id.
        face_pens: For each static face and FREE the set of pens that it allows, and the River.
        open_places: For each set of pens their places, in order: where the species set of a
            place lies in `accepts`, and its action ids for each species set.
        accepts: The `accepts` word of an empty zoo.
        river: Index of the River among the pens.
        every_pen: The set of all pens and the River.
        first_discard: Action id of discarding species 0; the other species follow.
        first_move: Action id of moving a dinosaur out of quarantine as placement 0 would put
            it; the other placements follow.
        quarantine: Index of the pen whose dinosaur moves before scoring, -1 for none.
    """

    name: str
    index: int
    pens: tuple[Pen, ...]
    scores: tuple[Score, ...]
    places: tuple[Place, ...]
    moves: tuple[Move, ...]
    face_pens: tuple[int, ...]
    open_places: tuple[tuple[tuple[int, tuple[tuple[int, ...], ...]], ...], ...]
    accepts: int
    river: int
    every_pen: int
    first_discard: int
    first_move: int
    quarantine: int


def _ids(place: int) -> tuple[tuple[int, ...], ...]:
    """Return the action ids of a place for each species set."""
    return tuple(
        tuple(place * SPECIES + one for one in range(SPECIES) if chosen >> one & 1)
        for chosen in range(1 << SPECIES)
    )


def _places(pens: tuple[Pen, ...]) -> tuple[Place, ...]:
    """Lay out the places of pens in `accepts`."""
    places: list[Place] = []
    free = SPECIES
    for index, pen in enumerate(pens):
        for slot in range(pen.slots):
            shift = 0
            if pen.capacity != NO_LIMIT:
                shift, free = free, free + SPECIES
            chosen = slot if pen.slots > 1 else -1
            places.append(Place(index, chosen, shift, _ids(len(places))))
    return tuple(places)


def _move(pen: Pen, place: Place, species: int, shift: int) -> Move:
    """Return the placement of a species in a place of a pen that begins at `shift`."""
    bit = place.shift + species
    closed = ~(((1 << SPECIES * pen.slots) - 1) << shift)
    masks = {RULE_ANY: -1, RULE_SAME: closed | 1 << bit, RULE_DIFFERENT: ~(1 << bit)}
    return Move(
        pen=place.pen,
        slot=place.slot,
        bit=bit,
        species=species,
        last=3 * (pen.capacity - 1) if pen.capacity != NO_LIMIT else -1,
        closed=closed,
        narrow=masks.get(pen.rule, closed),
        others=~(1 << place.pen) if pen.zone != FREE else -1,
        unit=1 << 4 * species,
        rule=0 if pen.rule in masks else pen.rule,
        shift=shift,
    )


def _face_pens(pens: tuple[Pen, ...]) -> tuple[int, ...]:
    """Return which pens each face allows; 0 for the two faces that look at the zoo."""
    fixed = tuple(
        sum(1 << i for i, pen in enumerate(pens) if {face, FREE} & {pen.zone, pen.side})
        for face in range(EMPTY_PEN)
    )
    return (*fixed, 0, 0, (1 << len(pens)) - 1)


def _at_first(pen: Pen) -> int:
    """Return what the slots of an empty pen take."""
    return accepts(pen.rule, 0) if pen.rule > RULE_DIFFERENT else ALL


def make_board(
    index: int,
    name: str,
    pens: tuple[Pen, ...],
    scores: tuple[Score, ...],
    quarantine: int = -1,
) -> Board:
    """Return a board with its tables.

    Args:
        index: Its place in `BOARDS`.
        name: Name of the variant.
        pens: The pens, the River last.
        scores: The score sheet.
        quarantine: Index of the pen whose dinosaur moves before scoring, -1 for none.
    """
    places = _places(pens)
    firsts = [min(place.shift for place in places if place.pen == i) for i in range(len(pens))]
    return Board(
        name=name,
        index=index,
        pens=pens,
        scores=scores,
        places=places,
        moves=tuple(
            _move(pens[place.pen], place, species, firsts[place.pen])
            for place in places
            for species in range(SPECIES)
        ),
        face_pens=_face_pens(pens),
        open_places=tuple(
            tuple((place.shift, place.ids) for place in places if chosen >> place.pen & 1)
            for chosen in range(1 << len(pens))
        ),
        accepts=ALL
        | sum(_at_first(pen) << shift for pen, shift in zip(pens, firsts, strict=True) if shift),
        river=len(pens) - 1,
        every_pen=(1 << len(pens)) - 1,
        first_discard=SPECIES * len(places),
        first_move=SPECIES * (len(places) + 1),
        quarantine=quarantine,
    )
