"""What nodes do not tell of a zoo's points: sums over its placements, and points by these sums."""

from __future__ import annotations

from functools import partial
from typing import Final

from saurodrome.engine.games.draftosaurus import lines
from saurodrome.engine.games.draftosaurus.board import (
    NO_LIMIT,
    SCORE_COUPLES,
    SCORE_PAIRS,
    SCORE_SLOTS,
    SCORE_TABLE,
    Board,
    Score,
)
from saurodrome.engine.games.draftosaurus.kernel import UNITS, Zoo
from saurodrome.engine.games.draftosaurus.pens import SPECIES, counts_of, pack, size, tally
from saurodrome.engine.memo import Memo

LANE: Final = 4 * SPECIES
"""Bits of a packed count."""

LANES: Final = (1 << LANE) - 1

_NUMBER: Final = 4
"""Bits of a number of dinosaurs."""

_DINOSAUR: Final = 3
"""Bits of packed contents with one dinosaur."""

_KEPT: Final = 1 << 14


class Lanes:
    """The lanes of a board's tallies.

    A tally of a zoo is the sum of one entry a placement. Its lowest lane is the packed count of
    the zoo. Lanes follow for the lines that nodes do not settle: the number in their pen, its
    packed count, those of both pens side by side, or the contents of a pen with one place; the
    quarantine has such a lane, too. On top each entry has its action id, and 1 more.

    Attributes:
        entries: By action id the entry of a placement.
        top: Where in an entry the action id lies.
        settled: Lines of the score sheet that look at one pen of which nodes tell enough.
        singles: Lines that look at the one dinosaur in their pen, and where in a tally it is.
        zone: Where in a tally the quarantine is; negative without one.
        numbered: Lines by the number in their pen, without limit: the pen, where in a tally it
            is, and the points.
        coupled: Lines by packed counts: the pen, the other pen or -1, where in a tally they are,
            under which mask, and the points.
    """

    def __init__(self, board: Board) -> None:
        """Lay out the lanes."""
        self.settled: list[Score] = []
        self.singles: list[tuple[Score, int]] = []
        self.numbered: list[tuple[int, int, tuple[int, ...]]] = []
        self.coupled: list[tuple[int, int, int, int, Memo[int, int]]] = []
        at: int = LANE
        for line in board.scores:
            limited = board.pens[line.pen].capacity != NO_LIMIT
            if line.kind == SCORE_TABLE and not limited:
                self.numbered.append((line.pen, at, line.table))
                at += _NUMBER
            elif line.kind in (SCORE_TABLE, SCORE_SLOTS):
                self.settled.append(line)
            elif line.kind in (SCORE_COUPLES, SCORE_PAIRS):
                known = Memo(partial(_points, line), _KEPT)
                width = LANE if line.kind == SCORE_COUPLES else 2 * LANE
                self.coupled.append((line.pen, line.partner, at, (1 << width) - 1, known))
                at += width
            else:
                self.singles.append((line, at))
                at += _DINOSAUR
        self.zone = at if board.quarantine >= 0 else -1
        self._quarantine = board.quarantine
        self.top = at + _DINOSAUR
        self.entries = [
            self._entry(board.moves[action].pen, action) for action in range(board.first_discard)
        ]

    def _entry(self, pen: int, action: int) -> int:
        unit = UNITS[action % SPECIES]
        return unit + self._lane(pen, action % SPECIES + 1, unit) + (action + 1 << self.top)

    def _lane(self, pen: int, contents: int, packed: int) -> int:
        """Return what a pen's dinosaurs add in the lanes of lines."""
        found = 0
        for of, at, _ in self.numbered:
            found += size(contents) << at if pen == of else 0
        for of, partner, at, _, _ in self.coupled:
            found += packed << at if pen == of else 0
            found += packed << at + LANE if pen == partner else 0
        for line, at in self.singles:
            found += contents << at if pen == line.pen else 0
        return found + (contents << self.zone if pen == self._quarantine else 0)

    def tally(self, zoo: Zoo) -> int:
        """Return the tally of a zoo, without action ids."""
        found = zoo.counts
        for pen, inside in enumerate(zoo.pens):
            found += self._lane(pen, inside, tally(inside))
        return found


def _points(line: Score, packed: int) -> int:
    """Return the points of couples by packed counts."""
    here, there = _some(packed & LANES), _some(packed >> LANE)
    found: int = lines.points_of_pens(line, here, there)
    return found


def _some(packed: int) -> int:
    """Return packed contents that hold a packed count, in the order of species."""
    alike = [(species,) * count for species, count in enumerate(counts_of(packed))]
    return pack(sum(alike, ()))
