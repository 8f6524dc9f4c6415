"""Why an action is not legal, in words: for those who look at a fault, never for the rules."""

from typing import Final

from saurodrome.engine.games.draftosaurus.board import (
    EMPTY_PEN,
    FACES,
    FREE,
    GRASSLANDS,
    LETTERS,
    NO_LIMIT,
    NO_TREX,
    SPECIES_NAMES,
    Pen,
)
from saurodrome.engine.games.draftosaurus.pens import (
    BESIDE,
    RULE_ALTERNATE,
    RULE_DIFFERENT,
    RULE_PYRAMID,
    RULE_SAME,
    SPECIES,
    tally,
    unpack,
)
from saurodrome.engine.games.draftosaurus.position import DISCARD, OVER, PLACE, Position

_SUPPORTS: Final = ((), (), (), (0, 1, 2), (0, 1, 2), (3, 4))
"""Slots of a pyramid that must be filled before each slot opens."""


def refusal(position: Position, player: int, action: int) -> str:
    """Return why a player may not choose an action here, as a clause; "" if it may.

    Args:
        position: The position.
        player: The seat.
        action: An action id, maybe none at all.
    """
    if player not in position.deciders():
        return "the match is over" if position.stage == OVER else "nothing is asked of this seat"
    if action in position.legal_actions(player):
        return ""
    board = position.board
    if position.stage == PLACE and 0 <= action < board.first_discard:
        return _no_placement(position, player, action)
    if position.stage == DISCARD and board.first_discard <= action < board.first_move:
        return f"the hand holds no {LETTERS[action - board.first_discard]}"
    if position.stage not in (PLACE, DISCARD) and action >= board.first_move:
        return _no_move(position, player, action - board.first_move)
    asked = {PLACE: "a placement", DISCARD: "a discard"}
    return f"{asked.get(position.stage, 'a move out of quarantine')} is asked for"


def _no_placement(position: Position, player: int, action: int) -> str:
    board, zoo = position.board, position.zoos[player]
    species, place = action % SPECIES, board.places[action // SPECIES]
    if not position.hands[player] >> 4 * species & 15:
        return f"the hand holds no {LETTERS[species]}"
    pen = board.pens[place.pen]
    closed = "" if player == position.roller else closed_by(pen, zoo.pens[place.pen], position.die)
    return closed or pen_refusal(pen, zoo.pens[place.pen], species, place.slot)


def _no_move(position: Position, player: int, placement: int) -> str:
    board, pens = position.board, position.zoos[player].pens
    species, waiting = placement % SPECIES, pens[board.quarantine] - 1
    if species != waiting:
        return f"{LETTERS[waiting]} is in quarantine, not {LETTERS[species]}"
    if not placement < board.first_discard:
        return "there is no such place"
    place = board.places[placement // SPECIES]
    if place.pen == board.quarantine:
        return "the dinosaur in quarantine must leave it"
    return pen_refusal(board.pens[place.pen], pens[place.pen], species, place.slot)


def closed_by(pen: Pen, contents: int, die: int) -> str:
    """Return how a die face closes a pen to those whom it binds, as a clause; "" if it does not.

    Args:
        pen: The pen, or the River.
        contents: What is in it, packed.
        die: The face; FREE binds nobody.
    """
    if pen.zone == FREE or die == FREE:
        return ""
    face = FACES[die].replace("_", " ")
    if die == EMPTY_PEN:
        return f"the die says {face}, {pen.short} is not empty" if contents else ""
    if die == NO_TREX:
        return f"the die says {face}, {pen.short} holds a T-Rex" if tally(contents) & 15 else ""
    lies = pen.zone if die <= GRASSLANDS else pen.side
    where = FACES[lies].replace("_", " ")
    return "" if lies == die else f"the die says {face}, {pen.short} belongs to the {where}"


def pen_refusal(pen: Pen, contents: int, species: int, slot: int = -1) -> str:
    """Return why a pen's own rule does not take a dinosaur, as a clause; "" if it does.

    Args:
        pen: The pen.
        contents: What is in it, packed.
        species: The dinosaur.
        slot: The slot in a pyramid, else -1.
    """
    inside = unpack(contents)
    if pen.rule == RULE_PYRAMID:
        return _pyramid_refusal(pen, inside, species, slot)
    if pen.capacity != NO_LIMIT and len(inside) >= pen.capacity:
        return f"{pen.short} is full with {pen.capacity}"
    if pen.rule == RULE_SAME and inside and inside[0] != species:
        return f"{pen.short} takes one species, and holds {_named(inside[0])}"
    if pen.rule == RULE_DIFFERENT and species in inside:
        return f"{pen.short} takes each species once, and holds {_named(species)} already"
    if pen.rule == RULE_ALTERNATE and len(inside) == 1 and inside[0] == species:
        return f"{pen.short} alternates two species: the second must not be {_named(species)}"
    if pen.rule == RULE_ALTERNATE and len(inside) > 1 and inside[-2] != species:
        return f"{pen.short} alternates two species: the next must be {_named(inside[-2])}"
    return ""


def _named(species: int) -> str:
    """Return a species as "S (stegosaurus)"."""
    return f"{LETTERS[species]} ({SPECIES_NAMES[species]})"


def _pyramid_refusal(pen: Pen, inside: tuple[int, ...], species: int, slot: int) -> str:
    if not 0 <= slot < pen.slots:
        return f"{pen.short} has slots 0 to {pen.slots - 1}"
    held = {number: one for number, one in enumerate(inside) if one >= 0}
    if slot in held:
        return f"slot {slot} of {pen.short} is taken"
    missing = [str(below) for below in _SUPPORTS[slot] if below not in held]
    if missing:
        return f"there is a hole below slot {slot} of {pen.short}: slot {' and '.join(missing)}"
    for other in BESIDE[slot]:
        if held.get(other) == species:
            return f"slot {slot} of {pen.short} touches an equal dinosaur in slot {other}"
    return ""
