"""What one position of Draftosaurus consists of."""

from typing import Final, NamedTuple

from saurodrome.engine.games.draftosaurus.board import FREE, Board
from saurodrome.engine.games.draftosaurus.boards import BOARDS
from saurodrome.engine.games.draftosaurus.kernel import SPECIES_SETS, Zoo, box, turns_a_round
from saurodrome.engine.games.draftosaurus.plots import Plot, departures, zoo_of

PLACE: Final = 0
DISCARD: Final = 1
OVER: Final = 2
QUARANTINE: Final = 3
PHASES: Final = ("place", "discard", "over", "quarantine")

SEATS: Final = tuple([tuple(range(players)) for players in range(6)])
"""All seats, by number of players."""

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
        plots: The zoo of each seat.
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
    plots: tuple[Plot, ...]
    discards: tuple[int, ...]
    reveal: tuple[int, ...]

    def __repr__(self) -> str:
        """Show zoos instead of nodes."""
        fields = {
            "zoos" if name == "plots" else name: value for name, value in self._asdict().items()
        }
        fields["zoos"] = self.zoos
        shown = ", ".join([f"{name}={value!r}" for name, value in fields.items()])
        return f"{type(self).__name__}({shown})"

    def deciders(self) -> tuple[int, ...]:
        """Return all seats, in quarantine its owners, after the end nobody."""
        variant, _, _, stage, _, _, _, plots, _, _ = self
        if stage <= DISCARD:
            return SEATS[len(plots)]
        if stage == OVER:
            return ()
        zone = BOARDS[variant].quarantine
        return tuple([seat for seat, plot in enumerate(plots) if plot[3][zone]])

    def legal_actions(self, player: int) -> tuple[int, ...]:
        """Return the ids that a player may choose, ascending."""
        variant, start, turn, stage, die, _, hands, plots, _, _ = self
        if stage == PLACE:
            face = FREE if player == (start + turn) % len(plots) else die
            species = SPECIES_SETS[hands[player]]
            one, two, three, _ = plots[player]
            ids = one.menus[face][species] + two.menus[face][species]
            return ids + three.menus[face][species]
        if stage == DISCARD:
            return BOARDS[variant].discards[SPECIES_SETS[hands[player]]]
        return departures(BOARDS[variant], plots[player]) if stage == QUARANTINE else ()

    @property
    def board(self) -> Board:
        """The board that is played on."""
        return BOARDS[self.variant]

    @property
    def zoos(self) -> tuple[Zoo, ...]:
        """The zoo of each seat as the kernel has it."""
        return tuple([zoo_of(plot) for plot in self.plots])

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.plots)

    @property
    def roller(self) -> int:
        """The seat that rolled in this turn, so the die does not bind it."""
        return (self.start + self.turn) % len(self.plots)

    @property
    def turn_of_round(self) -> int:
        """The turns finished in this round, which is how often its hands were passed on."""
        return self.turn % turns_a_round(len(self.plots))

    @property
    def box(self) -> int:
        """All dinosaurs of this match, a packed count."""
        return box(len(self.plots))
