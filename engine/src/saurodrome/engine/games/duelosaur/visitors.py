"""Visitors: escapes, the crowd that excitement brings, PR bonuses, the end of the match."""

from collections.abc import Sequence
from typing import Final

from saurodrome.engine.chance import Chance
from saurodrome.engine.games.duelosaur import abilities, gains, rival
from saurodrome.engine.games.duelosaur.components import Components
from saurodrome.engine.games.duelosaur.draft import undrafted_threat
from saurodrome.engine.games.duelosaur.phase import Phase
from saurodrome.engine.games.duelosaur.position import (
    AI,
    END_CHECK,
    HAND_LIMIT,
    OVER,
    PR,
    PR_TURN,
    Company,
    Position,
)

MOST_ROUNDS: Final = 20
"""Then the match is scored: badly secured parks could go on for ever (R18)."""


def open_visitors(position: Position) -> Position:
    """Let dinosaurs escape and the crowds come; then PR begins at the marker."""
    components = position.setting.components
    undrafted = undrafted_threat(components, position.draft)
    companies = tuple(
        crowded(components, escaped(components, company, undrafted))
        for company in position.companies
    )
    position = position._replace(companies=companies)
    if position.solo:
        own = rival.lose(components, rival.card_of(position), position.rivals[0], undrafted)
        own = own._replace(visitors=own.visitors + own.excitement)
        position = position._replace(rivals=(own,))
    return position._replace(stage=PR_TURN, queue=pr_order(position), limit=position.marker)


def shortfall(components: Components, company: Company, undrafted: int) -> int:
    """Return by how many levels security is short of the threat.

    Args:
        components: The set.
        company: The company.
        undrafted: Threat icons of the undrafted item.
    """
    counted = 0 if abilities.ignores_undrafted(components, company) else undrafted
    threat = company.threat + counted + abilities.threat_change(components, company)
    return max(0, threat - company.security)


def escaped(components: Components, company: Company, undrafted: int) -> Company:
    """Return a company after the escapes: visitors leave, below the floor comes a lawsuit."""
    short = shortfall(components, company, undrafted)
    left = company.visitors - abilities.loss_factor(components, company) * short
    floor = components.levels.visitor_floor
    if left >= floor:
        return company._replace(visitors=left)
    return company._replace(visitors=floor, lawsuits=company.lawsuits + 1)


def crowded(components: Components, company: Company) -> Company:
    """Return a company after its excitement, and perhaps a specialist, drew visitors."""
    more = company.excitement + abilities.more_visitors(components, company)
    return company._replace(visitors=company.visitors + more)


def pr_order(position: Position) -> tuple[int, ...]:
    """Return who chooses a PR bonus before whom."""
    if position.solo:
        return (AI, 0) if rival.card_of(position).pr_first else (0, AI)
    parts, companies = position.setting.components, position.companies
    early = [abilities.chooses_pr_first(parts, company) for company in companies]
    if early[0] != early[1]:
        return (0, 1) if early[0] else (1, 0)
    parks = [(c.dinosaurs | c.attractions).bit_count() for c in companies]
    return usual_order([c.excitement for c in companies], parks, position.first)


def usual_order(
    excitement: Sequence[int], park_cards: Sequence[int], first: int
) -> tuple[int, ...]:
    """Return the usual order of PR: less excitement, a smaller park, this round's first."""
    return tuple(
        sorted((0, 1), key=lambda seat: (excitement[seat], park_cards[seat], seat != first))
    )


def next_pr(position: Position) -> Position:
    """Let the next one choose a bonus left of the last one, if there is any."""
    if not position.queue:
        return position._replace(stage=END_CHECK)
    if position.limit <= 0:
        return position._replace(queue=(), stage=END_CHECK)
    seat = position.queue[0]
    if seat < len(position.companies):
        return position._replace(stage=PR)
    return chosen(position, seat, rival.best_space(position, position.limit))


def chosen(position: Position, seat: int, space: int) -> Position:
    """Return the position after a bonus was chosen."""
    gain = position.setting.components.tracks.pr_spaces[space]
    return position._replace(
        agenda=gains.due(seat, gain), limit=space, queue=position.queue[1:], stage=PR_TURN
    )


# Choosing: action ids are spaces of the track.


def _legal(position: Position, seat: int) -> tuple[int, ...]:
    return tuple(range(position.limit))


def _default(position: Position, seat: int) -> int:
    return position.limit - 1


def _act(position: Position, seat: int, action: int, chance: Chance) -> Position:
    return chosen(position, seat, action)


def _text(position: Position, seat: int, action: int) -> str:
    return f"space {action}"


PR_PHASE: Final = Phase("pr", _legal, _default, _act, _text)


def check_end(position: Position) -> Position:
    """End the match if a crowd is large enough, or go on to the end of the round."""
    crowds = [one.visitors for one in position.companies]
    crowds += [one.visitors for one in position.rivals]
    reached = max(crowds) >= position.setting.threshold
    if position.final or position.round >= MOST_ROUNDS:
        return _over(position)
    if not reached:
        return position._replace(stage=HAND_LIMIT)
    if position.setting.extra_round:
        return position._replace(stage=HAND_LIMIT, final=True)
    return _over(position)


def _over(position: Position) -> Position:
    return position._replace(stage=OVER, queue=(), limit=0)
