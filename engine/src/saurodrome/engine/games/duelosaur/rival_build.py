"""The AI's turn in Build: its plan of the round, and the ties that the human breaks."""

from typing import Final

from saurodrome.engine.chance import Chance
from saurodrome.engine.games.duelosaur import gains
from saurodrome.engine.games.duelosaur.components import Components, Order
from saurodrome.engine.games.duelosaur.parks import icons, sets
from saurodrome.engine.games.duelosaur.phase import Phase
from saurodrome.engine.games.duelosaur.position import (
    AI,
    AI_BUILD,
    AI_TIE,
    VISITORS,
    Position,
    Rival,
    bits,
)
from saurodrome.engine.games.duelosaur.rival import card_of
from saurodrome.engine.games.duelosaur.words import ATTRACTION_TYPES, DINOSAUR_TYPES, RIDE


def go_on(position: Position) -> Position:
    """Do the next step of the AI's plan, ask the human about a tie, or end Build."""
    order = next_order(position)
    if order is None:
        return position._replace(stage=VISITORS, plan=0)
    best = candidates(position.setting.components, position.rivals[0], order)
    if len(best) > 1:
        return position._replace(stage=AI_TIE, queue=(0,))
    if not best:
        return position._replace(plan=position.plan + 1)
    return played(position, order, best[0])


def next_order(position: Position) -> Order | None:
    """Return the next step of the plan of this round, None if it is done."""
    plans = card_of(position).build
    plan = plans[(position.round - 1) % len(plans)]
    return plan[position.plan] if position.plan < len(plan) else None


def candidates(components: Components, own: Rival, order: Order) -> list[int]:
    """Return the cards that the AI likes best for a step, several if they are equal."""
    worth = {card: _worth(components, own, order, card) for card in bits(own.hand)}
    best = max(worth.values(), default=())
    return [card for card, value in worth.items() if value == best]


def _worth(components: Components, own: Rival, order: Order, card: int) -> tuple[int, ...]:
    return tuple(_value(components, own, order, card, word) for word in order.by)


def _value(components: Components, own: Rival, order: Order, card: int, word: str) -> int:
    dinosaur, attraction = components.cards[card].dinosaur, components.cards[card].attraction
    if word == "visitors":
        return attraction.visitors if order.attraction else dinosaur.visitors
    if word == "excitement":
        return dinosaur.excitement
    if word == "completes_set":
        before = sets(icons(components, own.attractions))
        return sets(icons(components, own.attractions | 1 << card)) - before
    if word in DINOSAUR_TYPES:
        return int(not order.attraction and DINOSAUR_TYPES[dinosaur.type] == word)
    return int(order.attraction and ATTRACTION_TYPES[attraction.type] == word)


def played(position: Position, order: Order, card: int) -> Position:
    """Return the position after the AI played a card; it pays nothing (V15)."""
    components, own = position.setting.components, position.rivals[0]
    own = own._replace(hand=own.hand & ~(1 << card))
    agenda = position.agenda
    if order.attraction:
        own = own._replace(attractions=own.attractions | 1 << card)
        attraction = components.cards[card].attraction
        if attraction.type == RIDE:
            bonus = components.tracks.pr_spaces[position.marker]
            agenda += gains.due(AI, bonus * attraction.icons)
    else:
        excitement = own.excitement + components.cards[card].dinosaur.excitement
        excitement = min(components.tracks.excitement_max, excitement)
        own = own._replace(dinosaurs=own.dinosaurs | 1 << card, excitement=excitement)
    return position._replace(
        rivals=(own,), agenda=agenda, plan=position.plan + 1, stage=AI_BUILD, queue=()
    )


# Ties: action ids are cards.


def _order(position: Position) -> Order:
    order = next_order(position)
    if order is None:
        raise ValueError("the plan of the AI is done, so no cards are tied")
    return order


def _legal(position: Position, seat: int) -> tuple[int, ...]:
    return tuple(candidates(position.setting.components, position.rivals[0], _order(position)))


def _default(position: Position, seat: int) -> int:
    return _legal(position, seat)[0]


def _act(position: Position, seat: int, action: int, chance: Chance) -> Position:
    return played(position, _order(position), action)


def _text(position: Position, seat: int, action: int) -> str:
    return position.setting.cards[action].id


AI_TIE_PHASE: Final = Phase("ai_tie", _legal, _default, _act, _text)
