"""Matches played to their end in place, for searches: the rules of `kernel`, no state kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from saurodrome.engine.games.draftosaurus import interpreted, kernel
from saurodrome.engine.games.draftosaurus.bits import (
    COMPILED,
    end,
    nth,
    ones,
    size_of,
    species_at,
    species_of,
    tally_by_arithmetic,
)
from saurodrome.engine.games.draftosaurus.board import (
    FREE,
    SCORE_COUPLES,
    SCORE_MOST,
    SCORE_PAIRS,
    SCORE_SLOTS,
    SCORE_TABLE,
    SCORE_WATCH,
    WORD,
    Board,
    Score,
)
from saurodrome.engine.games.draftosaurus.kernel import EACH_HIGH, EACH_LOW, Zoo
from saurodrome.engine.games.draftosaurus.lines import points
from saurodrome.engine.games.draftosaurus.pens import SPECIES
from saurodrome.engine.games.draftosaurus.position import DISCARD, OVER, PLACE, QUARANTINE, Position
from saurodrome.engine.xorshift import XorshiftChance

if TYPE_CHECKING:
    from mypy_extensions import i64

NOBODY: Final = -1
"""Stands for a seat where no seat's action is given."""

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

    __slots__ = ("_seats", "_walk", "bag", "board", "die", "players", "stage", "start", "turn")

    def __init__(self, board: Board, players: int, start: int = 0) -> None:
        """Set up a table before the first deal.

        Args:
            board: The board.
            players: 2 to 5.
            start: The seat that rolls first.
        """
        self.board = board
        self._seats: list[Seat] | None = None
        self._walk: interpreted.Walk | None = None
        if COMPILED:
            empty = kernel.empty_zoo(board)
            self._seats = [Seat(0, empty) for _ in range(players)]
        else:
            self._walk = interpreted.Walk(board, players)
        self.players: i64 = players
        self.start: i64 = start
        self.turn: i64 = 0
        self.stage: i64 = PLACE
        self.die: i64 = FREE
        self.bag: i64 = kernel.box(players)

    @property
    def seats(self) -> list[Seat]:
        """The players' hands and zoos."""
        seats, walk = self._seats, self._walk
        if seats is not None:
            return seats
        assert walk is not None  # one of the two is there
        hands = [hand.packed for hand in walk.hands]
        self.seats = made = [Seat(hand, walk.zoo(seat)) for seat, hand in enumerate(hands)]
        return made

    @seats.setter
    def seats(self, seats: list[Seat]) -> None:
        self._seats = seats
        self._walk = None

    def _walked(self) -> interpreted.Walk:
        """Return the table as a walk, which it then is until somebody asks for the seats."""
        walk = self._walk
        if walk is None:
            seats = self.seats
            hands = [seat.hand for seat in seats]
            walk = interpreted.Walk.of(self.board, [seat.zoo() for seat in seats], hands)
            self._walk, self._seats = walk, None
        return walk

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
        if not COMPILED:
            interpreted.begin(self, self._walked(), chance)
            return
        self.deal(chance)
        self.die = chance.below(kernel.DIE_FACES)

    def play_out(self, chance: XorshiftChance, tries: i64 = 1) -> i64:
        """Play to the end with random legal actions.

        Draws come in the order in which matches make them: the choices by seat, the deal by
        seat, the die.

        Args:
            chance: Where they come from.
            tries: How many placements a player looks at, to take the best of them; with 1 all
                legal ones are equally likely.

        Returns:
            How many decisions that took.
        """
        decisions: i64 = 0
        if not COMPILED and tries == 1 and self.stage <= DISCARD:
            return interpreted.play_out(self, self._walked(), chance)
        while self.stage <= DISCARD:
            if self.stage == PLACE:
                self.place_all(chance, tries, NOBODY, 0)
            else:
                self.discard_all(chance, NOBODY, 0)
            decisions += self.players
        if self.stage != OVER:
            decisions += self.leave_quarantine(chance, tries, NOBODY, 0)
        return decisions

    def step(self, seat: i64, action: i64, chance: XorshiftChance, tries: i64) -> None:
        """Play one step in which one seat's action is given, and the others choose at random.

        Args:
            seat: Whose action is given.
            action: Its action id, which must be legal.
            chance: Where choices, deal and die come from.
            tries: As in `play_out`.
        """
        if self.stage == PLACE:
            self.place_all(chance, tries, seat, action)
        elif self.stage == DISCARD:
            self.discard_all(chance, seat, action - self.board.first_discard)
        else:
            self.leave_quarantine(chance, tries, seat, action - self.board.first_move)

    def choose(self, seat: i64, face: i64, chance: XorshiftChance, tries: i64) -> i64:
        """Return a random placement, the best of some tries."""
        one = self.seats[seat]
        best = one.random_placement(self.board, face, chance)
        if tries == 1:
            return best
        most = gain(self, seat, best)
        for _ in range(tries - 1):
            other = one.random_placement(self.board, face, chance)
            worth = gain(self, seat, other)
            if worth > most:
                best, most = other, worth
        return best

    def place_all(self, chance: XorshiftChance, tries: i64, given: i64, action: i64) -> None:
        """Let every seat place one dinosaur; a given seat as it is said."""
        board, die = self.board, self.die
        free = (self.start + self.turn) % self.players
        for seat, one in enumerate(self.seats):
            if seat == given:
                one.place(board, action)
            else:
                face = FREE if seat == free else die
                one.place(board, self.choose(seat, face, chance, tries))
        if self.players == 2:
            self.stage = DISCARD
        else:
            self.end_turn(chance)

    def discard_all(self, chance: XorshiftChance, given: i64, species: i64) -> None:
        """Let every seat put one dinosaur back in the box; a given seat as it is said."""
        unit: i64 = 1
        for seat, one in enumerate(self.seats):
            if seat == given:
                one.hand -= unit << 4 * species
            else:
                held = species_of(one.hand)
                one.hand -= unit << 4 * nth(held, chance.below(ones(held)))
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
        unit: i64 = 1
        left: i64 = size_of(self.bag)
        for one in self.seats:
            one.hand = 0
            for _ in range(kernel.HAND):
                dinosaur = unit << 4 * species_at(self.bag, chance.below(left))
                one.hand += dinosaur
                self.bag -= dinosaur
                left -= 1

    def leave_quarantine(self, chance: XorshiftChance, tries: i64, given: i64, action: i64) -> i64:
        """Let all owners move their dinosaur out of quarantine; return how many did."""
        owners: i64 = 0
        board = self.board
        for seat, one in enumerate(self.seats):
            if one.pens[board.quarantine]:
                one.leave_quarantine(board)
                if seat != given:
                    one.place(board, self.choose(seat, FREE, chance, tries))
                else:
                    one.place(board, action)
                owners += 1
        self.stage = OVER
        return owners

    def points(self) -> tuple[int, ...]:
        """Return the points of all seats, as `scoring.score` gives them."""
        walk = self._walk
        if walk is not None:
            return walk.points()
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


def gain(table: Table, seat: i64, action: i64) -> i64:
    """Return what a placement seems to be worth, in sixteenths of a point.

    Points gained now, and what a pen may still become, which shrinks with the turns that are
    left: a guess for play-outs, no rule.
    """
    board, one = table.board, table.seats[seat]
    move = board.moves[action]
    left = kernel.TURNS - table.turn
    bonus: i64 = 16 if move.tame != -1 and one.trexless & ~move.tame else 0
    line = board.lines_of[move.pen]
    contents: i64 = one.pens[move.pen]
    kind = line.kind
    first: i64 = line.table[0]
    if kind == SCORE_TABLE:
        return bonus + _next_in_table(line, contents, left)
    if kind == SCORE_SLOTS:
        slot = move.at // 3
        points: i64 = line.table[slot]
        return bonus + 16 * points + left
    shift = 4 * move.species
    if kind == SCORE_COUPLES:
        waits = tally_by_arithmetic(contents) >> shift & 1
        return bonus + (16 * first if waits else 3 * left)
    if kind == SCORE_PAIRS:
        partner: i64 = one.pens[line.partner if line.pen == move.pen else line.pen]
        here = tally_by_arithmetic(contents) >> shift & 15
        there = tally_by_arithmetic(partner) >> shift & 15
        return bonus + (16 * first if there > here else 3 * left)
    own = (one.counts >> shift & 15) + 1
    if kind == SCORE_WATCH:
        right = table.seats[(seat - 1) % table.players]
        return bonus + 16 * first * (right.counts >> shift & 15) + 4 * left
    if kind == SCORE_MOST:
        for other in table.seats:
            if other.counts >> shift & 15 > own:
                return bonus
        return bonus + first * (16 - left)
    return bonus + (first * (16 - left) if own == 1 else 0)


def _next_in_table(line: Score, contents: i64, left: i64) -> i64:
    """Return what one more dinosaur brings in a line by number, and its share in the last."""
    size = end(contents) // 3
    now: i64 = line.table[size]
    after: i64 = line.table[size + 1]
    most: i64 = line.table[-1]
    if most == 0:
        return 4 * left
    places: i64 = len(line.table) - 1
    if places > kernel.TURNS - 1:
        return 16 * (after - now)
    return 16 * (after - now) + left * most // places
