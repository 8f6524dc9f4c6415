"""The AI of a solo match: its income, what it likes in the draft and in PR, its losses."""

from collections.abc import Callable, Sequence

from saurodrome.engine.chance import Chance
from saurodrome.engine.games.duelosaur import market
from saurodrome.engine.games.duelosaur.components import AiCard, Components, Gain
from saurodrome.engine.games.duelosaur.parks import excitement_coins, icons
from saurodrome.engine.games.duelosaur.position import AI, NOTHING, Due, Position, Rival, bits
from saurodrome.engine.games.duelosaur.words import (
    ADVANCED,
    ADVANCED_COLOURS,
    BASIC,
    BASIC_COLOURS,
    CARD,
    COINS,
    DINOSAUR_TYPES,
    FOOD,
    VISITORS,
)


def card_of(position: Position) -> AiCard:
    """Return the AI card of a solo match.

    Raises:
        ValueError: It is no solo match.
    """
    if position.setting.ai is None:
        raise ValueError(f"{position.setting.variant} is played without an AI card")
    return position.setting.ai


def income(position: Position) -> tuple[Due, ...]:
    """Return what the AI gains at income: its draws, then its coins."""
    card, own = card_of(position), position.rivals[0]
    food = icons(position.setting.components, own.attractions)[FOOD]
    earned = coins(position.setting.components, card, own.excitement, food)
    return Due(AI, CARD, card.draw), Due(AI, COINS, earned)


def coins(components: Components, card: AiCard, excitement: int, food: int) -> int:
    """Return the coins of an AI's income.

    Args:
        components: The set.
        card: The AI card.
        excitement: Its excitement.
        food: Its food icons.
    """
    from_food = components.levels.coins_per_food_icon * food if card.coins_food else 0
    from_track = excitement_coins(components, excitement) if card.coins_excitement else 0
    return card.coins + from_food + from_track


def receive(position: Position, chance: Chance) -> Position:
    """Let the first part of the agenda, which is the AI's, take effect."""
    _, key, amount = position.agenda[0]
    position = position._replace(agenda=position.agenda[1:])
    if key == CARD:
        for _ in range(amount):
            position = _draw(position, chance)
        return position
    return position._replace(rivals=(credit(position.rivals[0], key, amount),))


def credit(own: Rival, key: int, amount: int) -> Rival:
    """Return the AI after a gain; it has two DNA totals and no security (R22)."""
    if key == BASIC or key in BASIC_COLOURS:
        return own._replace(basic=own.basic + amount)
    if key == ADVANCED or key in ADVANCED_COLOURS:
        return own._replace(advanced=own.advanced + amount)
    if key == COINS:
        return own._replace(coins=own.coins + amount)
    if key == VISITORS:
        return own._replace(visitors=own.visitors + amount)
    return own


def _draw(position: Position, chance: Chance) -> Position:
    """Let the AI take the card that its priority says, from the row or the deck (R23)."""
    held = position.rivals[0].hand
    slot = best_slot(position.setting.components, card_of(position), position.market.row, held)
    if slot == NOTHING:
        position, card = market.draw_top(position, chance)
        if card == NOTHING:
            return position
        position = market.show(position, 1 << card)
    else:
        position, card = market.take_slot(position, slot, chance)
    own = position.rivals[0]
    return position._replace(rivals=(own._replace(hand=own.hand | 1 << card),))


def best_slot(components: Components, card: AiCard, row: Sequence[int], held: int) -> int:
    """Return the row slot from which an AI draws, NOTHING for the deck.

    Args:
        components: The set.
        card: The AI card.
        row: The cards of the row.
        held: The AI's hand.
    """
    dinosaurs = [components.cards[number].dinosaur for number in row]
    types = {components.cards[number].dinosaur.type for number in bits(held)}
    for word in card.draw_priority:
        if word == "deck":
            break
        if word == "most_excitement":
            slots = range(len(row))
            return max(slots, key=lambda n: (dinosaurs[n].excitement, -n), default=NOTHING)
        for slot, dinosaur in enumerate(dinosaurs):
            new = word == "type_not_in_hand" and dinosaur.type not in types
            if new or DINOSAUR_TYPES[dinosaur.type] == word:
                return slot
    return NOTHING


def _amount(gain: Gain, *keys: int) -> int:
    return sum(amount for key, amount in gain if key in keys)


_DNA = (*BASIC_COLOURS, *ADVANCED_COLOURS, BASIC, ADVANCED)
_WORTH: dict[str, Callable[[Gain, int], int]] = {
    "advanced_dna": lambda gain, threat: _amount(gain, ADVANCED, *ADVANCED_COLOURS),
    "total_dna": lambda gain, threat: _amount(gain, *_DNA),
    "coins": lambda gain, threat: _amount(gain, COINS),
    "visitors": lambda gain, threat: _amount(gain, VISITORS),
    "cards": lambda gain, threat: _amount(gain, CARD),
    "threat": lambda gain, threat: threat,
    "threat_low": lambda gain, threat: -threat,
}


def worth(priority: Sequence[str], gain: Gain, threat: int = 0) -> tuple[int, ...]:
    """Return how much an AI likes a gain, the most important word first."""
    return tuple(_WORTH[word](gain, threat) for word in priority)


def best_item(position: Position, candidates: Sequence[tuple[Gain, int]]) -> int:
    """Return which of the draft's candidates the AI takes, the first of equal ones (R25).

    Args:
        position: The position.
        candidates: Gain and threat icons of each.
    """
    priority = card_of(position).draft_priority
    return max(range(len(candidates)), key=lambda n: (*worth(priority, *candidates[n]), -n))


def best_space(position: Position, limit: int) -> int:
    """Return the PR space that the AI takes left of a limit, the rightmost of equal ones.

    Returns:
        An index on the track, NOTHING if no space is left.
    """
    spaces, priority = position.setting.components.tracks.pr_spaces, card_of(position).pr_priority
    return max(range(limit), key=lambda n: (*worth(priority, spaces[n]), n), default=NOTHING)


def lose(components: Components, card: AiCard, own: Rival, undrafted: int) -> Rival:
    """Return the AI after what the undrafted item costs it; it never takes a lawsuit.

    Args:
        components: The set.
        card: The AI card.
        own: The AI.
        undrafted: Threat icons of the undrafted item.
    """
    loss = card.loss_per_threat * undrafted
    if card.loss_what == "visitors":
        floor = min(own.visitors, components.levels.visitor_floor)
        return own._replace(visitors=max(floor, own.visitors - loss))
    if card.loss_what == "coins":
        return own._replace(coins=max(0, own.coins - loss))
    basic = min(own.basic, loss)
    advanced = min(own.advanced, loss - basic)
    return own._replace(basic=own.basic - basic, advanced=own.advanced - advanced)
