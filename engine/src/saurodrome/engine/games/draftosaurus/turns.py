"""The course of a match: who may do what, and what follows when all have chosen.

Functions that return a position return one of the type they were given.
"""

from collections.abc import Mapping
from typing import Final, TypeVar

from saurodrome.engine.chance import Chance
from saurodrome.engine.errors import IllegalAction
from saurodrome.engine.games.draftosaurus import kernel
from saurodrome.engine.games.draftosaurus.board import FREE
from saurodrome.engine.games.draftosaurus.boards import BOARDS
from saurodrome.engine.games.draftosaurus.pens import SPECIES
from saurodrome.engine.games.draftosaurus.position import (
    DISCARD,
    NO_ACTION,
    OVER,
    PLACE,
    QUARANTINE,
    Position,
)

P = TypeVar("P", bound=Position)

_UNITS: Final = kernel.UNITS
_ROUNDS: Final = tuple(kernel.turns_a_round(players) for players in range(6))
_SEATS: Final = tuple(tuple(range(players)) for players in range(6))


def first_position(kind: type[P], variant: int, players: int, start: int, chance: Chance) -> P:
    """Return the position in which a match begins: hands dealt, die rolled."""
    box = kernel.box(players)
    hands, bag = kernel.deal(box, players, chance)
    zoos = (kernel.empty_zoo(BOARDS[variant]),) * players
    die = kernel.roll(chance)
    return _new(kind, (variant, start, 0, PLACE, die, bag, hands, zoos, (0,) * players, ()))


def legal_actions(position: Position, player: int) -> tuple[int, ...]:
    """Return the ids that a player may choose, ascending."""
    variant, start, turn, stage, die, _, hands, zoos, _, _ = position
    board = BOARDS[variant]
    if stage == PLACE:
        face = FREE if (start + turn) % len(zoos) == player else die
        return kernel.placements(board, zoos[player], hands[player], face)
    if stage == DISCARD:
        return kernel.discards(board, hands[player])
    return kernel.departures(board, zoos[player]) if stage == QUARANTINE else ()


def default_action(position: Position, player: int) -> int:
    """Return what is played for a player who does not answer (ruling).

    The first dinosaur of the hand, T-Rex last, goes into the River or back in the box; that in
    quarantine goes into the River.
    """
    board = BOARDS[position.variant]
    river = (len(board.places) - 1) * SPECIES
    if position.stage == QUARANTINE:
        return board.first_move + river + position.zoos[player].pens[board.quarantine] - 1
    species = kernel.first_of(position.hands[player])
    return (board.first_discard if position.stage == DISCARD else river) + species


def advance(position: P, chosen: Mapping[int, int], chance: Chance) -> P:
    """Return the position after the choices of all deciders.

    Raises:
        IllegalAction: A choice is not legal.
    """
    stage = position.stage
    if stage == PLACE:
        return place(position, chosen, chance)
    if stage == DISCARD:
        return discard(position, chosen, chance)
    return leave_quarantine(position, chosen)


def place(position: P, chosen: Mapping[int, int], chance: Chance) -> P:
    """Return the position after all placed one dinosaur, revealed at once.

    Raises:
        IllegalAction: A placement is not legal.
    """
    variant, start, turn, _, die, bag, before, old, discards, _ = position
    board = BOARDS[variant]
    roller = (start + turn) % len(old)
    zoos, hands, reveal = [], [], []
    for player, zoo in enumerate(old):
        action, hand = chosen[player], before[player]
        after = kernel.place(board, zoo, hand, FREE if player == roller else die, action)
        if after is None:
            raise IllegalAction(player, action)
        zoos.append(after)
        hands.append(hand - _UNITS[action % SPECIES])
        reveal.append(action)
    left, done, shown = tuple(hands), tuple(zoos), tuple(reveal)
    if len(done) > 2:
        return _end_turn(position, left, done, discards, shown, chance)
    values = variant, start, turn, DISCARD, die, bag, left, done, discards, shown
    return _new(type(position), values)


def discard(position: P, chosen: Mapping[int, int], chance: Chance) -> P:
    """Return the position after both players put one dinosaur back in the box.

    Raises:
        IllegalAction: A discard is not legal.
    """
    variant, _, _, _, _, _, before, zoos, old, _ = position
    first = BOARDS[variant].first_discard
    hands, piles, reveal = [], [], []
    for player, hand in enumerate(before):
        action = chosen[player]
        unit = _UNITS[action - first] if 0 <= action - first < SPECIES else 0
        if not hand & 15 * unit:
            raise IllegalAction(player, action)
        hands.append(hand - unit)
        piles.append(old[player] + unit)
        reveal.append(action)
    return _end_turn(position, tuple(hands), zoos, tuple(piles), tuple(reveal), chance)


def deciders(position: Position) -> tuple[int, ...]:
    """Return all seats, in quarantine its owners, after the end nobody."""
    stage, zoos = position.stage, position.zoos
    if stage <= DISCARD:
        return _SEATS[len(zoos)]
    if stage == OVER:
        return ()
    zone = BOARDS[position.variant].quarantine
    return tuple([seat for seat, zoo in enumerate(zoos) if zoo.pens[zone]])


def leave_quarantine(position: P, chosen: Mapping[int, int]) -> P:
    """Return the end of a match after all owners moved their dinosaur out of quarantine.

    Raises:
        IllegalAction: A move is not legal.
    """
    board = BOARDS[position.variant]
    zoos = list(position.zoos)
    for player, action in chosen.items():
        hand = 1 << 4 * (zoos[player].pens[board.quarantine] - 1)
        lifted = kernel.lift(board, zoos[player])
        after = kernel.place(board, lifted, hand, FREE, action - board.first_move)
        if after is None:
            raise IllegalAction(player, action)
        zoos[player] = after
    reveal = tuple(chosen.get(player, NO_ACTION) for player in range(len(zoos)))
    return position._replace(stage=OVER, zoos=tuple(zoos), reveal=reveal)


def _end_turn(
    position: P,
    left: tuple[int, ...],
    zoos: tuple[kernel.Zoo, ...],
    discards: tuple[int, ...],
    reveal: tuple[int, ...],
    chance: Chance,
) -> P:
    """Pass the hands and the die on; deal anew after a round; end after the last turn."""
    variant, start, turn, _, _, bag, _, _, _, _ = position
    turn += 1
    hands = left[-1:] + left[:-1]  # each gives its own to seat + 1
    stage, die = PLACE, FREE
    if turn == kernel.TURNS:
        zone = BOARDS[variant].quarantine
        stage = QUARANTINE if zone >= 0 and any(zoo.pens[zone] for zoo in zoos) else OVER
    else:
        if turn % _ROUNDS[len(zoos)] == 0:
            hands, bag = kernel.deal(bag, len(zoos), chance)
        die = kernel.roll(chance)
    values = variant, start, turn, stage, die, bag, hands, zoos, discards, reveal
    return _new(type(position), values)


_new: Final = tuple.__new__  # a NamedTuple's own takes twice as long
