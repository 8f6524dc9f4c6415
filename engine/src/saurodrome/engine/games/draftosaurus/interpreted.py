"""Play-outs where the rules are interpreted: a walk along `nodes`, written down as it goes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from saurodrome.engine.games.draftosaurus import kernel, lines
from saurodrome.engine.games.draftosaurus.board import FREE, Board
from saurodrome.engine.games.draftosaurus.kernel import DIE_FACES, HAND, TURNS, Zoo
from saurodrome.engine.games.draftosaurus.lanes import LANES
from saurodrome.engine.games.draftosaurus.nodes import HANDS, SPECIES_OF, graph_of
from saurodrome.engine.games.draftosaurus.position import DISCARD, OVER
from saurodrome.engine.games.draftosaurus.turns import FACES
from saurodrome.engine.xorshift import FRACTION

if TYPE_CHECKING:
    from saurodrome.engine.games.draftosaurus.playout import Table
    from saurodrome.engine.xorshift import XorshiftChance

Faces = list[tuple[int, ...]]
"""By die the face that binds each seat in a turn."""

_TURNS: Final = [[rows[turn % len(rows)] for turn in range(TURNS + 5) if rows] for rows in FACES]
"""By players: the faces of the turns of a match that seat 0 begins, and of some beyond."""


class Walk:
    """The zoos and hands of a table as nodes, and all placements since it began.

    Attributes:
        ones: By seat the node of the first group of pens of its zoo.
        twos: The same of the second group.
        threes: The same of the third group.
        hands: By seat its hand.
    """

    __slots__ = (
        "_before",
        "_graph",
        "_log",
        "_moved",
        "_tallies",
        "hands",
        "ones",
        "threes",
        "twos",
    )

    def __init__(self, board: Board, players: int) -> None:
        """Begin with empty zoos and hands."""
        self._graph = graph = graph_of(board)
        one, two, three = graph.groups
        self.ones = [one.empty] * players
        self.twos = [two.empty] * players
        self.threes = [three.empty] * players
        self.hands = [HANDS[0]] * players
        self._before: list[Zoo] = []
        self._log: list[int] = []
        self._moved = False
        self._tallies: list[int] = []

    @staticmethod
    def of(board: Board, zoos: list[Zoo], hands: list[int]) -> Walk:
        """Begin with a copy of zoos and hands."""
        walk = Walk(board, len(zoos))
        one, two, three = walk._graph.groups
        walk.ones = [one.node(one.own(zoo)) for zoo in zoos]
        walk.twos = [two.node(two.own(zoo)) for zoo in zoos]
        walk.threes = [three.node(three.own(zoo)) for zoo in zoos]
        walk.hands = [HANDS[hand] for hand in hands]
        walk._before = zoos
        return walk

    def deal(self, pool: list[int], chance: XorshiftChance) -> None:
        """Deal a round as `kernel.deal` does; see `kernel.pool_of`."""
        drawn = map(pool.pop, chance.falling(len(pool), HAND * len(self.hands)))
        six = zip(drawn, drawn, drawn, drawn, drawn, drawn, strict=True)
        self.hands = [HANDS[a + b + c + d + e + f] for a, b, c, d, e, f in six]

    def play(
        self, turns: Iterable[Faces], die: int, discarding: bool, draws: Iterator[int]
    ) -> None:
        """Play some turns of a round with random legal actions.

        Args:
            turns: For each of them, by die, the face that binds each seat.
            die: The face that lies.
            discarding: Whether the dinosaurs of the first turn are placed already.
            draws: Fractions of the generator: for each turn the placements by seat, the discards
                by seat, and the next die; it may lack after the last turn.
        """
        ones, twos, threes = self.ones, self.twos, self.threes
        hands, log = self.hands, self._log
        species, entries = SPECIES_OF, self._graph.lanes.entries
        seats = range(len(hands))
        for faces in turns:
            bound = () if discarding else faces[die]  # draws go on, so no zip is strict
            for face, seat, one, two, three, hand, draw in zip(  # noqa: B905
                bound, seats, ones, twos, threes, hands, draws
            ):
                held = hand.species
                first = one.menus[face][held]
                second = two.menus[face][held]
                third = three.menus[face][held]
                below = len(first)
                under = below + len(second)
                index = draw * (under + len(third)) >> FRACTION
                if index < below:
                    action = first[index]
                    ones[seat] = one.after[action] or one.grow(action)
                elif index < under:
                    action = second[index - below]
                    twos[seat] = two.after[action] or two.grow(action)
                else:
                    action = third[index - under]
                    threes[seat] = three.after[action] or three.grow(action)
                hands[seat] = hand.rest[species[action]]
                log.append(entries[action])
            if len(hands) == 2:
                for seat, hand, draw in zip(seats, hands, draws):  # noqa: B905
                    hands[seat] = hand.choices[draw * len(hand.choices) >> FRACTION]
            hands.insert(0, hands.pop())
            die = next(draws, 0) * DIE_FACES >> FRACTION
            discarding = False

    def leave_quarantine(self, chance: XorshiftChance) -> int:
        """Let all owners move their dinosaur out of quarantine; return how many did."""
        lanes, owners, tallies = self._graph.lanes, 0, self._sums()
        for seat, packed in enumerate(tallies):
            change, waiting = 0, packed >> lanes.zone & 7
            if waiting:
                change = lanes.entries[self._leave(seat, waiting - 1, chance)]
                change -= kernel.UNITS[waiting - 1]
                tallies[seat] = packed + change
                owners += 1
            self._log.append(change)
        self._tallies, self._moved = tallies, True
        return owners

    def _leave(self, seat: int, species: int, chance: XorshiftChance) -> int:
        """Place the dinosaur in quarantine anew; return where."""
        one, two, three = self.ones[seat], self.twos[seat], self.threes[seat].lift()
        species = 1 << species
        menu = one.menus[FREE][species] + two.menus[FREE][species] + three.menus[FREE][species]
        action = menu[chance.below(len(menu))]
        if action < self._graph.second:
            self.ones[seat] = one.after[action] or one.grow(action)
        elif action < self._graph.third:
            self.twos[seat] = two.after[action] or two.grow(action)
        else:
            three = three.after[action] or three.grow(action)
        self.threes[seat] = three
        return action

    def _sums(self) -> list[int]:
        """Return the tally of each zoo; see `lanes.Lanes`."""
        log, players = self._log, len(self.hands)
        tallies = [sum(log[seat::players]) for seat in range(players)]
        for seat, zoo in enumerate(self._before):
            tallies[seat] += self._graph.lanes.tally(zoo)
        return tallies

    def points(self) -> tuple[int, ...]:
        """Return the points of all seats, as `scoring.score` gives them."""
        lanes, found = self._graph.lanes, []
        numbered, sums, singles = lanes.numbered, lanes.sums, lanes.singles
        tallies = self._tallies or self._sums()
        counts = tuple([packed & LANES for packed in tallies])
        for seat, packed in enumerate(tallies):
            points = self.ones[seat].points + self.twos[seat].points + self.threes[seat].points
            for _, at, table in numbered:
                points += table[packed >> at & 15]
            for at, mask, known in sums:
                points += known[packed >> at & mask]
            for line, at in singles:
                single = packed >> at & 7
                if single:
                    points += lines.points_of_single(line, single, counts, seat)
            found.append(points)
        return tuple(found)

    def zoo(self, seat: int) -> Zoo:
        """Return the zoo of a seat as the kernel has it."""
        board, top = self._graph.board, self._graph.lanes.top
        placed = self._log[seat :: len(self.hands)]
        pens = list(self._before[seat].pens) if self._before else [0] * len(board.pens)
        last = placed.pop() if self._moved else 0
        for entry in placed:
            _put(board, pens, (entry >> top) - 1)
        if last:
            pens[board.quarantine] = 0
            _put(board, pens, (last >> top) - 1)
        first, second, third = self.ones[seat], self.twos[seat], self.threes[seat]
        return kernel.joined(first.zoo, second.zoo, third.zoo, tuple(pens))


def _put(board: Board, pens: list[int], action: int) -> None:
    move = board.moves[action]
    pens[move.pen] = kernel.put(move, pens[move.pen])


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
    faces = _TURNS[players][table.start :]
    draws = iter(chance.fractions(turns * (steps + 1) - 1 - already))
    while True:
        walk.play(faces[turn : turn + turns], die, discarding, draws)
        turn += turns
        if turn == TURNS:
            break
        walk.deal(pool, chance)
        turns, discarding = a_round, False
        draws = iter(chance.fractions(turns * (steps + 1)))
        die = next(draws) * DIE_FACES >> FRACTION
    if table.board.quarantine >= 0:
        decisions += walk.leave_quarantine(chance)
    table.turn, table.die, table.bag, table.stage = turn, FREE, sum(pool), OVER
    return decisions
