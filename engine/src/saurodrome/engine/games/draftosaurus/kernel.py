"""The rules as functions on ints: choices, placing, passing, dealing, the die, points.

`State.apply` and the play-out loop call the same functions. Values are packed as `pens` says;
hands and bags are packed counts. Sources and rulings: engine/README.md.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from saurodrome.engine.chance import Chance
from saurodrome.engine.games.draftosaurus.bits import end, species_of
from saurodrome.engine.games.draftosaurus.board import (
    EMPTY_PEN,
    FREE,
    NO_TREX,
    WORD,
    Board,
    Move,
)
from saurodrome.engine.games.draftosaurus.pens import SPECIES, accepts, tally
from saurodrome.engine.memo import Memo

if TYPE_CHECKING:
    from mypy_extensions import i64

TURNS: Final = 12
HAND: Final = 6
DIE_FACES: Final = 6
BAG_PER_SPECIES: Final = (0, 0, 8, 6, 8, 10)
"""Dinosaurs of each species in play, by number of players; always used up exactly."""

DEFAULT_ORDER: Final = (1, 2, 3, 4, 5, 0)
"""Which species goes first when nobody answers: as listed, T-Rex last (ruling)."""


class Zoo(NamedTuple):
    """The board of one player.

    Attributes:
        low: What the places take next, laid out as `Board` says; of the first places.
        high: The same of the other places.
        empty: The set of pens without a dinosaur, and the River.
        trexless: The set of pens without a T-Rex, and the River.
        counts: All its dinosaurs, the River's included, as a packed count.
        pens: Packed contents of each pen and the River.
    """

    low: int
    high: int
    empty: int
    trexless: int
    counts: int
    pens: tuple[int, ...]


def empty_zoo(board: Board) -> Zoo:
    """Return a zoo before the first placement."""
    every = board.every_pen
    return Zoo(board.low, board.high, every, every, 0, (0,) * len(board.pens))


def allowed_pens(board: Board, empty: i64, trexless: i64, face: i64) -> i64:
    """Return the set of pens that a die face allows, and the River; FREE allows all.

    Args:
        board: The board.
        empty: The set of pens without a dinosaur, and the River.
        trexless: The set of pens without a T-Rex, and the River.
        face: The die face.
    """
    if face == EMPTY_PEN:
        return empty
    if face == NO_TREX:
        return trexless
    return board.face_pens[face]


def _hands() -> list[int]:
    """Return all hands, as packed counts."""
    found = {0}
    for _ in range(HAND):
        found |= {hand + unit for hand in found for unit in UNITS}
    return sorted(found)


UNITS: Final = tuple([1 << 4 * species for species in range(SPECIES)])
"""One dinosaur of each species, as a packed count."""

SPECIES_SETS: Final[dict[int, int]] = {hand: species_of(hand) for hand in _hands()}
"""By packed count of a hand: its species set."""

EACH_LOW: Final = sum([1 << SPECIES * place for place in range(WORD)])
EACH_HIGH: Final = 1 + (1 << SPECIES)
"""Times a species set: the set in each place of the words `low` and `high`."""


def placements(board: Board, zoo: Zoo, hand: int, face: int) -> tuple[int, ...]:
    """Return the ids of all legal placements, ascending.

    Args:
        board: The board.
        zoo: The player's zoo.
        hand: Its hand, a packed count.
        face: The die face that binds it, FREE for the roller.
    """
    low, high, empty, trexless, _, _ = zoo
    pens: i64 = allowed_pens(board, empty, trexless, face)
    species: int = species_of(hand)
    low &= board.open_low[pens] & species * EACH_LOW
    high &= board.open_high[pens] & species * EACH_HIGH
    word = low | high << SPECIES * WORD
    return tuple([bit for bit in range(board.first_discard) if word >> bit & 1])


def joined(first: Zoo, second: Zoo, third: Zoo, pens: tuple[int, ...]) -> Zoo:
    """Return a zoo that is like each of three in its own pens, where the others are empty.

    Args:
        first: A zoo.
        second: Another one.
        third: A third one.
        pens: What lies in all pens.
    """
    return Zoo(
        first.low ^ second.low ^ third.low,
        first.high ^ second.high ^ third.high,
        first.empty ^ second.empty ^ third.empty,
        first.trexless ^ second.trexless ^ third.trexless,
        sum([tally(pen) for pen in pens]),
        pens,
    )


def departures(board: Board, zoo: Zoo) -> tuple[int, ...]:
    """Return the ids of all ways for a dinosaur to leave quarantine; none without one."""
    species = zoo.pens[board.quarantine] - 1
    if species < 0:
        return ()
    ids = placements(board, lift(board, zoo), 1 << 4 * species, FREE)
    return tuple([board.first_move + action for action in ids])


def lift(board: Board, zoo: Zoo) -> Zoo:
    """Return a zoo without the dinosaur in quarantine, the zone closed behind it."""
    low, high, empty, trexless, counts, contents = zoo
    zone = board.quarantine
    species = contents[zone] - 1
    pens = (*contents[:zone], 0, *contents[zone + 1 :])
    counts -= 1 << 4 * species
    return Zoo(low, high, empty | 1 << zone, trexless | 1 << zone, counts, pens)


def place(board: Board, zoo: Zoo, hand: int, face: int, action: int) -> Zoo | None:
    """Return a zoo after one placement, or None if the placement is not legal.

    Args:
        board: The board.
        zoo: The player's zoo.
        hand: What it may take from, a packed count.
        face: The die face that binds it, FREE for the roller.
        action: Action id.
    """
    if not 0 <= action < board.first_discard:
        return None
    move = board.moves[action]
    low, high, empty, trexless, counts, pens = zoo
    pen = move.pen
    word = high if move.half else low
    if not (word & move.asked and hand & move.digit):
        return None
    pens_now = board.face_pens[face] or allowed_pens(board, empty, trexless, face)
    if not pens_now >> pen & 1:
        return None
    inside = put(move, pens[pen])
    word = takes(move, word, inside)
    if move.half:
        high = word
    else:
        low = word
    contents = list(pens)  # a third of the price of slices
    contents[pen] = inside
    empty, trexless, counts = empty & move.others, trexless & move.tame, counts + move.unit
    return _new(Zoo, (low, high, empty, trexless, counts, tuple(contents)))


_new: Final = tuple.__new__  # a NamedTuple's own takes twice as long


def put(move: Move, contents: i64) -> i64:
    """Return the packed contents of a pen after a placement in it."""
    at = move.at
    if at < 0:
        at = end(contents)
    return contents | (move.species + 1) << at


def takes(move: Move, word: i64, contents: i64) -> i64:
    """Return what a zoo takes after a placement: its word with the pen's part renewed.

    Args:
        move: The placement.
        word: The word of the pen, before.
        contents: What is in the pen, packed, after.
    """
    if move.last >= 0 and contents >> move.last:
        return word & move.closed
    if move.rule:
        return word & move.closed | accepts(move.rule, contents) << move.shift
    return word & move.narrow


def first_of(hand: int) -> int:
    """Return the species that a default action plays from a hand."""
    for species in DEFAULT_ORDER:
        if hand >> 4 * species & 15:
            return species
    raise ValueError("an empty hand has no first dinosaur")


def draw_hand(pool: list[int], count: int, chance: Chance, stream: str) -> int:
    """Draw some dinosaurs without looking and return them as a packed count.

    Args:
        pool: What can be drawn, see `pool_of`; the drawn ones are taken out of it.
        count: How many are drawn.
        chance: Where the choice comes from: the index in the pool, one draw a dinosaur.
        stream: Name of the chance stream.
    """
    draw, pop, size = chance.draw, pool.pop, len(pool)
    return sum([pop(draw(stream, left)) for left in range(size, size - count, -1)])


def pool_of(packed: int) -> list[int]:
    """Return the dinosaurs of a packed count, one by one as such, in the order of species."""
    return _FIRST_POOLS[packed & _HALF] + _LAST_POOLS[packed >> 4 * SPECIES // 2]


def _pool(units: tuple[int, ...], packed: int) -> list[int]:
    """Return the dinosaurs of a packed count of some species, one by one as such."""
    pool: list[int] = []
    for place, unit in enumerate(units):
        pool += [unit] * (packed >> 4 * place & 15)
    return pool


_HALF: Final = (1 << 4 * SPECIES // 2) - 1
_FIRST_POOLS: Final = Memo(partial(_pool, UNITS[: SPECIES // 2]), _HALF + 1)
_LAST_POOLS: Final = Memo(partial(_pool, UNITS[SPECIES // 2 :]), _HALF + 1)


_BOXES: Final = tuple([each * sum(UNITS) for each in BAG_PER_SPECIES])


def box(players: int) -> int:
    """Return all dinosaurs that a match of so many players uses, as a packed count."""
    return _BOXES[players]


_HANDS_AT: Final = [range(0, HAND * players, HAND) for players in range(6)]


def deal(bag: int, players: int, chance: Chance) -> tuple[tuple[int, ...], int]:
    """Deal a round: each seat in order draws six dinosaurs.

    Returns:
        The hands by seat, and the bag afterwards.
    """
    pool = pool_of(bag)
    draw, pop, size = chance.draw, pool.pop, len(pool)
    drawn = [pop(draw("bag", left)) for left in range(size, size - HAND * players, -1)]
    hands = tuple([sum(drawn[at : at + HAND]) for at in _HANDS_AT[players]])
    return hands, bag - sum(hands)


def turns_a_round(players: int) -> int:
    """Return how many turns a round has: two players draw anew after three."""
    return 3 if players == 2 else 6


def roll(chance: Chance) -> int:
    """Return the face of the die."""
    return chance.draw("die", DIE_FACES)
