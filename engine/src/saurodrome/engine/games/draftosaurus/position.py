"""What one position of Draftosaurus consists of."""

from typing import Final, NamedTuple

from saurodrome.engine.games.draftosaurus.board import Board
from saurodrome.engine.games.draftosaurus.boards import BOARDS
from saurodrome.engine.games.draftosaurus.kernel import Zoo, box, turns_a_round

PLACE: Final = 0
DISCARD: Final = 1
OVER: Final = 2
QUARANTINE: Final = 3
PHASES: Final = ("place", "discard", "over", "quarantine")

NO_ACTION: Final = -1
"""Stands in a reveal for a seat that had nothing to choose."""


class Position(NamedTuple):
    """One position of a match; packed counts and contents are explained in `pens`.

    Attributes:
        variant: Index of the board in `boards.BOARDS`.
        start: The seat that rolls in the first turn.
        turn: Turns finished, over the whole game: 0 to 12.
        stage: Index of the phase in `PHASES`.
        die: The face that lies on the table, FREE after the last turn.
        bag: What is left in the bag, a packed count.
        hands: The hand of each seat, a packed count.
        zoos: The zoo of each seat.
        discards: What each seat put back in the box, a packed count (two players only).
        reveal: The actions revealed last, by seat, NO_ACTION where there was none to choose; ()
            before the first.
    """

    variant: int
    start: int
    turn: int
    stage: int
    die: int
    bag: int
    hands: tuple[int, ...]
    zoos: tuple[Zoo, ...]
    discards: tuple[int, ...]
    reveal: tuple[int, ...]

    @property
    def board(self) -> Board:
        """The board that is played on."""
        return BOARDS[self.variant]

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.zoos)

    @property
    def roller(self) -> int:
        """The seat that rolled in this turn, so the die does not bind it."""
        return (self.start + self.turn) % len(self.zoos)

    @property
    def turn_of_round(self) -> int:
        """The turns finished in this round, which is how often its hands were passed on."""
        return self.turn % turns_a_round(len(self.zoos))

    @property
    def box(self) -> int:
        """All dinosaurs of this match, a packed count."""
        return box(len(self.zoos))
