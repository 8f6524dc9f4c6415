"""Zoos written down by people: pens and species by name, checked and scored."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from saurodrome.engine.errors import BadPlayerCount, EngineError, UnknownVariant
from saurodrome.engine.games.draftosaurus import kernel, scoring
from saurodrome.engine.games.draftosaurus.board import FREE, SPECIES_NAMES, Board
from saurodrome.engine.games.draftosaurus.boards import BOARDS
from saurodrome.engine.games.draftosaurus.kernel import Zoo
from saurodrome.engine.games.draftosaurus.pens import SPECIES, total
from saurodrome.engine.games.draftosaurus.reasons import pen_refusal

PlainZoo = Mapping[str, Sequence[str | None]]
"""Species names by pen name, in placement order; in a pyramid by slot, None is an empty one.

Empty pens may miss.
"""

_ANY_HAND: Final = (1 << 4 * SPECIES) - 1
_MOST_COUNTED: Final = 15
"""A packed count holds no more of a species."""


class BadPosition(EngineError):
    """A zoo, or a table of zoos, that cannot exist.

    Attributes:
        zoo: Index of the zoo, None for the whole table.
        pen: Name of the pen, "" for the whole zoo.
        what: What is wrong.
    """

    def __init__(self, zoo: int | None, pen: str, what: str) -> None:
        """Keep where and what."""
        self.zoo = zoo
        self.pen = pen
        self.what = what
        where = ", ".join(filter(None, ["the table" if zoo is None else f"zoo {zoo}", pen]))
        super().__init__(f"{where}: {what}")


class Sheet(NamedTuple):
    """The score sheet of one zoo.

    Attributes:
        points: Points by line of the score sheet.
        trex_bonus: 1 for each pen that holds a T-Rex.
        total: Everything together.
        trexes: T-Rexes in the whole zoo, which break ties: fewer is better.
        placement: 1 for the winners.
    """

    points: dict[str, int]
    trex_bonus: int
    total: int
    trexes: int
    placement: int


class Destination(NamedTuple):
    """Where a dinosaur may go from quarantine, and what that brings.

    Attributes:
        pen: Name of the pen.
        slot: Slot of a pyramid, else None.
        total: The owner's points after the move.
    """

    pen: str
    slot: int | None
    total: int


def board_named(name: str) -> Board:
    """Return the board of a variant.

    Raises:
        UnknownVariant: There is none of this name.
    """
    for board in BOARDS:
        if board.name == name:
            return board
    raise UnknownVariant("draftosaurus", name, (board.name for board in BOARDS))


def build_zoo(board: Board, plain: PlainZoo, index: int = 0) -> Zoo:
    """Return a zoo after placing dinosaurs pen by pen under the pens' own rules.

    Args:
        board: The board.
        plain: What lies in each pen.
        index: Number of the zoo, for error messages.

    Raises:
        BadPosition: A pen or species does not exist, or a dinosaur may not be where it is.
    """
    names = [pen.name for pen in board.pens]
    for name in plain:
        if name not in names:
            raise BadPosition(index, name, f"no such pen; there are {', '.join(names)}")
    zoo = kernel.empty_zoo(board)
    for pen, name in enumerate(names):
        for order, species in enumerate(plain.get(name, ())):
            zoo = _placed(board, zoo, pen, order, species, index)
    return zoo


def _placed(board: Board, zoo: Zoo, pen: int, order: int, species: str | None, index: int) -> Zoo:
    """Return a zoo after putting one more dinosaur where it is said to be."""
    name, slots = board.pens[pen].name, board.pens[pen].slots
    if species is None and order < slots > 1:
        return zoo
    if species is None:
        raise BadPosition(index, name, f"number {order + 1} is empty; only a pyramid has slots")
    if species not in SPECIES_NAMES:
        known = ", ".join(SPECIES_NAMES)
        raise BadPosition(index, name, f"{species!r} is no species; there are {known}")
    one = SPECIES_NAMES.index(species)
    if zoo.counts >> 4 * one & 15 == _MOST_COUNTED:
        raise BadPosition(index, name, f"more than {_MOST_COUNTED} {species}")
    slot = order if slots > 1 else -1
    places = [
        number
        for number, place in enumerate(board.places)
        if place.pen == pen and place.slot == slot
    ]
    action = places[0] * SPECIES + one if places else -1
    after = kernel.place(board, zoo, _ANY_HAND, FREE, action)
    if after is None:
        why = pen_refusal(board.pens[pen], zoo.pens[pen], one, slot)
        raise BadPosition(index, name, f"{species} cannot be number {order + 1} here: {why}")
    return after


def check_table(variant: str, zoos: Sequence[PlainZoo], complete: bool = False) -> None:
    """Raise unless zoos can lie on one table together, as far as their dinosaurs are counted.

    Args:
        variant: Name of the board.
        zoos: What lies in each zoo.
        complete: All turns are said to be over.

    Raises:
        UnknownVariant, BadPlayerCount, BadPosition: They cannot.
    """
    board = board_named(variant)
    _check_players(zoos)
    most = kernel.BAG_PER_SPECIES[len(zoos)]
    counted = Counter(one for zoo in zoos for pen in zoo.values() for one in pen if one)
    for species in SPECIES_NAMES:
        if counted[species] > most:
            what = f"{counted[species]} {species}, but {len(zoos)} players have {most} of each"
            raise BadPosition(None, "", what)
    for index, plain in enumerate(zoos):
        placed = total(build_zoo(board, plain, index).counts)
        if placed > kernel.TURNS or (complete and placed < kernel.TURNS):
            bound = "exactly" if complete else "at most"
            what = f"it holds {placed} dinosaurs, but must hold {bound} {kernel.TURNS}"
            raise BadPosition(index, "", what)


def _check_players(zoos: Sequence[PlainZoo]) -> None:
    if not 2 <= len(zoos) <= 5:
        raise BadPlayerCount("draftosaurus", len(zoos), range(2, 6))


def score_position(variant: str, zoos: Sequence[PlainZoo]) -> tuple[Sheet, ...]:
    """Return the score sheets of 2 to 5 zoos, by seat; seat 1 sits to the left of seat 0.

    How many dinosaurs there are is not checked: see `check_table`.

    Args:
        variant: Name of the board.
        zoos: What lies in each zoo; unfinished zoos are scored as they are.

    Raises:
        UnknownVariant, BadPlayerCount, BadPosition: This is no position of the game.
    """
    board = board_named(variant)
    _check_players(zoos)
    return _sheets(board, [build_zoo(board, plain, index) for index, plain in enumerate(zoos)])


def _sheets(board: Board, zoos: Sequence[Zoo]) -> tuple[Sheet, ...]:
    sheets = scoring.score(board, tuple(zoos))
    names = [line.name for line in board.scores]
    return tuple(
        Sheet(dict(zip(names, lines, strict=True)), bonus, total, trexes, place)
        for (lines, bonus, total, trexes), place in zip(sheets, scoring.rank(sheets), strict=True)
    )


def winners(sheets: Sequence[Sheet]) -> tuple[int, ...]:
    """Return the seats that won, several if they share the victory."""
    return tuple(seat for seat, sheet in enumerate(sheets) if sheet.placement == 1)


def owners(variant: str, zoos: Sequence[PlainZoo]) -> dict[int, str]:
    """Return which seats must move a dinosaur out of quarantine, and its species.

    Raises:
        UnknownVariant, BadPosition: This is no position of the game.
    """
    board = board_named(variant)
    built = [build_zoo(board, plain, index) for index, plain in enumerate(zoos)]
    if board.quarantine < 0:
        return {}
    waiting = {seat: zoo.pens[board.quarantine] - 1 for seat, zoo in enumerate(built)}
    return {seat: SPECIES_NAMES[species] for seat, species in waiting.items() if species >= 0}


def destinations(variant: str, zoos: Sequence[PlainZoo], seat: int) -> tuple[Destination, ...]:
    """Return where the dinosaur in a seat's quarantine may go, in the order of the board.

    What other owners do at the same time changes nothing: no dinosaur leaves its zoo.

    Args:
        variant: Name of the board.
        zoos: What lies in each zoo before the move.
        seat: The owner; none of `owners` gives no destination.

    Raises:
        UnknownVariant, BadPlayerCount, BadPosition: This is no position of the game.
    """
    board = board_named(variant)
    _check_players(zoos)
    built = [build_zoo(board, plain, index) for index, plain in enumerate(zoos)]
    if board.quarantine < 0 or not built[seat].pens[board.quarantine]:
        return ()
    hand = 1 << 4 * (built[seat].pens[board.quarantine] - 1)
    found = []
    for move in kernel.departures(board, built[seat]):
        action = move - board.first_move
        after = kernel.place(board, kernel.lift(board, built[seat]), hand, FREE, action)
        if after is None:
            raise AssertionError("a departure is a legal placement")
        place = board.places[action // SPECIES]
        table = [after if other == seat else zoo for other, zoo in enumerate(built)]
        slot = place.slot if place.slot >= 0 else None
        points = _sheets(board, table)[seat].total
        found.append(Destination(board.pens[place.pen].name, slot, points))
    return tuple(found)
