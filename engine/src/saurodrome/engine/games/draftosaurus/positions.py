"""Zoos written down by people: pens and species by name, checked and scored."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from saurodrome.engine.errors import BadPlayerCount, EngineError, UnknownVariant
from saurodrome.engine.games.draftosaurus import kernel, scoring
from saurodrome.engine.games.draftosaurus.board import FREE, SPECIES_NAMES, Board
from saurodrome.engine.games.draftosaurus.boards import BOARDS
from saurodrome.engine.games.draftosaurus.kernel import Zoo
from saurodrome.engine.games.draftosaurus.pens import SPECIES

PlainZoo = Mapping[str, Sequence[str | None]]
"""Species names by pen name, in placement order; None is an empty slot. Empty pens may miss."""

_ANY_HAND: Final = (1 << 4 * SPECIES) - 1


class BadPosition(EngineError):
    """A zoo that cannot exist.

    Attributes:
        zoo: Index of the zoo.
        pen: Name of the pen.
        what: What is wrong.
    """

    def __init__(self, zoo: int, pen: str, what: str) -> None:
        """Keep where and what."""
        self.zoo = zoo
        self.pen = pen
        self.what = what
        super().__init__(f"zoo {zoo}, {pen}: {what}")


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
            if species is not None:
                zoo = _placed(board, zoo, pen, order, species, index)
    return zoo


def _placed(board: Board, zoo: Zoo, pen: int, order: int, species: str, index: int) -> Zoo:
    """Return a zoo after putting one more dinosaur where it is said to be."""
    name = board.pens[pen].name
    if species not in SPECIES_NAMES:
        known = ", ".join(SPECIES_NAMES)
        raise BadPosition(index, name, f"{species!r} is no species; there are {known}")
    places = [
        number
        for number, place in enumerate(board.places)
        if place.pen == pen and place.slot in (-1, order)
    ]
    action = places[0] * SPECIES + SPECIES_NAMES.index(species) if places else -1
    after = kernel.place(board, zoo, _ANY_HAND, FREE, action)
    if after is None:
        raise BadPosition(index, name, f"{species} cannot be number {order + 1} here")
    return after


def score_position(variant: str, zoos: Sequence[PlainZoo]) -> tuple[Sheet, ...]:
    """Return the score sheets of 2 to 5 zoos, by seat; seat 1 sits to the left of seat 0.

    Args:
        variant: Name of the board.
        zoos: What lies in each zoo; unfinished zoos are scored as they are.

    Raises:
        UnknownVariant, BadPlayerCount, BadPosition: This is no position of the game.
    """
    board = board_named(variant)
    if not 2 <= len(zoos) <= 5:
        raise BadPlayerCount("draftosaurus", len(zoos), range(2, 6))
    built = tuple(build_zoo(board, plain, index) for index, plain in enumerate(zoos))
    sheets = scoring.score(board, built)
    names = [line.name for line in board.scores]
    return tuple(
        Sheet(dict(zip(names, lines, strict=True)), bonus, total, trexes, place)
        for (lines, bonus, total, trexes), place in zip(sheets, scoring.rank(sheets), strict=True)
    )


def winners(sheets: Sequence[Sheet]) -> tuple[int, ...]:
    """Return the seats that won, several if they share the victory."""
    return tuple(seat for seat, sheet in enumerate(sheets) if sheet.placement == 1)
