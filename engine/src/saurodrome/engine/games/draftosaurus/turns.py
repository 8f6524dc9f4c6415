"""The course of a match: who may do what, and what follows when all have chosen.

Functions that return a position return one of the type they were given.
"""

from collections.abc import Mapping
from typing import TypeVar

from saurodrome.engine.chance import Chance
from saurodrome.engine.errors import IllegalAction
from saurodrome.engine.games.draftosaurus import kernel
from saurodrome.engine.games.draftosaurus.board import FREE
from saurodrome.engine.games.draftosaurus.boards import BOARDS
from saurodrome.engine.games.draftosaurus.pens import SPECIES
from saurodrome.engine.games.draftosaurus.position import DISCARD, OVER, PLACE, Position

P = TypeVar("P", bound=Position)


def first_position(kind: type[P], variant: int, players: int, start: int, chance: Chance) -> P:
    """Return the position in which a match begins: hands dealt, die rolled."""
    box = kernel.box(players)
    hands, bag = kernel.deal(box, players, chance)
    return kind(
        variant=variant,
        start=start,
        turn=0,
        stage=PLACE,
        die=kernel.roll(chance),
        bag=bag,
        hands=hands,
        zoos=(kernel.empty_zoo(BOARDS[variant]),) * players,
        discards=(0,) * players,
        reveal=(),
    )


def legal_actions(position: Position, player: int) -> tuple[int, ...]:
    """Return the ids that a player may choose, ascending."""
    board = BOARDS[position.variant]
    if position.stage == PLACE:
        zoos = position.zoos
        rolled = (position.start + position.turn) % len(zoos) == player
        face = FREE if rolled else position.die
        return kernel.placements(board, zoos[player], position.hands[player], face)
    if position.stage == DISCARD:
        return kernel.discards(board, position.hands[player])
    return ()


def default_action(position: Position, player: int) -> int:
    """Return what is played for a player who does not answer (ruling).

    The first dinosaur of the hand, T-Rex last, goes into the River or back in the box.
    """
    board = BOARDS[position.variant]
    species = kernel.first_of(position.hands[player])
    if position.stage == DISCARD:
        return board.first_discard + species
    return (len(board.places) - 1) * SPECIES + species


def advance(position: P, chosen: Mapping[int, int], chance: Chance) -> P:
    """Return the position after the choices of all deciders.

    Raises:
        IllegalAction: A choice is not legal.
    """
    return (place if position.stage == PLACE else discard)(position, chosen, chance)


def place(position: P, chosen: Mapping[int, int], chance: Chance) -> P:
    """Return the position after all placed one dinosaur, revealed at once.

    Raises:
        IllegalAction: A placement is not legal.
    """
    board = BOARDS[position.variant]
    roller, die = position.roller, position.die
    zoos, hands, reveal = [], list(position.hands), []
    for player, zoo in enumerate(position.zoos):
        action = chosen[player]
        face = FREE if player == roller else die
        after = kernel.place(board, zoo, hands[player], face, action)
        if after is None:
            raise IllegalAction(player, action)
        zoos.append(after)
        hands[player] -= 1 << 4 * (action % SPECIES)
        reveal.append(action)
    if len(zoos) > 2:
        return _end_turn(position, hands, tuple(zoos), position.discards, tuple(reveal), chance)
    return type(position)(
        position.variant,
        position.start,
        position.turn,
        DISCARD,
        die,
        position.bag,
        tuple(hands),
        tuple(zoos),
        position.discards,
        tuple(reveal),
    )


def discard(position: P, chosen: Mapping[int, int], chance: Chance) -> P:
    """Return the position after both players put one dinosaur back in the box.

    Raises:
        IllegalAction: A discard is not legal.
    """
    first = BOARDS[position.variant].first_discard
    hands, piles, reveal = [], [], []
    for player, hand in enumerate(position.hands):
        species = chosen[player] - first
        if not (0 <= species < SPECIES and hand >> 4 * species & 15):
            raise IllegalAction(player, chosen[player])
        hands.append(hand - (1 << 4 * species))
        piles.append(position.discards[player] + (1 << 4 * species))
        reveal.append(chosen[player])
    return _end_turn(position, hands, position.zoos, tuple(piles), tuple(reveal), chance)


def _end_turn(
    position: P,
    left: list[int],
    zoos: tuple[kernel.Zoo, ...],
    discards: tuple[int, ...],
    reveal: tuple[int, ...],
    chance: Chance,
) -> P:
    """Pass the hands and the die on; deal anew after a round; end after the last turn."""
    turn = position.turn + 1
    hands, bag = kernel.pass_left(tuple(left)), position.bag
    stage, die = OVER, FREE
    if turn < kernel.TURNS:
        if turn % kernel.turns_a_round(len(zoos)) == 0:
            hands, bag = kernel.deal(bag, len(zoos), chance)
        stage, die = PLACE, kernel.roll(chance)
    kind, variant, start = type(position), position.variant, position.start
    return kind(variant, start, turn, stage, die, bag, hands, zoos, discards, reveal)


def playout(position: P, chance: Chance) -> P:
    """Return the end of a match that goes on with uniformly random legal actions."""
    while position.stage != OVER:
        chosen = {}
        for player in range(len(position.zoos)):
            ids = legal_actions(position, player)
            chosen[player] = ids[chance.draw("choice", len(ids))]
        position = advance(position, chosen, chance)
    return position
