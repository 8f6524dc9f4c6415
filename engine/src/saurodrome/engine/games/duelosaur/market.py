"""Park cards: the deck, its reshuffles, the row, and what leaves it."""

from saurodrome.engine.chance import Chance
from saurodrome.engine.games.duelosaur.position import NOTHING, Market, Position, bits


def stream(layer: int) -> str:
    """Return the chance stream that orders a layer of the deck."""
    return f"reshuffle-{layer}" if layer else "park-deck"


def deck(position: Position) -> int:
    """Return the cards that are in the deck."""
    cards = 0
    for layer in position.market.layers:
        cards |= layer
    return cards & ~position.hidden


def can_draw(position: Position) -> bool:
    """Return whether a card can be had from the deck, if need be after a reshuffle."""
    return bool(deck(position) or position.market.discards)


def draw_top(position: Position, chance: Chance) -> tuple[Position, int]:
    """Draw the top card of the deck, and reshuffle the discards if it is used up (R5).

    Returns:
        The position and the card, or NOTHING if there is none. The card must be put somewhere
        by `take_hidden` or `show`: it is still a card of its layer.
    """
    hidden, layers = position.hidden, position.market.layers
    number = next((n for n, layer in enumerate(layers) if layer & ~hidden), len(layers))
    if number == len(layers):
        if not position.market.discards:
            return position, NOTHING
        position = reshuffle(position)
    left = position.market.layers[number] & ~hidden
    cards = bits(left)
    return position, cards[chance.draw(stream(number), len(cards))]


def reshuffle(position: Position) -> Position:
    """Shuffle the discards and lay them beneath the deck."""
    row, layers, discards = position.market
    return position._replace(market=Market(row, (*layers, discards), 0))


def show(position: Position, cards: int) -> Position:
    """Return the position after everybody has seen some cards."""
    row, layers, discards = position.market
    return position._replace(market=Market(row, tuple(one & ~cards for one in layers), discards))


def discard(position: Position, cards: int) -> Position:
    """Put cards on the discard pile, where everybody sees them."""
    row, layers, discards = position.market
    layers = tuple(one & ~cards for one in layers)
    return position._replace(market=Market(row, layers, discards | cards))


def take_hidden(position: Position, seat: int, chance: Chance) -> Position:
    """Draw a card from the deck into a hand; nothing happens if there is none."""
    position, card = draw_top(position, chance)
    if card == NOTHING:
        return position
    company = position.companies[seat]
    return position.with_company(seat, company._replace(hidden=company.hidden | 1 << card))


def take_slot(position: Position, slot: int, chance: Chance) -> tuple[Position, int]:
    """Take the card of a row slot and refill it; without a card the row closes up (V3).

    Returns:
        The position and the card taken, which has to be put somewhere.
    """
    row = position.market.row
    position, card = draw_top(position, chance)
    fill = () if card == NOTHING else (card,)
    after = (*row[:slot], *fill, *row[slot + 1 :])
    return _with_row(position, after, card), row[slot]


def deal_row(position: Position, chance: Chance) -> Position:
    """Fill the row up to its size, as far as there are cards."""
    while len(position.market.row) < position.setting.components.levels.row_size:
        position, card = draw_top(position, chance)
        if card == NOTHING:
            break
        position = _with_row(position, (*position.market.row, card), card)
    return position


def renew_row(position: Position, chance: Chance) -> Position:
    """Discard the row, then deal a new one."""
    row, layers, discards = position.market
    for card in row:
        discards |= 1 << card
    return deal_row(position._replace(market=Market((), layers, discards)), chance)


def _with_row(position: Position, row: tuple[int, ...], card: int) -> Position:
    """Return the position with another row, in which a card lies that was just drawn."""
    layers, discards = position.market.layers, position.market.discards
    if card != NOTHING:
        layers = tuple(one & ~(1 << card) for one in layers)
    return position._replace(market=Market(row, layers, discards))
