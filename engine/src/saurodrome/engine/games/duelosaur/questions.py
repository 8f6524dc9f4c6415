"""The questions that gains ask: the colour of a wild unit, where a card comes from."""

from typing import Final

from saurodrome.engine.chance import Chance
from saurodrome.engine.games.duelosaur import market
from saurodrome.engine.games.duelosaur.gains import WAITS, credit, default_colour
from saurodrome.engine.games.duelosaur.phase import Phase
from saurodrome.engine.games.duelosaur.position import Position
from saurodrome.engine.games.duelosaur.words import CARD, COLOURS, RARITY


def settle(position: Position) -> Position:
    """Let gains of players take effect until one asks its owner, or one is the AI's."""
    while position.agenda:
        seat, key, amount = position.agenda[0]
        if amount and (seat >= len(position.companies) or key in WAITS):
            break
        if amount:
            company = credit(position.setting.components, position.companies[seat], key, amount)
            position = position.with_company(seat, company)
        position = position._replace(agenda=position.agenda[1:])
    return position


def one_less(position: Position) -> Position:
    """Return the position after one unit of the first part of the agenda."""
    first = position.agenda[0]
    rest = position.agenda[1:]
    if first.amount == 1:
        return position._replace(agenda=rest)
    return position._replace(agenda=(first._replace(amount=first.amount - 1), *rest))


# Colours: action ids are colours.


def _colour_legal(position: Position, seat: int) -> tuple[int, ...]:
    return RARITY[position.agenda[0].key]


def _colour_default(position: Position, seat: int) -> int:
    return default_colour(position.companies[seat].dna, position.agenda[0].key)


def _colour_act(position: Position, seat: int, action: int, chance: Chance) -> Position:
    company = credit(position.setting.components, position.companies[seat], action, 1)
    return one_less(position).with_company(seat, company)


def _colour_text(position: Position, seat: int, action: int) -> str:
    return COLOURS[action]


# Draws: action ids are row slots; the size of a full row stands for the deck.


def _draw_legal(position: Position, seat: int) -> tuple[int, ...]:
    return (*range(len(position.market.row)), position.setting.components.levels.row_size)


def _draw_default(position: Position, seat: int) -> int:
    if position.market.row and not market.can_draw(position):
        return 0
    return position.setting.components.levels.row_size


def _draw_act(position: Position, seat: int, action: int, chance: Chance) -> Position:
    position = one_less(position)
    if action == position.setting.components.levels.row_size:
        return market.take_hidden(position, seat, chance)
    position, card = market.take_slot(position, action, chance)
    company = position.companies[seat]
    return position.with_company(seat, company._replace(seen=company.seen | 1 << card))


def _draw_text(position: Position, seat: int, action: int) -> str:
    deck = action == position.setting.components.levels.row_size
    return "deck" if deck else f"slot {action}"


COLOUR_PHASE: Final = Phase("colour", _colour_legal, _colour_default, _colour_act, _colour_text)
DRAW_PHASE: Final = Phase("draw", _draw_legal, _draw_default, _draw_act, _draw_text)


def asked(position: Position) -> Phase:
    """Return the kind of the question that the agenda asks."""
    return DRAW_PHASE if position.agenda[0].key == CARD else COLOUR_PHASE
