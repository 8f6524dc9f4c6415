"""The course of a match: who may do what, and what follows when all have chosen.

Functions that return a position return one of the type they were given.
"""

from collections.abc import Mapping
from typing import Final, TypeVar

from saurodrome.engine.chance import Chance
from saurodrome.engine.errors import IllegalAction, WrongDeciders
from saurodrome.engine.games.draftosaurus import kernel
from saurodrome.engine.games.draftosaurus.board import FREE, Board
from saurodrome.engine.games.draftosaurus.boards import BOARDS
from saurodrome.engine.games.draftosaurus.kernel import DIE_FACES, SPECIES_SETS, TURNS
from saurodrome.engine.games.draftosaurus.pens import SPECIES
from saurodrome.engine.games.draftosaurus.plots import STEPS, Plot, empty_plot
from saurodrome.engine.games.draftosaurus.position import (
    DISCARD,
    NO_ACTION,
    OVER,
    PLACE,
    QUARANTINE,
    SEATS,
    Position,
)

P = TypeVar("P", bound=Position)

_UNITS: Final = kernel.UNITS
_ROUNDS: Final = tuple(kernel.turns_a_round(players) for players in range(6))
FACES: Final = tuple(
    [
        [
            [
                tuple([FREE if seat == roller else die for seat in range(players)])
                for die in range(7)
            ]
            for roller in range(players)
        ]
        for players in range(6)
    ]
)
"""By players, roller and die: the face that binds each seat."""


def first_position(kind: type[P], variant: int, players: int, start: int, chance: Chance) -> P:
    """Return the position in which a match begins: hands dealt, die rolled."""
    box = kernel.box(players)
    hands, bag = kernel.deal(box, players, chance)
    plots = (empty_plot(BOARDS[variant]),) * players
    die = kernel.roll(chance)
    return _new(kind, (variant, start, 0, PLACE, die, bag, hands, plots, (0,) * players, ()))


def default_action(position: Position, player: int) -> int:
    """Return what is played for a player who does not answer (ruling).

    The first dinosaur of the hand, T-Rex last, goes into the River or back in the box; that in
    quarantine goes into the River.
    """
    variant, _, _, stage, _, _, hands, plots, _, _ = position
    if stage == QUARANTINE:
        board = BOARDS[variant]
        return board.first_move + _river(board) + plots[player][3][board.quarantine] - 1
    held = SPECIES_SETS[hands[player]]
    if not held:
        raise ValueError("an empty hand has no first dinosaur")
    return _DEFAULTS[variant][stage][held]


def _river(board: Board) -> int:
    """Return the id of placing species 0 in the River; the other species follow."""
    return (len(board.places) - 1) * SPECIES


def _defaults(first: int) -> tuple[int, ...]:
    """Return what is played of each species set, given the id for species 0; -1 of an empty one."""
    hands = [sum([_UNITS[one] for one in range(SPECIES) if held >> one & 1]) for held in range(64)]
    return tuple([first + kernel.first_of(hand) if hand else -1 for hand in hands])


_DEFAULTS: Final = tuple(
    [(_defaults(_river(board)), _defaults(board.first_discard)) for board in BOARDS]
)
"""By board, stage and species set of the hand: the default action."""


def advance(position: P, chosen: Mapping[int, int], chance: Chance) -> P:
    """Return the position after the choices of all deciders.

    Raises:
        WrongDeciders: Choices are missing, or come from others.
        IllegalAction: A choice is not legal.
    """
    variant, start, turn, stage, die, bag, hands, plots, discards, _ = position
    players = len(plots)
    if stage > DISCARD:
        return _leave_quarantine(position, chosen)
    if len(chosen) != players:
        raise WrongDeciders(SEATS[players], chosen)
    try:
        if stage == PLACE:
            faces = FACES[players][(start + turn) % players][die]
            left, plots, reveal = _place(variant, faces, hands, plots, chosen)
            if players == 2:
                hands = tuple(left)
                values = variant, start, turn, DISCARD, die, bag, hands, plots, discards, reveal
                return _new(type(position), values)
        else:
            left, discards, reveal = _discard(BOARDS[variant], hands, discards, chosen)
    except KeyError:
        if chosen.keys() == set(SEATS[players]):
            raise
        raise WrongDeciders(SEATS[players], chosen) from None
    turn += 1
    stage, die = PLACE, FREE
    left.insert(0, left.pop())  # each gives its own to seat + 1
    hands = tuple(left)
    if turn == TURNS:
        zone = BOARDS[variant].quarantine
        stage = QUARANTINE if zone >= 0 and any(plot[3][zone] for plot in plots) else OVER
    else:
        if turn % _ROUNDS[players] == 0:
            hands, bag = kernel.deal(bag, players, chance)
        die = chance.draw("die", DIE_FACES)
    values = variant, start, turn, stage, die, bag, hands, plots, discards, reveal
    return _new(type(position), values)


def _place(
    variant: int,
    faces: tuple[int, ...],
    hands: tuple[int, ...],
    plots: tuple[Plot, ...],
    chosen: Mapping[int, int],
) -> tuple[list[int], tuple[Plot, ...], tuple[int, ...]]:
    """Return hands, zoos and what is revealed after all placed one dinosaur; see `advance`."""
    second, third, steps = STEPS[variant]
    left, done, reveal = [], [], []
    for player, (one, two, three, pens) in enumerate(plots):
        action, hand = chosen[player], hands[player]
        node = one if action < second else two if action < third else three
        if action not in node.menus[faces[player]][SPECIES_SETS[hand]]:
            raise IllegalAction(player, action)
        pen, dinosaur, unit, ends = steps[action]
        contents = list(pens)  # a third of the price of slices
        inside = contents[pen]
        contents[pen] = inside | dinosaur << ends[inside.bit_length()]
        after = node.after[action] or node.grow(action)
        if action < second:
            done.append((after, two, three, tuple(contents)))
        elif action < third:
            done.append((one, after, three, tuple(contents)))
        else:
            done.append((one, two, after, tuple(contents)))
        left.append(hand - unit)
        reveal.append(action)
    return left, tuple(done), tuple(reveal)


def _discard(
    board: Board, hands: tuple[int, ...], discards: tuple[int, ...], chosen: Mapping[int, int]
) -> tuple[list[int], tuple[int, ...], tuple[int, ...]]:
    """Return hands, discards and what is revealed after all put one dinosaur back in the box."""
    first, menus = board.first_discard, board.discards
    left, piles, reveal = [], [], []
    for player, hand in enumerate(hands):
        action = chosen[player]
        if action not in menus[SPECIES_SETS[hand]]:
            raise IllegalAction(player, action)
        unit = _UNITS[action - first]
        left.append(hand - unit)
        piles.append(discards[player] + unit)
        reveal.append(action)
    return left, tuple(piles), tuple(reveal)


def _leave_quarantine(position: P, chosen: Mapping[int, int]) -> P:
    """Return the end of a match after all owners moved their dinosaur out of quarantine."""
    variant, start, turn, _, die, bag, hands, old, discards, _ = position
    owners = position.deciders()
    if not owners or len(chosen) != len(owners):
        raise WrongDeciders(owners, chosen)
    plots, reveal = list(old), [NO_ACTION] * len(old)
    for player in owners:
        action = chosen.get(player)
        if action is None:
            raise WrongDeciders(owners, chosen)
        plot = _moved(variant, old[player], action)
        if plot is None:
            raise IllegalAction(player, action)
        plots[player], reveal[player] = plot, action
    values = variant, start, turn, OVER, die, bag, hands, tuple(plots), discards, tuple(reveal)
    return _new(type(position), values)


def _moved(variant: int, plot: Plot, move: int) -> Plot | None:
    """Return a zoo after its dinosaur left quarantine, or None if it may not go there."""
    board, (second, third, steps) = BOARDS[variant], STEPS[variant]
    action, zone = move - board.first_move, board.quarantine
    one, two, three, pens = plot
    three = three.lift()
    node = one if action < second else two if action < third else three
    if action not in node.menus[FREE][1 << pens[zone] - 1]:
        return None
    pen, dinosaur, _, ends = steps[action]
    contents = list(pens)
    contents[zone] = 0
    inside = contents[pen]
    contents[pen] = inside | dinosaur << ends[inside.bit_length()]
    after = node.after[action] or node.grow(action)
    if action < second:
        return after, two, three, tuple(contents)
    if action < third:
        return one, after, three, tuple(contents)
    return one, two, after, tuple(contents)


_new: Final = tuple.__new__  # a NamedTuple's own takes twice as long
