"""Hands and zoos as nodes that know what follows them, for play-outs that are interpreted.

Each node is made once, by the functions of `kernel` and `lines`, when it is first reached. From
then on a decision is a few steps along references: nothing is worked out twice.
"""

from __future__ import annotations

from typing import Final

from saurodrome.engine.games.draftosaurus import kernel, lines
from saurodrome.engine.games.draftosaurus.bits import species_of
from saurodrome.engine.games.draftosaurus.board import (
    FREE,
    LOW,
    NO_LIMIT,
    SCORE_COUPLES,
    SCORE_SLOTS,
    SCORE_TABLE,
    WORD,
    Board,
    Score,
)
from saurodrome.engine.games.draftosaurus.kernel import UNITS, Zoo
from saurodrome.engine.games.draftosaurus.pens import SPECIES, counts_of, pack, what_matters

Option = tuple[int, int, int]
"""A placement: its number in its half, its species, and the dinosaur in a `Tally`."""

LANE: Final = 4 * SPECIES
"""Bits of a packed count, which is what a tally of a zoo holds for each place, the first lowest.

A sum of all its placements is the tally of a zoo, and the tally modulo `LANES` its packed count.
"""

LANES: Final = (1 << LANE) - 1

_ANY_HAND: Final = sum(UNITS)
_HIGH: Final = SPECIES * WORD
_FIRST_PENS: Final = 3


class Hand:
    """A hand.

    Attributes:
        species: Its species set.
        rest: By species the hand without one of it; itself where it holds none.
        choices: Those that there are, by ascending species.
        packed: Its packed count.
    """

    __slots__ = ("choices", "packed", "rest", "species")

    def __init__(self, packed: int) -> None:
        """Find the smaller hands, too."""
        self.packed = packed
        self.species: int = species_of(packed)
        rest = [HANDS[packed - unit] if packed & 15 * unit else self for unit in UNITS]
        self.rest = tuple(rest)
        self.choices = tuple([one for one in rest if one is not self])


class _Hands(dict[int, Hand]):
    """Hands by packed count."""

    def __missing__(self, packed: int) -> Hand:
        self[packed] = hand = Hand(packed)
        return hand


HANDS: Final = _Hands()


class _Some(dict[int, int]):
    """Packed contents that hold a packed count, in the order of species."""

    def __missing__(self, packed: int) -> int:
        alike = [(species,) * count for species, count in enumerate(counts_of(packed))]
        self[packed] = contents = pack(sum(alike, ()))
        return contents


SOME: Final = _Some()


class Node:
    """What one half of a zoo takes, and what it is worth.

    Attributes:
        menus: By face and species set, the options.
        after: By number of an option the node afterwards, None where nobody went yet.
        points: What its pens bring as far as the node tells, the T-Rex bonus included.
        zoo: A zoo that is like this in this half, and empty in the other.
    """

    __slots__ = ("_half", "_lifted", "after", "menus", "points", "zoo")

    def __init__(self, half: Half, zoo: Zoo) -> None:
        """Find what it takes under each face."""
        self.zoo = zoo
        self.menus = tuple([half.menu(zoo, face) for face in range(FREE + 1)])
        self.after: list[Node | None] = [None] * len(half.options)
        self.points = half.points(zoo)
        self._half = half
        self._lifted: Node | None = None

    def grow(self, number: int) -> Node:
        """Return the node after an option, and keep it."""
        half = self._half
        zoo = kernel.place(half.board, self.zoo, _ANY_HAND, FREE, half.first + number)
        if zoo is None:
            raise ValueError(f"{number} is no option here")
        self.after[number] = node = half.node(zoo)
        return node

    def lift(self) -> Node:
        """Return the node without the dinosaur in quarantine."""
        if self._lifted is None:
            self._lifted = self._half.node(kernel.lift(self._half.board, self.zoo))
        return self._lifted


class Half:
    """Some neighbouring pens of a board.

    Attributes:
        board: The board.
        first: Action id of its first option.
        options: All placements in them.
    """

    def __init__(self, graph: Graph, pens: range) -> None:
        """Begin with the empty node."""
        self.board = board = graph.board
        actions = [action for action, move in enumerate(board.moves) if move.pen in pens]
        self.first = actions[0]
        self.options = [
            (action - self.first, action % SPECIES, tally_of(action)) for action in actions
        ]
        self._graph = graph
        self._pens = pens
        self._sets = sum([1 << pen for pen in pens])
        self._mask = sum([1 << action for action in actions])
        self._lines = [line for line in graph.settled if line.pen in pens]
        self._menus: dict[int, tuple[tuple[Option, ...], ...]] = {}
        self._each = sum([1 << number for number in range(0, len(actions), SPECIES)])
        self._choices: dict[int, tuple[Option, ...]] = {}
        self._nodes: dict[tuple[int, ...], Node] = {}
        self.empty = self.node(kernel.empty_zoo(board))

    def own(self, zoo: Zoo) -> Zoo:
        """Return a zoo that is empty but in this half, without a count."""
        low, high, empty, trexless, _, pens = kernel.empty_zoo(self.board)
        lows, highs, sets = self._mask & LOW, self._mask >> _HIGH, self._sets
        return Zoo(
            low & ~lows | zoo.low & lows,
            high & ~highs | zoo.high & highs,
            empty & ~sets | zoo.empty & sets,
            trexless & ~sets | zoo.trexless & sets,
            0,
            tuple([zoo.pens[pen] if pen in self._pens else 0 for pen in range(len(pens))]),
        )

    def node(self, zoo: Zoo) -> Node:
        """Return the node of a zoo that is empty in the other half."""
        pens = self.board.pens
        told = [
            what_matters(pens[pen].rule, zoo.pens[pen]) if pens[pen].capacity != NO_LIMIT else 0
            for pen in self._pens
        ]
        key = (*zoo[:4], *told)
        node = self._nodes.get(key)
        if node is None:
            self._nodes[key] = node = Node(self, zoo)
            self._graph.size += 1
        return node

    def menu(self, zoo: Zoo, face: int) -> tuple[tuple[Option, ...], ...]:
        """Return the options of each species set."""
        board = self.board
        pens = kernel.allowed_pens(board, zoo.empty, zoo.trexless, face)
        word = zoo.low & board.open_low[pens] | (zoo.high & board.open_high[pens]) << _HIGH
        word = (word & self._mask) >> self.first
        menu = self._menus.get(word)
        if menu is None:
            opened = [one for one in self.options if word >> one[0] & 1]
            sets = [word & species * self._each for species in range(1 << SPECIES)]
            self._menus[word] = menu = tuple([self._chosen(opened, one) for one in sets])
        return menu

    def _chosen(self, opened: list[Option], numbers: int) -> tuple[Option, ...]:
        """Return the options with some numbers, one and the same tuple for equal ones."""
        found = self._choices.get(numbers)
        if found is None:
            found = tuple([one for one in opened if numbers >> one[0] & 1])
            self._choices[numbers] = found
        return found

    def points(self, zoo: Zoo) -> int:
        """Return what the pens of this half bring as far as a node tells."""
        bonus: int = (self._sets & ~zoo.trexless).bit_count()
        return bonus + sum(
            [lines.points_of_pens(line, zoo.pens[line.pen], 0) for line in self._lines]
        )


def tally_of(action: int) -> int:
    """Return the tally of one placement."""
    return UNITS[action % SPECIES] << LANE * (action // SPECIES)


class _Known(dict[int, int]):
    """Points of a line of the score sheet by packed count."""

    def __init__(self, line: Score) -> None:
        super().__init__()
        self._line = line

    def __missing__(self, packed: int) -> int:
        self[packed] = found = lines.points_of_pens(self._line, SOME[packed], 0)
        return found


class Graph:
    """The nodes of one board.

    Attributes:
        board: The board.
        size: How many nodes there are.
        settled: Lines of the score sheet whose points a node tells.
        alone: Those that look at a pen's count: where in a tally it lies, and the points.
        shared: The others: the line, where in a tally its pen and its other pen lie; negative
            without one.
        zone: Where in a tally the quarantine lies; negative without one.
        halves: The first pens, and the others.
    """

    def __init__(self, board: Board) -> None:
        """Begin with empty zoos."""
        self.board = board
        self.size = 0
        places = {place.pen: place.number for place in reversed(board.places)}
        of_one_pen = [
            line for line in board.scores if line.kind in (SCORE_TABLE, SCORE_COUPLES, SCORE_SLOTS)
        ]
        self.settled = [
            line
            for line in of_one_pen
            if line.kind != SCORE_COUPLES and board.pens[line.pen].capacity != NO_LIMIT
        ]
        self.alone = [
            (LANE * places[line.pen], _Known(line))
            for line in of_one_pen
            if line not in self.settled
        ]
        self.shared = [
            (line, LANE * places[line.pen], LANE * places.get(line.partner, -1))
            for line in board.scores
            if line not in of_one_pen
        ]
        self.zone = LANE * places.get(board.quarantine, -1)
        pens = len(board.pens)
        self.halves = Half(self, range(_FIRST_PENS)), Half(self, range(_FIRST_PENS, pens))


_GRAPHS: Final[dict[int, Graph]] = {}


def graph_of(board: Board) -> Graph:
    """Return the nodes of a board, begun anew when they have become many."""
    graph = _GRAPHS.get(board.index)
    if graph is None or graph.size > kernel.MOST_KEPT:
        _GRAPHS[board.index] = graph = Graph(board)
    return graph
