"""What a board is: pens, places and a score sheet, with the tables that the kernel reads."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from saurodrome.engine.games.draftosaurus.pens import ALL, SPECIES, accepts

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
SCORE_EACH: Final = 1
SCORE_COUPLES: Final = 2
SCORE_MOST: Final = 3
SCORE_ALONE: Final = 4


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
        pens: Indexes of the pens that it counts.
        table: SCORE_TABLE: points by number of dinosaurs; else one entry, the points of a
            dinosaur (EACH), of a couple (COUPLES), or of a success: nobody else's zoo holds
            more of the species (MOST), the own zoo holds no other of it (ALONE).
    """

    name: str
    kind: int
    pens: tuple[int, ...]
    table: tuple[int, ...]


class Place(NamedTuple):
    """Where one action can put a dinosaur.

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
        shifts: For each pen where its first place lies in `accepts`; 0 without a limit.
        keeps: For each pen the mask that clears its part of `accepts`.
        face_pens: For each static face and FREE the set of pens that it allows.
        open_places: For each set of pens their places and the River's, in order.
        accepts: The `accepts` word of an empty zoo.
        every_pen: The set of all pens, without the River.
        first_discard: Action id of discarding species 0; the other species follow.
    """

    name: str
    index: int
    pens: tuple[Pen, ...]
    scores: tuple[Score, ...]
    places: tuple[Place, ...]
    shifts: tuple[int, ...]
    keeps: tuple[int, ...]
    face_pens: tuple[int, ...]
    open_places: tuple[tuple[Place, ...], ...]
    accepts: int
    every_pen: int
    first_discard: int

    @property
    def river(self) -> int:
        """Index of the River among the pens."""
        return len(self.pens) - 1


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


def _face_pens(pens: tuple[Pen, ...], every: int) -> tuple[int, ...]:
    """Return which pens each face allows; 0 for the two faces that look at the zoo."""
    fixed = tuple(
        sum(1 << index for index, pen in enumerate(pens) if face in (pen.zone, pen.side))
        for face in range(EMPTY_PEN)
    )
    return (*fixed, 0, 0, every)


def make_board(index: int, name: str, pens: tuple[Pen, ...], scores: tuple[Score, ...]) -> Board:
    """Return a board with its tables.

    Args:
        index: Its place in `BOARDS`.
        name: Name of the variant.
        pens: The pens, the River last.
        scores: The score sheet.
    """
    places = _places(pens)
    firsts = [min(place.shift for place in places if place.pen == i) for i in range(len(pens))]
    widths = [(1 << SPECIES * pen.slots) - 1 for pen in pens]
    river = len(pens) - 1
    return Board(
        name=name,
        index=index,
        pens=pens,
        scores=scores,
        places=places,
        shifts=tuple(firsts),
        keeps=tuple(~(width << shift) for width, shift in zip(widths, firsts, strict=True)),
        face_pens=_face_pens(pens[:river], (1 << river) - 1),
        open_places=tuple(
            tuple(p for p in places if p.pen == river or chosen >> p.pen & 1)
            for chosen in range(1 << river)
        ),
        accepts=ALL
        | sum(
            accepts(pen.rule, pen.capacity, 0) << shift
            for pen, shift in zip(pens, firsts, strict=True)
            if shift
        ),
        every_pen=(1 << river) - 1,
        first_discard=SPECIES * len(places),
    )
