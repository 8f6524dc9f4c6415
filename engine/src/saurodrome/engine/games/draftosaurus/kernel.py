"""The rules as functions on ints: choices, placing, passing, dealing, the die, points.

`State.apply` and the play-out loop call the same functions. Values are packed as `pens` says;
hands and bags are packed counts. Sources and rulings: engine/README.md.
"""

from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from saurodrome.engine.chance import Chance
from saurodrome.engine.games.draftosaurus.board import (
    EMPTY_PEN,
    FREE,
    NO_TREX,
    Board,
)
from saurodrome.engine.games.draftosaurus.pens import (
    SPECIES,
    TREX,
    accepts,
)

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
        accepts: What each place takes next, laid out as `Board` says.
        empty: The set of pens without a dinosaur, and the River.
        trexless: The set of pens without a T-Rex, and the River.
        counts: All its dinosaurs, the River's included, as a packed count.
        pens: Packed contents of each pen and the River.
    """

    accepts: int
    empty: int
    trexless: int
    counts: int
    pens: tuple[int, ...]


def _species_sets() -> dict[int, int]:
    """Map each possible hand to its species set."""
    sets: dict[int, int] = {}
    for count in range(HAND + 1):
        for hand in combinations_with_replacement(range(SPECIES), count):
            packed = sum(1 << 4 * one for one in hand)
            sets[packed] = sum(1 << one for one in set(hand))
    return sets


SPECIES_SET: Final = _species_sets()
"""Species set of each packed count of up to six dinosaurs."""


def empty_zoo(board: Board) -> Zoo:
    """Return a zoo before the first placement."""
    return Zoo(board.accepts, board.every_pen, board.every_pen, 0, (0,) * len(board.pens))


def allowed_pens(board: Board, zoo: Zoo, face: int) -> int:
    """Return the set of pens that a die face allows, and the River; FREE allows all."""
    if face == EMPTY_PEN:
        return zoo.empty
    if face == NO_TREX:
        return zoo.trexless
    return board.face_pens[face]


def placements(board: Board, zoo: Zoo, hand: int, face: int) -> tuple[int, ...]:
    """Return the ids of all legal placements, ascending.

    Args:
        board: The board.
        zoo: The player's zoo.
        hand: Its hand, a packed count.
        face: The die face that binds it, FREE for the roller.
    """
    word = zoo.accepts
    species = SPECIES_SET[hand]
    ids: tuple[int, ...] = ()
    for shift, of_set in board.open_places[allowed_pens(board, zoo, face)]:
        ids += of_set[word >> shift & species]
    return ids


def discards(board: Board, hand: int) -> tuple[int, ...]:
    """Return the ids of all ways to put one dinosaur of a hand back in the box."""
    first = board.first_discard
    return tuple(first + one for one in range(SPECIES) if hand >> 4 * one & 15)


def departures(board: Board, zoo: Zoo) -> tuple[int, ...]:
    """Return the ids of all ways for a dinosaur to leave quarantine; none without one."""
    species = zoo.pens[board.quarantine] - 1
    if species < 0:
        return ()
    ids = placements(board, lift(board, zoo), 1 << 4 * species, FREE)
    return tuple([board.first_move + action for action in ids])


def lift(board: Board, zoo: Zoo) -> Zoo:
    """Return a zoo without the dinosaur in quarantine, the zone closed behind it."""
    word, empty, trexless, counts, contents = zoo
    zone = board.quarantine
    species = contents[zone] - 1
    pens = (*contents[:zone], 0, *contents[zone + 1 :])
    return Zoo(word, empty | 1 << zone, trexless | 1 << zone, counts - (1 << 4 * species), pens)


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
    pen, slot, bit, species, last, closed, narrow, others, unit, rule, shift = move
    word, empty, trexless, counts, contents = zoo
    if not (word >> bit & 1 and hand & 15 * unit and allowed_pens(board, zoo, face) >> pen & 1):
        return None
    pens = list(contents)
    inside = pens[pen]
    at = 3 * slot if slot >= 0 else (inside.bit_length() + 2) // 3 * 3
    pens[pen] = inside | species + 1 << at
    word &= closed if at == last else narrow
    if rule:
        word |= accepts(rule, pens[pen]) << shift
    if species == TREX:
        trexless &= others
    return Zoo(word, empty & others, trexless, counts + unit, tuple(pens))


def first_of(hand: int) -> int:
    """Return the species that a default action plays from a hand."""
    for species in DEFAULT_ORDER:
        if hand >> 4 * species & 15:
            return species
    raise ValueError("an empty hand has no first dinosaur")


def pass_left(hands: tuple[int, ...]) -> tuple[int, ...]:
    """Return the hands after each seat gave its own to seat + 1."""
    return hands[-1:] + hands[:-1]


def draw_hand(pool: bytearray, count: int, chance: Chance, stream: str) -> int:
    """Draw some dinosaurs without looking and return them as a packed count.

    Args:
        pool: What can be drawn, see `pool_of`; the drawn ones are taken out of it.
        count: How many are drawn.
        chance: Where the choice comes from: the index in the pool, one draw a dinosaur.
        stream: Name of the chance stream.
    """
    draw = chance.draw
    hand = 0
    for left in range(len(pool), len(pool) - count, -1):
        hand += 1 << 4 * pool.pop(draw(stream, left))
    return hand


def pool_of(packed: int) -> bytearray:
    """Return the dinosaurs of a packed count, one byte each, in the order of species."""
    return bytearray(one for one in range(SPECIES) for _ in range(packed >> 4 * one & 15))


def box(players: int) -> int:
    """Return all dinosaurs that a match of so many players uses, as a packed count."""
    return BAG_PER_SPECIES[players] * (((1 << 4 * SPECIES) - 1) // 15)


def deal(bag: int, players: int, chance: Chance) -> tuple[tuple[int, ...], int]:
    """Deal a round: each seat in order draws six dinosaurs.

    Returns:
        The hands by seat, and the bag afterwards.
    """
    pool = pool_of(bag)
    hands = tuple(draw_hand(pool, HAND, chance, "bag") for _ in range(players))
    return hands, bag - sum(hands)


def turns_a_round(players: int) -> int:
    """Return how many turns a round has: two players draw anew after three."""
    return 3 if players == 2 else 6


def roll(chance: Chance) -> int:
    """Return the face of the die."""
    return chance.draw("die", DIE_FACES)
