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

_FEW: Final = 3
"""Bits of their number where a pen has a limit: Python adds integers of 63 bits quickest."""

_DINOSAUR: Final = 3
"""Bits of packed contents with one dinosaur."""

_KEPT: Final = 1 << 14


class Lanes:
    """The lanes of a board's tallies.

    A tally of a zoo is the sum of one entry a placement. Its lowest lane is the packed count of
    the zoo. Lanes follow for the lines that nodes do not settle: the number in their pen, its
    packed count, those of both pens species by species, or the contents of a pen with one place;
    the quarantine has such a lane, too. On top each entry has its action id, and 1 more.

    Attributes:
        entries: By action id the entry of a placement.
        top: Where in an entry the action id lies.
        settled: Lines of the score sheet that look at one pen of which nodes tell enough.
        singles: Lines that look at the one dinosaur in their pen, and where in a tally it is.
        zone: Where in a tally the quarantine is; negative without one.
        numbered: Lines by the number in their pen, without limit: the pen, where in a tally it
            is, and the points.
        coupled: Lines by packed counts: the pen, the other pen or -1, and the points.
        sums: The same lines by what a tally has of them, or half of it: where, under which
            mask, the points.
    """

    def __init__(self, board: Board) -> None:
        """Lay out the lanes."""
        self.settled: list[Score] = []
        self.singles: list[tuple[Score, int]] = []
        self.numbered: list[tuple[int, int, tuple[int, ...]]] = []
        self.coupled: list[tuple[int, int, Memo[int, int]]] = []
        self.sums: list[tuple[int, int, Memo[int, int]]] = []
        self._digits: list[tuple[int, int, int]] = []
        at: int = LANE
        for line in board.scores:
            limited = board.pens[line.pen].capacity != NO_LIMIT
            if line.kind == SCORE_TABLE and not limited:
                self.numbered.append((line.pen, at, line.table))
                at += _NUMBER
            elif line.kind in (SCORE_TABLE, SCORE_SLOTS):
                self.settled.append(line)
            elif line.kind in (SCORE_COUPLES, SCORE_PAIRS):
                at = self._couple(line, limited, at)
            else:
                self.singles.append((line, at))
                at += _DINOSAUR
        self._quarantine = board.quarantine
        self.zone = at if board.quarantine >= 0 else -1
        self.top = at + _DINOSAUR if board.quarantine >= 0 else at
        self.entries = [
            self._entry(board.moves[action].pen, action) for action in range(board.first_discard)
        ]

    def _couple(self, line: Score, limited: bool, at: int) -> int:
        """Lay out a line that counts couples; return where the next lane begins.

        Without a limit it is two sums, of three species each: play-outs meet 500 different ones,
        and 20,000 of all species at once.
        """
        pens, digit = [line.pen], _FEW if limited else _NUMBER
        if line.partner >= 0:
            pens.append(line.partner)
        step = digit * len(pens)
        self._digits += [(pen, at + digit * one, step) for one, pen in enumerate(pens)]
        parts = 1 if limited else 2
        bits = step * SPECIES // parts
        summed = Memo(partial(_points, line, step, digit), _KEPT)
        self.sums += [(at + bits * part, (1 << bits) - 1, summed) for part in range(parts)]
        packed = Memo(partial(_points_of_packed, line), _KEPT)
        self.coupled.append((line.pen, line.partner, packed))
        return at + step * SPECIES

    def _entry(self, pen: int, action: int) -> int:
        unit = UNITS[action % SPECIES]
        return unit + self._lane(pen, action % SPECIES + 1, unit) + (action + 1 << self.top)

    def _lane(self, pen: int, contents: int, packed: int) -> int:
        """Return what a pen's dinosaurs add in the lanes of lines."""
        found = 0
        for of, at, _ in self.numbered:
            found += size(contents) << at if pen == of else 0
        for of, at, step in self._digits:
            for species, count in enumerate(counts_of(packed)):
                found += count << at + step * species if pen == of else 0
        for line, at in self.singles:
            found += contents << at if pen == line.pen else 0
        return found + (contents << self.zone if pen == self._quarantine else 0)

    def tally(self, zoo: Zoo) -> int:
        """Return the tally of a zoo, without action ids."""
        found = zoo.counts
        for pen, inside in enumerate(zoo.pens):
            found += self._lane(pen, inside, tally(inside))
        return found


def _points(line: Score, step: int, digit: int, counts: int) -> int:
    """Return the points of couples by the counts of one pen or two, species by species."""
    there = counts >> digit if step > digit else 0
    found: int = lines.points_of_pens(line, _some(step, digit, counts), _some(step, digit, there))
    return found


def _points_of_packed(line: Score, counts: int) -> int:
    """Return the points of couples by the packed counts of one pen or two."""
    here, there = counts & LANES, counts >> LANE
    found: int = lines.points_of_pens(
        line, _some(_NUMBER, _NUMBER, here), _some(_NUMBER, _NUMBER, there)
    )
    return found


def _some(step: int, digit: int, counts: int) -> int:
    """Return packed contents that hold some counts, in the order of species."""
    found: list[int] = []
    for species in range(SPECIES):
        found += [species] * (counts >> step * species & (1 << digit) - 1)
    return pack(tuple(found))
