"""The end of a round: hand limits, the draft board is cleared, the marker moves on."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final

from saurodrome.engine.chance import Chance
from saurodrome.engine.games.duelosaur import abilities, market
from saurodrome.engine.games.duelosaur.phase import Phase
from saurodrome.engine.games.duelosaur.position import (
    DISCARD,
    EMPTY_DRAFT,
    INCOME,
    NOTHING,
    ROUND_END,
    Position,
    bits,
    mask,
)

NOT_ASKED: Final = -2
"""Stands for the choice of a seat whose hand is small enough."""


def open_discard(position: Position) -> Position:
    """Ask all whose hands are too large."""
    choices = tuple(
        NOTHING if excess(position, seat) else NOT_ASKED for seat in range(len(position.companies))
    )
    if NOTHING not in choices:
        return position._replace(stage=ROUND_END)
    return position._replace(stage=DISCARD, choices=choices)


def excess(position: Position, seat: int) -> int:
    """Return how many cards a hand has too many."""
    company = position.companies[seat]
    limit = abilities.hand_limit(position.setting.components, company)
    return max(0, company.hand.bit_count() - limit)


def options(position: Position, seat: int) -> Sequence[tuple[int, ...]]:
    """Return all ways to choose the cards to discard, in canonical order."""
    return _combinations(position.companies[seat].hand, excess(position, seat))


@lru_cache(maxsize=16)
def _combinations(hand: int, count: int) -> tuple[tuple[int, ...], ...]:
    return tuple(combinations(bits(hand), count))


def _legal(position: Position, seat: int) -> tuple[int, ...]:
    return tuple(range(len(options(position, seat))))


def _default(position: Position, seat: int) -> int:
    """Return the last way: the highest ids."""
    return len(options(position, seat)) - 1


def _act(position: Position, seat: int, action: int, chance: Chance) -> Position:
    choices = (*position.choices[:seat], action, *position.choices[seat + 1 :])
    position = position._replace(choices=choices)
    return position if NOTHING in choices else _reveal(position)


def _reveal(position: Position) -> Position:
    """Discard what all have chosen."""
    for seat, choice in enumerate(position.choices):
        if choice != NOT_ASKED:
            company, cards = position.companies[seat], mask(options(position, seat)[choice])
            position = market.discard(position, cards)
            rest = company._replace(seen=company.seen & ~cards, hidden=company.hidden & ~cards)
            position = position.with_company(seat, rest)
    return position._replace(choices=(), stage=ROUND_END)


def _text(position: Position, seat: int, action: int) -> str:
    cards = options(position, seat)[action]
    return " ".join(["discard", *(position.setting.cards[card].id for card in cards)])


DISCARD_PHASE: Final = Phase("discard", _legal, _default, _act, _text, sealed=True)


def end_round(position: Position) -> Position:
    """Clear the draft board, move the marker, pass on who is first."""
    staff = position.staff
    return position._replace(
        stage=INCOME,
        staff=staff._replace(discards=staff.discards | mask(position.draft.offer)),
        draft=EMPTY_DRAFT,
        marker=min(position.marker + 1, len(position.setting.components.tracks.pr_spaces) - 1),
        first=position.first if position.solo else 1 - position.first,
        limit=0,
    )
