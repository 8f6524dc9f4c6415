"""Hands and zoos as nodes that know what follows them: nothing is worked out twice.

Each node is made once, by the functions of `kernel` and `lines`, when it is first reached. From
then on a decision is a few steps along references, for states and interpreted play-outs alike.
"""

from __future__ import annotations

from typing import Final

from saurodrome.engine.games.draftosaurus import kernel, lines
from saurodrome.engine.games.draftosaurus.bits import species_of
from saurodrome.engine.games.draftosaurus.board import (
    FREE,
    LOW,
    NO_LIMIT,
    WORD,
    Board,
)
from saurodrome.engine.games.draftosaurus.boards import BOARDS
from saurodrome.engine.games.draftosaurus.kernel import UNITS, Zoo
from saurodrome.engine.games.draftosaurus.lanes import Lanes
from saurodrome.engine.games.draftosaurus.pens import SPECIES, what_matters

Ids = tuple[int, ...]
"""Ids of placements, ascending."""

NODES_KEPT: Final = 1 << 12
"""Nodes of a board before new matches begin its graph anew; they come to about a kilobyte each."""

_ANY_HAND: Final = sum(UNITS)
_HIGH: Final = SPECIES * WORD
_EACH: Final = tuple(
    [
        species * sum([1 << SPECIES * place for place in range(2 * WORD)])
        for species in range(1 << SPECIES)
    ]
)
"""By species set: the set in each place of a board."""


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


class Node:
    """What some pens of a zoo take, and what they are worth.

    Nodes of equal pens are equal, so states compare by value even when a graph was begun anew.

    Attributes:
        menus: By face and species set of the hand, what may be placed.
        after: By id the node after a placement, None where nobody went yet.
        points: What the pens bring as far as the node tells, the T-Rex bonus included.
        zoo: A zoo that is like this in these pens, and empty in the others.
    """

    __slots__ = (
        "_group",
        "_key",
        "_leaving",
        "_lifted",
        "after",
        "menus",
        "points",
        "zoo",
    )

    def __init__(self, group: Group, zoo: Zoo, key: tuple[int, ...]) -> None:
        """Find what it takes under each face."""
        self.zoo = zoo
        self.menus = tuple([group.menu(zoo, face) for face in range(FREE + 1)])
        self.after: list[Node | None] = [None] * group.stop
        self.points = group.points(zoo)
        self._group = group
        self._key = key
        self._lifted: Node | None = None
        self._leaving: dict[int, Ids] = {}

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same pens in the same condition."""
        return self is other or (isinstance(other, Node) and self._key == other._key)

    def __hash__(self) -> int:
        """Hash what makes equal."""
        return hash(self._key)

    def __repr__(self) -> str:
        """Show what makes equal."""
        return f"Node{self._key}"

    def __reduce__(self) -> tuple[object, ...]:
        """Let copies and pickles of states find the node of the same pens, not bring their own."""
        return _node, (self._group.board.index, self._group.number, self.zoo)

    def grow(self, action: int) -> Node:
        """Return the node after a placement, and keep it."""
        group = self._group
        zoo = kernel.place(group.board, self.zoo, _ANY_HAND, FREE, action)
        if zoo is None:
            raise ValueError(f"{action} is no placement here")
        node = group.node(zoo)
        self.after[action] = node
        return node

    def lift(self) -> Node:
        """Return the node without the dinosaur in quarantine."""
        node = self._lifted
        if node is None:
            node = self._group.node(kernel.lift(self._group.board, self.zoo))
            self._lifted = node
        return node

    def leaving(self, species: int) -> Ids:
        """Return the ids of moves out of quarantine into these pens."""
        found = self._leaving.get(species)
        if found is None:
            first = self._group.board.first_move
            found = tuple([first + action for action in self.menus[FREE][1 << species]])
            self._leaving[species] = found
        return found


class Group:
    """Some neighbouring pens of a board.

    Attributes:
        board: The board.
        number: Which of the graph's groups it is.
        stop: The first action id beyond its placements.
        empty: The node of an empty zoo.
    """

    def __init__(self, graph: Graph, number: int, pens: range) -> None:
        """Begin with the empty node."""
        self.board: Board = graph.board
        self.number = number
        actions = [action for action, move in enumerate(self.board.moves) if move.pen in pens]
        self.stop: int = actions[-1] + 1
        self._graph = graph
        self._pens = pens
        self._sets = sum([1 << pen for pen in pens])
        self._mask = sum([1 << action for action in actions])
        self._lines = [line for line in graph.lanes.settled if line.pen in pens]
        self._menus: dict[int, tuple[Ids, ...]] = {}
        self._ids: dict[int, Ids] = {}
        self._nodes: dict[tuple[int, ...], Node] = {}
        self.empty = self.node(kernel.empty_zoo(self.board))

    def own(self, zoo: Zoo) -> Zoo:
        """Return a zoo that is empty but in these pens, without a count."""
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
        """Return the node of a zoo that is empty in all other pens."""
        told = [self._told(pen, zoo.pens[pen]) for pen in self._pens]
        key = (self.board.index, self.number, zoo.low, zoo.high, zoo.empty, zoo.trexless, *told)
        node = self._nodes.get(key)
        if node is None:
            self._nodes[key] = node = Node(self, zoo, key)
            self._graph.size += 1
        return node

    def _told(self, pen: int, contents: int) -> int:
        """Return what of a pen's contents a node tells, beside what the pen takes."""
        about = self.board.pens[pen]
        return what_matters(about.rule, contents) if about.capacity != NO_LIMIT else 0

    def menu(self, zoo: Zoo, face: int) -> tuple[Ids, ...]:
        """Return what may be placed of each species set."""
        board = self.board
        pens = kernel.allowed_pens(board, zoo.empty, zoo.trexless, face)
        word = zoo.low & board.open_low[pens] | (zoo.high & board.open_high[pens]) << _HIGH
        word &= self._mask
        menu = self._menus.get(word)
        if menu is None:
            self._menus[word] = menu = tuple([self._chosen(word & each) for each in _EACH])
        return menu

    def _chosen(self, word: int) -> Ids:
        """Return the ids of a word, one and the same tuple for equal ones."""
        ids = self._ids.get(word)
        if ids is None:
            ids = tuple([bit for bit in range(self.stop) if word >> bit & 1])
            self._ids[word] = ids
        return ids

    def points(self, zoo: Zoo) -> int:
        """Return what these pens bring as far as a node tells."""
        found: int = (self._sets & ~zoo.trexless).bit_count()
        for line in self._lines:
            found += lines.points_of_pens(line, zoo.pens[line.pen], 0)
        return found


SPECIES_OF: Final = [action % SPECIES for action in range(2 * SPECIES * WORD)]
"""By id of a placement: its species."""


class Graph:
    """The nodes of one board.

    Attributes:
        board: The board.
        size: How many nodes there are.
        lanes: What of the points nodes do not tell.
        groups: The groups of pens, three of them.
        second: The first action id of the second group.
        third: The first action id of the third group.
    """

    def __init__(self, board: Board) -> None:
        """Begin with empty zoos."""
        self.board = board
        self.size = 0
        self.lanes = Lanes(board)
        second, third = board.fences
        first, middle, last = (
            Group(self, 0, range(second)),
            Group(self, 1, range(second, third)),
            Group(self, 2, range(third, len(board.pens))),
        )
        self.groups = first, middle, last
        self.second: int = first.stop
        self.third: int = middle.stop


_GRAPHS: Final = [Graph(board) for board in BOARDS]


def graph_of(board: Board) -> Graph:
    """Return the nodes of a board, begun anew when they have become many."""
    graph = _GRAPHS[board.index]
    if graph.size > NODES_KEPT:
        _GRAPHS[board.index] = graph = Graph(board)
    return graph


def _node(board: int, group: int, zoo: Zoo) -> Node:
    """Return the node of some pens as the graph of today has it."""
    return graph_of(BOARDS[board]).groups[group].node(zoo)
