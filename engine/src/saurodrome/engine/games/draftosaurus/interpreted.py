"""Play-outs where the rules are interpreted: a walk along `nodes`, written down as it goes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from saurodrome.engine.games.draftosaurus import kernel, lines
from saurodrome.engine.games.draftosaurus.board import FREE, Board
from saurodrome.engine.games.draftosaurus.kernel import DIE_FACES, HAND, TURNS, Zoo
from saurodrome.engine.games.draftosaurus.nodes import (
    HANDS,
    LANE,
    LANES,
    SOME,
    graph_of,
)
from saurodrome.engine.games.draftosaurus.pens import SPECIES, tally
from saurodrome.engine.games.draftosaurus.position import DISCARD, OVER

if TYPE_CHECKING:
    from saurodrome.engine.games.draftosaurus.playout import Table
    from saurodrome.engine.xorshift import XorshiftChance


class Walk:
    """The zoos and hands of a table as nodes, and all placements since it began.

    Attributes:
        lows: By seat the node of the first half of its zoo.
        highs: The same of the other half.
        hands: By seat its hand.
    """

    __slots__ = ("_before", "_graph", "_log", "_moved", "_tallies", "hands", "highs", "lows")

    def __init__(self, board: Board, players: int) -> None:
        """Begin with empty zoos and hands."""
        self._graph = graph = graph_of(board)
        low, high = graph.halves
        self.lows = [low.empty] * players
        self.highs = [high.empty] * players
        self.hands = [HANDS[0]] * players
        self._before: list[Zoo] = []
        self._log: list[int] = []
        self._moved = False
        self._tallies: list[int] = []

    @staticmethod
    def of(board: Board, zoos: list[Zoo], hands: list[int]) -> Walk:
        """Begin with a copy of zoos and hands."""
        walk = Walk(board, len(zoos))
        low, high = walk._graph.halves
        walk.lows = [low.node(low.own(zoo)) for zoo in zoos]
        walk.highs = [high.node(high.own(zoo)) for zoo in zoos]
        walk.hands = [HANDS[hand] for hand in hands]
        walk._before = zoos
        return walk

    def deal(self, pool: list[int], chance: XorshiftChance) -> None:
        """Deal a round as `kernel.deal` does; see `kernel.pool_of`."""
        players = len(self.hands)
        drawn = map(pool.pop, chance.falling(len(pool), HAND * players))
        self.hands = [HANDS[sum(islice(drawn, HAND))] for _ in range(players)]

    def play(
        self, turns: int, roller: int, die: int, discarding: bool, words: Iterator[int]
    ) -> None:
        """Play some turns of a round with random legal actions.

        Args:
            turns: How many, at least 1.
            roller: The seat that rolls first.
            die: The face that lies.
            discarding: Whether the dinosaurs of the first turn are placed already.
            words: Numbers of the generator: for each turn the placements by seat, the discards
                by seat, and the next die but after the last one.
        """
        lows, highs, hands, log = self.lows, self.highs, self.hands, self._log.append
        players = len(hands)
        seats = range(0 if discarding else players)  # words go on, so no zip is strict
        while True:
            for seat, low, high, hand, word in zip(seats, lows, highs, hands, words):  # noqa: B905
                face = FREE if seat == roller else die
                left = low.menus[face][hand.species]
                right = high.menus[face][hand.species]
                below = len(left)
                index = word * (below + len(right)) >> 32
                if index < below:
                    number, species, placed = left[index]
                    lows[seat] = low.after[number] or low.grow(number)
                else:
                    number, species, placed = right[index - below]
                    highs[seat] = high.after[number] or high.grow(number)
                hands[seat] = hand.rest[species]
                log(placed)
            if players == 2:
                for seat, hand, word in zip((0, 1), hands, words):  # noqa: B905
                    hands[seat] = hand.choices[word * len(hand.choices) >> 32]
            turns -= 1
            if not turns:
                return
            hands.insert(0, hands.pop())
            seats = range(players)
            roller = (roller + 1) % players
            die = next(words) * DIE_FACES >> 32

    def leave_quarantine(self, chance: XorshiftChance) -> int:
        """Let all owners move their dinosaur out of quarantine; return how many did."""
        zone, owners, tallies = self._graph.zone, 0, self._sums()
        for seat, packed in enumerate(tallies):
            gone = packed >> zone & LANES
            change = self._leave(seat, HANDS[gone].species, chance) - (gone << zone) if gone else 0
            owners += gone > 0
            tallies[seat] += change
            self._log.append(change)
        self._moved, self._tallies = True, tallies
        return owners

    def _leave(self, seat: int, species: int, chance: XorshiftChance) -> int:
        """Place the dinosaur in quarantine anew; return the tally of that placement."""
        low, high = self.lows[seat], self.highs[seat].lift()
        left, right = low.menus[FREE][species], high.menus[FREE][species]
        index = chance.below(len(left) + len(right)) - len(left)
        if index < 0:
            number, _, placed = left[index]
            self.lows[seat] = low.after[number] or low.grow(number)
        else:
            number, _, placed = right[index]
            high = high.after[number] or high.grow(number)
        self.highs[seat] = high
        return placed

    def _sums(self) -> list[int]:
        """Return the tally of each zoo; see `nodes.LANE`."""
        log, players = self._log, len(self.hands)
        tallies = [sum(log[seat::players]) for seat in range(players)]
        for seat, zoo in enumerate(self._before):
            for place in self._graph.board.places:
                inside = zoo.pens[place.pen]
                if place.slot >= 0:
                    inside = inside >> 3 * place.slot & 7
                tallies[seat] += tally(inside) << LANE * place.number
        return tallies

    def points(self) -> tuple[int, ...]:
        """Return the points of all seats, as `scoring.score` gives them."""
        alone, shared, found = self._graph.alone, self._graph.shared, []
        tallies = self._tallies or self._sums()
        counts = tuple([packed % LANES for packed in tallies])
        for seat, packed in enumerate(tallies):
            points = self.lows[seat].points + self.highs[seat].points
            for at, known in alone:
                points += known[packed >> at & LANES]
            for line, at, other in shared:
                inside = packed >> at & LANES
                if inside:
                    partner = SOME[packed >> other & LANES] if other >= 0 else 0
                    points += lines.points(line, SOME[inside], partner, counts, seat)
            found.append(points)
        return tuple(found)

    def zoo(self, seat: int) -> Zoo:
        """Return the zoo of a seat as the kernel has it."""
        board = self._graph.board
        moves = board.moves
        placed = self._log[seat :: len(self.hands)]
        pens = list(self._before[seat].pens) if self._before else [0] * len(board.pens)
        last = placed.pop() if self._moved else 0
        for one in placed:
            move = moves[_action(one)]
            pens[move.pen] = kernel.put(move, pens[move.pen])
        if last:
            species = pens[board.quarantine] - 1
            move = moves[_action(last + (kernel.UNITS[species] << self._graph.zone))]
            pens[board.quarantine] = 0
            pens[move.pen] = kernel.put(move, pens[move.pen])
        low, high, start = self.lows[seat].zoo, self.highs[seat].zoo, kernel.empty_zoo(board)
        return Zoo(
            low.low ^ start.low ^ high.low,
            low.high ^ start.high ^ high.high,
            low.empty ^ start.empty ^ high.empty,
            low.trexless ^ start.trexless ^ high.trexless,
            sum([tally(pen) for pen in pens]),
            tuple(pens),
        )


def _action(placed: int) -> int:
    """Return the action of a placement; see `nodes.tally_of`."""
    place, digit = divmod(placed.bit_length() - 1, LANE)
    return SPECIES * place + digit // 4


def begin(table: Table, walk: Walk, chance: XorshiftChance) -> None:
    """Deal the first round and roll the die, as `Table.begin` does."""
    pool = kernel.pool_of(table.bag)
    walk.deal(pool, chance)
    table.bag = sum(pool)
    table.die = chance.below(DIE_FACES)


def play_out(table: Table, walk: Walk, chance: XorshiftChance) -> int:
    """Play to the end with random legal actions, as `Table.play_out` does.

    Returns:
        How many decisions that took.
    """
    players, turn, die, discarding = table.players, table.turn, table.die, table.stage == DISCARD
    steps, a_round = players * (2 if players == 2 else 1), kernel.turns_a_round(players)
    already = players if discarding else 0
    decisions = steps * (TURNS - turn) - already
    pool = kernel.pool_of(table.bag)
    turns = a_round - turn % a_round
    words = iter(chance.words(turns * (steps + 1) - 1 - already))
    while True:
        walk.play(turns, (table.start + turn) % players, die, discarding, words)
        turn += turns
        if turn == TURNS:
            break
        walk.deal(pool, chance)
        turns, discarding = a_round, False
        words = iter(chance.words(turns * (steps + 1)))
        die = next(words) * DIE_FACES >> 32
    if table.board.quarantine >= 0:
        decisions += walk.leave_quarantine(chance)
    table.turn, table.die, table.bag, table.stage = turn, FREE, sum(pool), OVER
    return decisions
