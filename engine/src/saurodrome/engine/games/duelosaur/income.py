"""Income: coins for all, then each player's draws, before them perhaps a new row."""

from typing import Final

from saurodrome.engine.chance import Chance
from saurodrome.engine.games.duelosaur import abilities, market, rival
from saurodrome.engine.games.duelosaur.components import Components
from saurodrome.engine.games.duelosaur.gains import due
from saurodrome.engine.games.duelosaur.parks import excitement_coins, icons
from saurodrome.engine.games.duelosaur.phase import Phase
from saurodrome.engine.games.duelosaur.position import (
    INCOME_TURN,
    OPEN_DRAFT,
    RESET,
    Company,
    Due,
    Position,
)
from saurodrome.engine.games.duelosaur.words import CARD, COINS, FOOD, MERCH

NO_RESET: Final = 0
DO_RESET: Final = 1


def coins(components: Components, excitement: int, food: int) -> int:
    """Return the coins of a player's income.

    Args:
        components: The set.
        excitement: Its excitement.
        food: Its food icons.
    """
    levels = components.levels
    earned = levels.base_income + levels.coins_per_food_icon * food
    return earned + excitement_coins(components, excitement)


def draws(components: Components, merch: int) -> int:
    """Return how many cards a player's income has, by its merchandise icons."""
    return components.levels.cards_per_income + components.levels.cards_per_merch_icon * merch


def turn_order(position: Position) -> tuple[int, ...]:
    """Return the seats in turn order."""
    return (0,) if position.solo else (position.first, 1 - position.first)


def open_income(position: Position) -> Position:
    """Begin a round: coins for all, then what specialists bring; an AI comes first."""
    components, order = position.setting.components, turn_order(position)
    agenda = list(rival.income(position)) if position.solo else []
    for seat in order:
        company = position.companies[seat]
        food = icons(components, company.attractions)[FOOD]
        agenda.append(Due(seat, COINS, coins(components, company.excitement, food)))
    for seat in order:
        agenda += due(seat, abilities.income(components, position.companies[seat]))
    return position._replace(
        round=position.round + 1, stage=INCOME_TURN, queue=order, agenda=tuple(agenda)
    )


def open_turn(position: Position) -> Position:
    """Let the next player decide on a new row, if it can, else draw; or end Income."""
    if not position.queue:
        return position._replace(stage=OPEN_DRAFT)
    company = position.companies[position.queue[0]]
    levels = position.setting.components.levels
    if company.coins >= levels.row_reset_cost and _draws(position, company):
        return position._replace(stage=RESET)
    return _begin_draws(position)


def _draws(position: Position, company: Company) -> int:
    components = position.setting.components
    merch = icons(components, company.attractions)[MERCH]
    return draws(components, merch) + abilities.income_cards(components, company)


def _begin_draws(position: Position) -> Position:
    seat = position.queue[0]
    count = _draws(position, position.companies[seat])
    agenda = (Due(seat, CARD, count),)
    return position._replace(agenda=agenda, queue=position.queue[1:], stage=INCOME_TURN)


def _legal(position: Position, seat: int) -> tuple[int, ...]:
    return (NO_RESET, DO_RESET)


def _default(position: Position, seat: int) -> int:
    return NO_RESET


def _act(position: Position, seat: int, action: int, chance: Chance) -> Position:
    if action == DO_RESET:
        company = position.companies[seat]
        cost = position.setting.components.levels.row_reset_cost
        position = position.with_company(seat, company._replace(coins=company.coins - cost))
        position = market.renew_row(position, chance)
    return _begin_draws(position)


def _text(position: Position, seat: int, action: int) -> str:
    return "reset row" if action == DO_RESET else "leave row"


RESET_PHASE: Final = Phase("reset", _legal, _default, _act, _text)
