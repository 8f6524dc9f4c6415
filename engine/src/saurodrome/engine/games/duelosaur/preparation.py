"""Before the picks: which specialists are on offer, and which die lies on which slot."""

from functools import cache
from itertools import combinations, permutations
from typing import Final

from saurodrome.engine.chance import Chance
from saurodrome.engine.games.duelosaur import abilities
from saurodrome.engine.games.duelosaur.phase import Phase
from saurodrome.engine.games.duelosaur.position import (
    EMPTY_DRAFT,
    NEXT_PICK,
    PREP_DICE,
    PREP_SPECIALISTS,
    REROLL,
    ROLL,
    Position,
    Staff,
    bits,
    mask,
)

KEPT: Final = 2
"""Specialists on offer each round."""


def open_draft(position: Position, chance: Chance) -> Position:
    """Draw specialists, for the first player to choose from or, in solo, to offer at once."""
    seen = KEPT
    if not position.solo:
        first = position.companies[position.first]
        seen = abilities.specialists_seen(position.setting.components, first)
    position, drawn = _draw_specialists(position, seen, chance)
    if len(drawn) > KEPT:
        draft = EMPTY_DRAFT._replace(pool=drawn)
        return position._replace(draft=draft, stage=PREP_SPECIALISTS, queue=(position.first,))
    return position._replace(draft=EMPTY_DRAFT._replace(offer=drawn), stage=ROLL)


def _draw_specialists(
    position: Position, count: int, chance: Chance
) -> tuple[Position, tuple[int, ...]]:
    """Draw specialists; if there are too few, the discards are shuffled in first (R6)."""
    deck, discards, shuffles = position.staff
    if deck.bit_count() < count and discards:
        deck, discards, shuffles = deck | discards, 0, shuffles + 1
    stream = f"specialist-reshuffle-{shuffles}" if shuffles else "specialist-deck"
    left = bits(deck)
    drawn = tuple(left.pop(chance.draw(stream, len(left))) for _ in range(min(count, len(left))))
    staff = Staff(deck & ~mask(drawn), discards, shuffles)
    return position._replace(staff=staff), drawn


# Specialists: action ids are bit masks of places in the pool.


def _specialists_legal(position: Position, seat: int) -> tuple[int, ...]:
    return tuple(sorted(mask(kept) for kept in combinations(range(len(position.draft.pool)), KEPT)))


def _specialists_default(position: Position, seat: int) -> int:
    return mask(range(KEPT))


def _specialists_act(position: Position, seat: int, action: int, chance: Chance) -> Position:
    pool = position.draft.pool
    offer = tuple(pool[place] for place in bits(action))
    staff = position.staff
    thrown = mask(one for one in pool if one not in offer)
    return position._replace(
        staff=staff._replace(discards=staff.discards | thrown),
        draft=EMPTY_DRAFT._replace(offer=offer),
        stage=ROLL,
        queue=(),
    )


def _specialists_text(position: Position, seat: int, action: int) -> str:
    known, pool = position.setting.components.specialists, position.draft.pool
    return "keep " + " ".join(known[pool[place]].id for place in bits(action))


# The dice.


def roll(position: Position, chance: Chance) -> Position:
    """Take dice from the bag and roll them, one after the other."""
    components, stream = position.setting.components, f"dice-{position.round}"
    bag, rolled = list(range(len(components.dice))), []
    for _ in range(components.dice_rolled):
        faces = components.dice[bag.pop(chance.draw(stream, len(bag)))]
        rolled.append(faces[chance.draw(stream, len(faces))])
    if position.solo:
        draft = position.draft._replace(slots=tuple(rolled))
        return position._replace(draft=draft, stage=NEXT_PICK)
    again = len(_rerolls(position))
    draft = position.draft._replace(rolled=tuple(rolled), rerolls=again)
    stage = REROLL if again else PREP_DICE
    return position._replace(draft=draft, stage=stage, queue=(position.first,))


def _rerolls(position: Position) -> list[int]:
    first = position.companies[position.first]
    return abilities.rerolls(position.setting.components, first)


# Rolling again: action ids are bit masks of dice, in the order drawn.


def _reroll_legal(position: Position, seat: int) -> tuple[int, ...]:
    most = _rerolls(position)[-position.draft.rerolls]
    dice = len(position.draft.rolled)
    return tuple(chosen for chosen in range(1 << dice) if chosen.bit_count() <= most)


def _reroll_default(position: Position, seat: int) -> int:
    return 0


def _reroll_act(position: Position, seat: int, action: int, chance: Chance) -> Position:
    components, rolled = position.setting.components, list(position.draft.rolled)
    for place in bits(action):
        faces = components.dice[components.faces[rolled[place]].die]
        rolled[place] = faces[chance.draw(f"reroll-{position.round}", len(faces))]
    again = position.draft.rerolls - 1
    draft = position.draft._replace(rolled=tuple(rolled), rerolls=again)
    return position._replace(draft=draft, stage=REROLL if again else PREP_DICE)


def _reroll_text(position: Position, seat: int, action: int) -> str:
    return " ".join(["reroll", *(map(str, bits(action)) if action else ["none"])])


# Placing: action ids number the orders of the dice; entry k of one is the die for slot k.


@cache
def placements(dice: int) -> tuple[tuple[int, ...], ...]:
    """Return all ways to put so many dice on as many slots."""
    return tuple(permutations(range(dice)))


def _dice_legal(position: Position, seat: int) -> tuple[int, ...]:
    return tuple(range(len(placements(len(position.draft.rolled)))))


def _dice_default(position: Position, seat: int) -> int:
    return 0


def _dice_act(position: Position, seat: int, action: int, chance: Chance) -> Position:
    rolled = position.draft.rolled
    slots = tuple(rolled[die] for die in placements(len(rolled))[action])
    draft = position.draft._replace(rolled=(), slots=slots)
    return position._replace(draft=draft, stage=NEXT_PICK, queue=())


def _dice_text(position: Position, seat: int, action: int) -> str:
    order = placements(len(position.draft.rolled))[action]
    return " ".join(["place", *map(str, order)])


SPECIALISTS_PHASE: Final = Phase(
    "prep_specialists",
    _specialists_legal,
    _specialists_default,
    _specialists_act,
    _specialists_text,
)
REROLL_PHASE: Final = Phase("reroll", _reroll_legal, _reroll_default, _reroll_act, _reroll_text)
DICE_PHASE: Final = Phase("prep_dice", _dice_legal, _dice_default, _dice_act, _dice_text)
