"""The rules as functions on ints: choices, placing, passing, dealing, the die, points.

`State.apply` and the play-out loop call the same functions. Values are packed as `pens` says;
hands and bags are packed counts. Sources of the rules: see the folder's README.
"""

from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from saurodrome.engine.chance import Chance
from saurodrome.engine.games.draftosaurus.board import (
    EMPTY_PEN,
    NO_TREX,
    Board,
)
from saurodrome.engine.games.draftosaurus.pens import (
    SPECIES,
    TREX,
    accepts,
    size,
    total,
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
        empty: The set of pens without a dinosaur.
        trexless: The set of pens without a T-Rex.
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
    """Return the set of pens that a die face allows; FREE allows all."""
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
    species = SPECIES_SET[hand]
    open_to = zoo.accepts
    ids: tuple[int, ...] = ()
    for place in board.open_places[allowed_pens(board, zoo, face)]:
        ids += place.ids[open_to >> place.shift & species]
    return ids


def discards(board: Board, hand: int) -> tuple[int, ...]:
    """Return the ids of all ways to put one dinosaur of a hand back in the box."""
    first = board.first_discard
    return tuple(first + one for one in range(SPECIES) if hand >> 4 * one & 15)


def may_place(board: Board, zoo: Zoo, hand: int, face: int, action: int) -> bool:
    """Return whether one placement is legal, without listing the others."""
    index, species = divmod(action, SPECIES)
    if not (0 <= index < len(board.places) and hand >> 4 * species & 15):
        return False
    place = board.places[index]
    if place.pen == board.river:
        return True
    if not allowed_pens(board, zoo, face) >> place.pen & 1:
        return False
    return bool(zoo.accepts >> place.shift >> species & 1)


def put(board: Board, zoo: Zoo, action: int) -> Zoo:
    """Return a zoo after one placement, whose legality is the caller's business."""
    index, species = divmod(action, SPECIES)
    place = board.places[index]
    pen = place.pen
    pens = list(zoo.pens)
    before = pens[pen]
    slot = size(before) if place.slot < 0 else place.slot
    pens[pen] = contents = before | species + 1 << 3 * slot
    word = zoo.accepts
    shift = board.shifts[pen]
    if shift:
        kind = board.pens[pen]
        word = word & board.keeps[pen] | accepts(kind.rule, kind.capacity, contents) << shift
    others = ~(1 << pen)
    trexless = zoo.trexless & others if species == TREX else zoo.trexless
    counts = zoo.counts + (1 << 4 * species)
    return Zoo(word, zoo.empty & others, trexless, counts, tuple(pens))


def first_of(hand: int) -> int:
    """Return the species that a default action plays from a hand."""
    for species in DEFAULT_ORDER:
        if hand >> 4 * species & 15:
            return species
    raise ValueError("an empty hand has no first dinosaur")


def pass_left(hands: tuple[int, ...]) -> tuple[int, ...]:
    """Return the hands after each seat gave its own to seat + 1."""
    return hands[-1:] + hands[:-1]


def take(bag: int, left: int, chance: Chance, stream: str) -> int:
    """Return the species of a dinosaur drawn unseen.

    Args:
        bag: What can be drawn, a packed count.
        left: How many dinosaurs that is.
        chance: Where the choice comes from.
        stream: Name of the chance stream.
    """
    index = chance.draw(stream, left)
    species = 0
    while True:
        index -= bag & 15
        if index < 0:
            return species
        bag >>= 4
        species += 1


def draw_hand(
    bag: int, left: int, count: int, chance: Chance, stream: str = "bag"
) -> tuple[int, int]:
    """Draw some dinosaurs without looking.

    Args:
        bag: What can be drawn, a packed count.
        left: How many dinosaurs that is.
        count: How many are drawn.
        chance: Where the choice comes from.
        stream: Name of the chance stream.

    Returns:
        The dinosaurs drawn and those left, as packed counts.
    """
    hand = 0
    for already in range(count):
        one = 1 << 4 * take(bag, left - already, chance, stream)
        hand += one
        bag -= one
    return hand, bag


def deal(bag: int, players: int, chance: Chance) -> tuple[tuple[int, ...], int]:
    """Deal a round: each seat in order draws six dinosaurs.

    Returns:
        The hands by seat, and the bag afterwards.
    """
    left = total(bag)
    hands = []
    for _ in range(players):
        hand, bag = draw_hand(bag, left, HAND, chance)
        left -= HAND
        hands.append(hand)
    return tuple(hands), bag


def turns_a_round(players: int) -> int:
    """Return how many turns a round has: two players draw anew after three."""
    return 3 if players == 2 else 6


def roll(chance: Chance) -> int:
    """Return the face of the die."""
    return chance.draw("die", DIE_FACES)
