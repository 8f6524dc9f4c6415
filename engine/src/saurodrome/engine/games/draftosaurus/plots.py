"""A zoo as states hold it: the nodes of its three groups of pens, and what lies in each pen."""

from __future__ import annotations

from typing import Final

from saurodrome.engine.games.draftosaurus import kernel
from saurodrome.engine.games.draftosaurus.board import Board
from saurodrome.engine.games.draftosaurus.boards import BOARDS
from saurodrome.engine.games.draftosaurus.kernel import Zoo
from saurodrome.engine.games.draftosaurus.nodes import Node, graph_of
from saurodrome.engine.games.draftosaurus.pens import SPECIES

Plot = tuple[Node, Node, Node, tuple[int, ...]]
"""The nodes say what the zoo takes, the packed contents of each pen what was placed."""

Step = tuple[int, int, int, tuple[int, ...]]
"""A placement: its pen, its dinosaur as packed contents and as a packed count, and where that
comes to lie in the pen, by the bit length of what is there."""

_ENDS: Final = tuple([3 * ((length + 2) // 3) for length in range(64)])


def _step(board: Board, action: int) -> Step:
    move = board.moves[action]
    at: int = move.at
    return move.pen, action % SPECIES + 1, move.unit, _ENDS if at < 0 else (at,) * len(_ENDS)


def _steps(board: Board) -> tuple[int, int, tuple[Step, ...]]:
    graph = graph_of(board)
    steps = [_step(board, action) for action in range(board.first_discard)]
    return graph.second, graph.third, tuple(steps)


STEPS: Final = tuple([_steps(board) for board in BOARDS])
"""By board: the first action ids of its second and third group of pens; the placements by id."""


def empty_plot(board: Board) -> Plot:
    """Return a zoo before the first placement."""
    first, middle, last = graph_of(board).groups
    return first.empty, middle.empty, last.empty, (0,) * len(board.pens)


def plot_of(board: Board, zoo: Zoo) -> Plot:
    """Return a zoo as a state holds it."""
    first, middle, last = [group.node(group.own(zoo)) for group in graph_of(board).groups]
    return first, middle, last, zoo.pens


def zoo_of(plot: Plot) -> Zoo:
    """Return a zoo as the kernel has it."""
    first, middle, last, pens = plot
    return kernel.joined(first.zoo, middle.zoo, last.zoo, pens)


def departures(board: Board, plot: Plot) -> tuple[int, ...]:
    """Return the ids of all ways for a dinosaur to leave quarantine; none without one."""
    one, two, three, pens = plot
    species = pens[board.quarantine] - 1
    if species < 0:
        return ()
    return one.leaving(species) + two.leaving(species) + three.lift().leaving(species)
