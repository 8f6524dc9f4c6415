"""The course of a match: who may do what, and what follows when all have chosen."""

from collections.abc import Mapping

from saurodrome.engine.chance import Chance
from saurodrome.engine.errors import IllegalAction
from saurodrome.engine.games.draftosaurus import kernel
from saurodrome.engine.games.draftosaurus.board import FREE
from saurodrome.engine.games.draftosaurus.pens import SPECIES
from saurodrome.engine.games.draftosaurus.position import DISCARD, OVER, PLACE, Position


def first_position(variant: int, players: int, start: int, chance: Chance) -> Position:
    """Return the position in which a match begins: hands dealt, die rolled."""
    position = Position(
        variant=variant,
        start=start,
        turn=0,
        stage=PLACE,
        die=FREE,
        bag=0,
        hands=(),
        zoos=(),
        discards=(0,) * players,
        reveal=(),
    )
    position = position._replace(zoos=(kernel.empty_zoo(position.board),) * players)
    hands, bag = kernel.deal(position.box, players, chance)
    return position._replace(hands=hands, bag=bag, die=kernel.roll(chance))


def binding_face(position: Position, player: int) -> int:
    """Return the die face that binds a player: FREE for the roller."""
    return FREE if player == position.roller else position.die


def legal_actions(position: Position, player: int) -> tuple[int, ...]:
    """Return the ids that a player may choose, ascending."""
    board = position.board
    if position.stage == PLACE:
        face = binding_face(position, player)
        return kernel.placements(board, position.zoos[player], position.hands[player], face)
    if position.stage == DISCARD:
        return kernel.discards(board, position.hands[player])
    return ()


def default_action(position: Position, player: int) -> int:
    """Return what is played for a player who does not answer (ruling).

    The first dinosaur of the hand, T-Rex last, goes into the River or back in the box.
    """
    board = position.board
    species = kernel.first_of(position.hands[player])
    if position.stage == DISCARD:
        return board.first_discard + species
    return (len(board.places) - 1) * SPECIES + species


def advance(position: Position, chosen: Mapping[int, int], chance: Chance) -> Position:
    """Return the position after the choices of all deciders.

    Raises:
        IllegalAction: A choice is not legal.
    """
    return (place if position.stage == PLACE else discard)(position, chosen, chance)


def place(position: Position, chosen: Mapping[int, int], chance: Chance) -> Position:
    """Return the position after all placed one dinosaur, revealed at once.

    Raises:
        IllegalAction: A placement is not legal.
    """
    board = position.board
    zoos = list(position.zoos)
    hands = list(position.hands)
    reveal = []
    for player, zoo in enumerate(position.zoos):
        action = chosen[player]
        face = binding_face(position, player)
        if not kernel.may_place(board, zoo, hands[player], face, action):
            raise IllegalAction(player, action)
        zoos[player] = kernel.put(board, zoo, action)
        hands[player] -= 1 << 4 * (action % SPECIES)
        reveal.append(action)
    placed = position._replace(zoos=tuple(zoos), hands=tuple(hands), reveal=tuple(reveal))
    return placed._replace(stage=DISCARD) if len(zoos) == 2 else _end_turn(placed, chance)


def discard(position: Position, chosen: Mapping[int, int], chance: Chance) -> Position:
    """Return the position after both players put one dinosaur back in the box.

    Raises:
        IllegalAction: A discard is not legal.
    """
    hands = list(position.hands)
    piles = list(position.discards)
    for player in range(len(hands)):
        action = chosen[player]
        if action not in legal_actions(position, player):
            raise IllegalAction(player, action)
        one = 1 << 4 * (action - position.board.first_discard)
        hands[player] -= one
        piles[player] += one
    reveal = tuple(chosen[player] for player in range(len(hands)))
    put_back = position._replace(hands=tuple(hands), discards=tuple(piles), reveal=reveal)
    return _end_turn(put_back, chance)


def _end_turn(position: Position, chance: Chance) -> Position:
    """Pass the hands and the die on; deal anew after a round; end after the last turn."""
    turn = position.turn + 1
    if turn == kernel.TURNS:
        return position._replace(turn=turn, stage=OVER, die=FREE)
    players = len(position.zoos)
    hands, bag = kernel.pass_left(position.hands), position.bag
    if turn % kernel.turns_a_round(players) == 0:
        hands, bag = kernel.deal(bag, players, chance)
    face = kernel.roll(chance)
    return position._replace(turn=turn, stage=PLACE, die=face, hands=hands, bag=bag)


def playout(position: Position, chance: Chance) -> Position:
    """Return the end of a match that goes on with uniformly random legal actions."""
    while position.stage != OVER:
        chosen = {}
        for player in range(len(position.zoos)):
            ids = legal_actions(position, player)
            chosen[player] = ids[chance.draw("choice", len(ids))]
        position = advance(position, chosen, chance)
    return position
