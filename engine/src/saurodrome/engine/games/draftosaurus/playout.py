"""Matches played to their end in place, for searches: the rules of `kernel`, no state kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from saurodrome.engine.games.draftosaurus import kernel
from saurodrome.engine.games.draftosaurus.bits import (
    COMPILED,
    nth,
    ones,
    size_of,
    species_at,
    species_of,
)
from saurodrome.engine.games.draftosaurus.board import FREE, WORD, Board
from saurodrome.engine.games.draftosaurus.kernel import EACH_HIGH, EACH_LOW, Zoo
from saurodrome.engine.games.draftosaurus.lines import points
from saurodrome.engine.games.draftosaurus.pens import SPECIES
from saurodrome.engine.games.draftosaurus.position import DISCARD, OVER, PLACE, QUARANTINE, Position
from saurodrome.engine.xorshift import XorshiftChance

if TYPE_CHECKING:
    from mypy_extensions import i64

_HIGH: Final = SPECIES * WORD


class Seat:
    """The hand and the zoo of one player, changed in place; see `kernel.Zoo`."""

    __slots__ = ("counts", "empty", "hand", "high", "low", "pens", "trexless")

    def __init__(self, hand: int, zoo: Zoo) -> None:
        """Copy a hand and a zoo."""
        low, high, empty, trexless, counts, pens = zoo
        self.hand: i64 = hand
        self.low: i64 = low
        self.high: i64 = high
        self.empty: i64 = empty
        self.trexless: i64 = trexless
        self.counts: i64 = counts
        self.pens: list[int] = list(pens)

    def zoo(self) -> Zoo:
        """Return the zoo as a value."""
        pens = tuple(self.pens)
        return Zoo(self.low, self.high, self.empty, self.trexless, self.counts, pens)

    def place(self, board: Board, action: i64) -> None:
        """Put a dinosaur of the hand where a legal placement says."""
        move = board.moves[action]
        pen = move.pen
        inside = kernel.put(move, self.pens[pen])
        self.pens[pen] = inside
        if move.half:
            self.high = kernel.takes(move, self.high, inside)
        else:
            self.low = kernel.takes(move, self.low, inside)
        self.empty &= move.others
        self.trexless &= move.tame
        self.counts += move.unit
        self.hand -= move.unit

    def random_placement(self, board: Board, face: i64, chance: XorshiftChance) -> i64:
        """Return one of the legal placements, all equally likely."""
        pens = kernel.allowed_pens(board, self.empty, self.trexless, face)
        species = species_of(self.hand)
        low = self.low & board.open_low[pens] & species * EACH_LOW
        below = ones(low)
        if not self.high:
            return nth(low, chance.below(below))
        high = self.high & board.open_high[pens] & species * EACH_HIGH
        index = chance.below(below + ones(high))
        return nth(low, index) if index < below else _HIGH + nth(high, index - below)

    def leave_quarantine(self, board: Board) -> None:
        """Take the dinosaur in quarantine, if there is one, into the hand."""
        zone: i64 = board.quarantine
        unit: i64 = 1
        dinosaur: i64 = self.pens[zone]
        self.hand = unit << 4 * (dinosaur - 1)
        self.empty |= unit << zone
        self.trexless |= unit << zone
        self.counts -= self.hand
        self.pens[zone] = 0


class Table:
    """One match, changed in place."""

    __slots__ = ("bag", "board", "die", "players", "seats", "stage", "start", "turn")

    def __init__(self, board: Board, players: int, start: int = 0) -> None:
        """Set up a table before the first deal.

        Args:
            board: The board.
            players: 2 to 5.
            start: The seat that rolls first.
        """
        empty = kernel.empty_zoo(board)
        self.board = board
        self.seats = [Seat(0, empty) for _ in range(players)]
        self.players: i64 = players
        self.start: i64 = start
        self.turn: i64 = 0
        self.stage: i64 = PLACE
        self.die: i64 = FREE
        self.bag: i64 = kernel.box(players)

    @staticmethod
    def at(position: Position) -> Table:
        """Return a table with a copy of a position."""
        table = Table(position.board, len(position.hands), position.start)
        hands, zoos = position.hands, position.zoos
        table.seats = [Seat(hand, zoo) for hand, zoo in zip(hands, zoos, strict=True)]
        table.turn = position.turn
        table.stage = position.stage
        table.die = position.die
        table.bag = position.bag
        return table

    def begin(self, chance: XorshiftChance) -> None:
        """Deal the first round and roll the die."""
        self.deal(chance)
        self.die = chance.below(kernel.DIE_FACES)

    def play_out(self, chance: XorshiftChance) -> i64:
        """Play to the end with uniformly random legal actions.

        Draws come in the order in which matches make them: the choices by seat, the deal by
        seat, the die.

        Returns:
            How many decisions that took.
        """
        decisions: i64 = 0
        while self.stage <= DISCARD:
            if self.stage == PLACE:
                self.place_all(chance)
            else:
                self.discard_all(chance)
            decisions += self.players
        if self.stage != OVER:
            decisions += self.leave_quarantine(chance)
        return decisions

    def place_all(self, chance: XorshiftChance) -> None:
        """Let every seat place one dinosaur."""
        board, die = self.board, self.die
        free = (self.start + self.turn) % self.players
        for seat, one in enumerate(self.seats):
            face = FREE if seat == free else die
            one.place(board, one.random_placement(board, face, chance))
        if self.players == 2:
            self.stage = DISCARD
        else:
            self.end_turn(chance)

    def discard_all(self, chance: XorshiftChance) -> None:
        """Let every seat put one dinosaur back in the box."""
        unit: i64 = 1
        for one in self.seats:
            species = species_of(one.hand)
            one.hand -= unit << 4 * nth(species, chance.below(ones(species)))
        self.end_turn(chance)

    def end_turn(self, chance: XorshiftChance) -> None:
        """Pass the hands and the die on; deal anew after a round; end after the last turn."""
        self.turn += 1
        if self.turn == kernel.TURNS:
            self.die = FREE
            self.stage = QUARANTINE if self.board.quarantine >= 0 else OVER
            return
        seats = self.seats
        if self.turn % kernel.turns_a_round(self.players) == 0:
            self.deal(chance)
        else:
            hand = seats[-1].hand
            for one in seats:
                one.hand, hand = hand, one.hand
        self.stage = PLACE
        self.die = chance.below(kernel.DIE_FACES)

    def deal(self, chance: XorshiftChance) -> None:
        """Deal a round as `kernel.deal` does."""
        if not COMPILED:
            hands, self.bag = kernel.deal(self.bag, self.players, chance)
            for one, hand in zip(self.seats, hands, strict=True):
                one.hand = hand
            return
        unit: i64 = 1
        left: i64 = size_of(self.bag)
        for one in self.seats:
            one.hand = 0
            for _ in range(kernel.HAND):
                dinosaur = unit << 4 * species_at(self.bag, chance.below(left))
                one.hand += dinosaur
                self.bag -= dinosaur
                left -= 1

    def leave_quarantine(self, chance: XorshiftChance) -> i64:
        """Let all owners move their dinosaur out of quarantine; return how many did."""
        owners: i64 = 0
        board = self.board
        for one in self.seats:
            if one.pens[board.quarantine]:
                one.leave_quarantine(board)
                one.place(board, one.random_placement(board, FREE, chance))
                owners += 1
        self.stage = OVER
        return owners

    def points(self) -> tuple[int, ...]:
        """Return the points of all seats, as `scoring.score` gives them."""
        board = self.board
        counts = tuple([seat.counts for seat in self.seats])
        totals: list[int] = []
        for seat, one in enumerate(self.seats):
            total = ones(board.every_pen & ~one.trexless)
            for line in board.scores:
                contents: i64 = one.pens[line.pen]
                partner: i64 = one.pens[line.partner]
                total += points(line, contents, partner, counts, seat)
            totals.append(total)
        return tuple(totals)
