"""Positions that an observer cannot tell apart, drawn at random."""

from typing import Final

from saurodrome.engine.chance import Chance
from saurodrome.engine.games.duelosaur import build, round_end, setup
from saurodrome.engine.games.duelosaur.knowledge import own_draws
from saurodrome.engine.games.duelosaur.position import (
    BUILD,
    DISCARD,
    NOTHING,
    PREP_SPECIALISTS,
    SETUP,
    Position,
    Work,
    bits,
    mask,
)
from saurodrome.engine.games.duelosaur.steps import DONE, steps

STREAM: Final = "resample"
_STOP: Final = 4
"""One in so many steps of a rival's build is its last one so far."""


def resample(position: Position, player: int | None, chance: Chance) -> Position:
    """Return a random position that this observer cannot tell from this one.

    Cards are as likely as their places allow; hidden choices of others are drawn uniformly
    from those that are possible.
    """
    position = unseen(position, player, chance)
    if position.stage in (SETUP, DISCARD):
        return _choices(position, player, chance)
    return _works(position, player, chance) if position.stage == BUILD else position


def unseen(position: Position, player: int | None, chance: Chance) -> Position:
    """Return a position with the cards dealt anew that this observer cannot see.

    Hidden choices stay as they are: a search begins them anew by itself.
    """
    return _pool(_cards(position, player, chance), player, chance)


def _shuffled(cards: int, chance: Chance) -> list[int]:
    left = bits(cards)
    return [left.pop(chance.draw(STREAM, len(left))) for _ in range(len(left))]


def _cards(position: Position, player: int | None, chance: Chance) -> Position:
    """Deal each layer anew to the places where its cards can be for the observer."""
    hidden = [company.hidden for company in position.companies]
    reserves = [list(reserve) for reserve in position.reserves]
    own = 0
    if player is not None:
        own = hidden[player] | own_draws(position, player)
    for layer in position.market.layers:
        unknown = layer & ~own
        if not unknown & _others(hidden, player) and not reserves:
            continue
        cards = _shuffled(unknown, chance)
        for seat, held in enumerate(hidden):
            if seat != player:
                count = (held & unknown).bit_count()
                hidden[seat] = held & ~unknown | mask(cards.pop() for _ in range(count))
        for reserve in reserves:
            for place, card in enumerate(reserve):
                if unknown >> card & 1:
                    reserve[place] = cards.pop()
    companies = tuple(
        company._replace(hidden=cards)
        for company, cards in zip(position.companies, hidden, strict=True)
    )
    return position._replace(companies=companies, reserves=tuple(map(tuple, reserves)))


def _others(hidden: list[int], player: int | None) -> int:
    """Return the hidden cards of all seats but one."""
    cards = 0
    for seat, held in enumerate(hidden):
        cards |= held if seat != player else 0
    return cards


def _pool(position: Position, player: int | None, chance: Chance) -> Position:
    """Let the first player look at other specialists."""
    pool, staff = position.draft.pool, position.staff
    if position.stage != PREP_SPECIALISTS or position.queue[:1] == (player,):
        return position
    shuffled = _shuffled(staff.deck | mask(pool), chance)
    return position._replace(
        draft=position.draft._replace(pool=tuple(shuffled[: len(pool)])),
        staff=staff._replace(deck=mask(shuffled[len(pool) :])),
    )


def _late(player: int | None, waiting: list[int], chance: Chance) -> int | None:
    """Return a seat that has surely not finished a sealed phase.

    Args:
        player: The observer.
        waiting: The seats that may still have something to finish; the observer knows whether
            it is one of them.
        chance: Where the choice comes from.
    """
    return player if player in waiting else waiting[chance.draw(STREAM, len(waiting))]


def _choices(position: Position, player: int | None, chance: Chance) -> Position:
    """Let the others have chosen something, or nothing yet; not all can have finished."""
    asked = [seat for seat, choice in enumerate(position.choices) if choice >= NOTHING]
    waiting = [s for s in asked if s != player or position.choices[s] == NOTHING]
    late = _late(player, waiting, chance)
    choices = list(position.choices)
    for seat in asked:
        if seat == player:
            continue
        legal = _possible(position, seat)
        chosen = seat != late and chance.draw(STREAM, 2)
        choices[seat] = legal[chance.draw(STREAM, len(legal))] if chosen else NOTHING
    return position._replace(choices=tuple(choices))


def _possible(position: Position, seat: int) -> tuple[int, ...]:
    phase = setup.SETUP_PHASE if position.stage == SETUP else round_end.DISCARD_PHASE
    return phase.legal(position, seat)


def _works(position: Position, player: int | None, chance: Chance) -> Position:
    """Let the others have built something, step by step; not all can have finished."""
    seats = range(len(position.works))
    waiting = [seat for seat in seats if seat != player or not position.works[seat].done]
    late = _late(player, waiting, chance)
    works = [
        position.works[seat] if seat == player else _work(position, seat, seat == late, chance)
        for seat in seats
    ]
    return position._replace(works=tuple(works))


def _work(position: Position, seat: int, late: bool, chance: Chance) -> Work:
    """Return a random build of a player, unfinished if it is late."""
    work = build.opened(position.companies[seat])
    reserve = position.reserves[seat] if position.reserves else ()
    while not work.done and chance.draw(STREAM, _STOP):
        options = steps(position.setting, work)
        step = options[chance.draw(STREAM, len(options))]
        after = build.stepped(position.setting, position.marker, work, step, reserve)
        if late and (step.kind == DONE or after.done):
            break
        work = after
    return work
