"""Play-outs where the rules are interpreted: the kernel's answers, kept in tables.

A zoo is one int here, so that a placement is a mask and a sum: from the lowest bit on, what its
places take next (`low`, then `high`), its sets `empty` and `trexless`, its counts. Tables fill
as they are asked, by the functions of `kernel`, and are emptied when they grow large.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from saurodrome.engine.games.draftosaurus import kernel, lines
from saurodrome.engine.games.draftosaurus.bits import ones, species_of
from saurodrome.engine.games.draftosaurus.board import (
    EMPTY_PEN,
    FREE,
    LOW,
    SCORE_COUPLES,
    SCORE_SLOTS,
    SCORE_TABLE,
    WORD,
    Board,
    Move,
    Score,
)
from saurodrome.engine.games.draftosaurus.kernel import EACH_HIGH, EACH_LOW
from saurodrome.engine.games.draftosaurus.pens import SPECIES
from saurodrome.engine.games.draftosaurus.position import DISCARD, OVER, QUARANTINE

if TYPE_CHECKING:
    from saurodrome.engine.games.draftosaurus.playout import Seat, Table
    from saurodrome.engine.xorshift import XorshiftChance

_HIGH: Final = SPECIES * WORD
_EMPTY: Final = 72
_TREXLESS: Final = 80
_COUNTS: Final = 88
_PENS: Final = 255
_PART: Final = 21
_PART_MASK: Final = (1 << _PART) - 1
_TWO_PLACES: Final = (1 << 2 * SPECIES) - 1


class _Spread(dict[int, int]):
    """By hand: all actions with one of its species."""

    def __missing__(self, hand: int) -> int:
        species = species_of(hand)
        self[hand] = word = species * EACH_LOW | species * EACH_HIGH << _HIGH
        return word


class _Units(dict[int, tuple[int, ...]]):
    """By hand: one dinosaur of each of its species, as packed counts."""

    def __missing__(self, hand: int) -> tuple[int, ...]:
        self[hand] = units = tuple([1 << 4 * one for one in range(SPECIES) if hand >> 4 * one & 15])
        return units


class _After(dict[int, tuple[int, int, int]]):
    """By packed contents of a pen: those after a placement, the mask on the zoo, the sum."""

    def __init__(self, move: Move) -> None:
        super().__init__()
        self._move = move

    def __missing__(self, contents: int) -> tuple[int, int, int]:
        if len(self) >= kernel.MOST_KEPT:
            self.clear()
        move, every = self._move, (1 << _HIGH) - 1
        inside, kept, added = kernel.effect(move, contents)
        part = _HIGH * move.half
        mask = ~((every & ~kept) << part)
        for sets, left in ((_EMPTY, move.others), (_TREXLESS, move.tame)):
            mask &= ~((_PENS & ~left) << sets)
        total = (added << part) + (move.unit << _COUNTS)
        # Few masks and sums differ: kept once, they stay in the processor's cache.
        found = inside, _ONCE.setdefault(mask, mask), _ONCE.setdefault(total, total)
        self[contents] = found
        return found


_ONCE: Final[dict[int, int]] = {}


class _Points(dict[int, int]):
    """By packed contents of a pen: what its line of the score sheet brings."""

    def __init__(self, line: Score) -> None:
        super().__init__()
        self._line = line

    def __missing__(self, contents: int) -> int:
        if len(self) >= kernel.MOST_KEPT:
            self.clear()
        self[contents] = found = lines.points_of_pens(self._line, contents, 0)
        return found


class _Tables:
    """What the loop reads of one board.

    Attributes:
        moves: Of each placement its pen, its dinosaur as a packed count, and what it does.
        opened: All actions in each set of pens.
        faces: All actions that each face allows, 0 for the faces that look at the zoo.
        points: Of the pens that score by themselves what they bring.
        shared: The other lines of the score sheet.
    """

    def __init__(self, board: Board) -> None:
        self.moves = [(move.pen, move.unit, _After(move)) for move in board.moves]
        words = zip(board.open_low, board.open_high, strict=True)
        self.opened = [low | high << _HIGH for low, high in words]
        self.faces = [self.opened[pens] for pens in board.face_pens]
        alone = [
            line for line in board.scores if line.kind in (SCORE_TABLE, SCORE_COUPLES, SCORE_SLOTS)
        ]
        self.points = [(line.pen, _Points(line)) for line in alone]
        self.shared = [line for line in board.scores if line not in alone]


_tables: Final = cache(_Tables)
_SPREAD: Final = _Spread()
_IDS: Final = kernel.Ids(0)
_CHOICES: Final = _Units()


def play_out(table: Table, chance: XorshiftChance) -> int:
    """Play to the end of the last turn with uniformly random legal actions.

    Draws and results are those of `Table.play_out`, to which quarantine is left.

    Returns:
        How many decisions that took.
    """
    seats, players, turn, word = table.seats, table.players, table.turn, chance.word
    zoos, hands = [_packed(seat) for seat in seats], [seat.hand for seat in seats]
    pens, pool = [seat.pens for seat in seats], kernel.pool_of(table.bag)
    tables, die, decisions = _tables(table.board), table.die, 0
    discarding = table.stage == DISCARD
    while turn < kernel.TURNS:
        if not discarding:
            roller = (table.start + turn) % players
            word = _place(tables, roller, die, zoos, hands, pens, word)
            decisions += players
        if players == 2:
            word = _discard(hands, word)
            decisions += 2
            discarding = False
        turn += 1
        if turn == kernel.TURNS:
            break
        if turn % kernel.turns_a_round(players):
            hands.insert(0, hands.pop())
        else:
            word = _deal(pool, hands, word)
        word = _next(word)
        die = word * kernel.DIE_FACES >> 32
    chance.word = word
    table.turn, table.die, table.bag = turn, FREE, sum([_UNIT[one] for one in pool])
    table.stage = QUARANTINE if table.board.quarantine >= 0 else OVER
    for seat, zoo, hand in zip(seats, zoos, hands, strict=True):
        _unpack(seat, zoo, hand)
    return decisions


def _next(word: int) -> int:
    """Return the generator's next word, see `XorshiftChance`."""
    word ^= word << 13 & 0xFFFFFFFF
    word ^= word >> 17
    return word ^ (word << 5 & 0xFFFFFFFF)


def _place(
    tables: _Tables,
    roller: int,
    die: int,
    zoos: list[int],
    hands: list[int],
    pens: list[list[int]],
    word: int,
) -> int:
    """Let every seat place one dinosaur; return the generator's word."""
    face, opened, moves = tables.faces[die], tables.opened, tables.moves
    sets = _EMPTY if die == EMPTY_PEN else _TREXLESS
    for seat, zoo in enumerate(zoos):
        hand = hands[seat]
        takes = zoo & _SPREAD[hand]
        if seat != roller:
            takes &= face or opened[zoo >> sets & _PENS]
        ids = _IDS[takes & _PART_MASK]
        more = _IDS[takes >> _PART]
        below = len(ids)
        word ^= word << 13 & 0xFFFFFFFF
        word ^= word >> 17
        word ^= word << 5 & 0xFFFFFFFF
        index = word * (below + len(more)) >> 32
        pen, unit, after = moves[ids[index] if index < below else more[index - below] + _PART]
        own = pens[seat]
        own[pen], kept, added = after[own[pen]]
        zoos[seat] = (zoo & kept) + added
        hands[seat] = hand - unit
    return word


def _discard(hands: list[int], word: int) -> int:
    """Let every seat put one dinosaur back in the box; return the generator's word."""
    for seat, hand in enumerate(hands):
        units = _CHOICES[hand]
        word ^= word << 13 & 0xFFFFFFFF
        word ^= word >> 17
        word ^= word << 5 & 0xFFFFFFFF
        hands[seat] = hand - units[word * len(units) >> 32]
    return word


def deal(table: Table, chance: XorshiftChance) -> None:
    """Deal a round as `Table.deal` does."""
    pool, hands = kernel.pool_of(table.bag), [0] * table.players
    chance.word = _deal(pool, hands, chance.word)
    table.bag -= sum(hands)
    for seat, hand in zip(table.seats, hands, strict=True):
        seat.hand = hand


def _deal(pool: bytearray, hands: list[int], word: int) -> int:
    """Deal a round as `kernel.deal` does; return the generator's word."""
    left = len(pool)
    for seat in range(len(hands)):
        hand = 0
        for _ in range(kernel.HAND):
            word ^= word << 13 & 0xFFFFFFFF
            word ^= word >> 17
            word ^= word << 5 & 0xFFFFFFFF
            hand += _UNIT[pool.pop(word * left >> 32)]
            left -= 1
        hands[seat] = hand
    return word


def points(table: Table) -> tuple[int, ...]:
    """Return the points of all seats as `Table.points` does."""
    tables, every, totals = _tables(table.board), table.board.every_pen, []
    counts = tuple([seat.counts for seat in table.seats])
    for number, seat in enumerate(table.seats):
        pens = seat.pens
        total: int = ones(every & ~seat.trexless)
        for pen, found in tables.points:
            total += found[pens[pen]]
        for line in tables.shared:
            if pens[line.pen]:
                total += lines.points(line, pens[line.pen], pens[line.partner], counts, number)
        totals.append(total)
    return tuple(totals)


_UNIT: Final = [1 << 4 * species for species in range(SPECIES)]


def _packed(seat: Seat) -> int:
    """Return a zoo as one int."""
    word = seat.low | seat.high << _HIGH | seat.empty << _EMPTY
    return word | seat.trexless << _TREXLESS | seat.counts << _COUNTS


def _unpack(seat: Seat, zoo: int, hand: int) -> None:
    """Write a hand and a zoo back; its pens are changed in place."""
    seat.hand = hand
    seat.low = zoo & LOW
    seat.high = zoo >> _HIGH & _TWO_PLACES
    seat.empty = zoo >> _EMPTY & _PENS
    seat.trexless = zoo >> _TREXLESS & _PENS
    seat.counts = zoo >> _COUNTS
