"""The course of a match: which phase runs, and all that happens without a decision."""

from collections.abc import Callable
from typing import Final

from saurodrome.engine.chance import Chance
from saurodrome.engine.games.duelosaur import (
    build,
    draft,
    income,
    preparation,
    questions,
    rival,
    rival_build,
    round_end,
    setup,
    visitors,
)
from saurodrome.engine.games.duelosaur.phase import Phase
from saurodrome.engine.games.duelosaur.position import (
    AI_BUILD,
    AI_TIE,
    BUILD,
    DISCARD,
    END_CHECK,
    HAND_LIMIT,
    INCOME,
    INCOME_TURN,
    NEXT_PICK,
    NOTHING,
    OPEN_BUILD,
    OPEN_DRAFT,
    OVER,
    PICK,
    PR,
    PR_TURN,
    PREP_DICE,
    PREP_SPECIALISTS,
    REROLL,
    RESET,
    ROLL,
    ROUND_END,
    SETUP,
    TWIST,
    VISITORS,
    Position,
)

PHASES: Final[dict[int, Phase]] = {
    TWIST: setup.TWIST_PHASE,
    SETUP: setup.SETUP_PHASE,
    RESET: income.RESET_PHASE,
    PREP_SPECIALISTS: preparation.SPECIALISTS_PHASE,
    REROLL: preparation.REROLL_PHASE,
    PREP_DICE: preparation.DICE_PHASE,
    PICK: draft.PICK_PHASE,
    BUILD: build.BUILD_PHASE,
    AI_TIE: rival_build.AI_TIE_PHASE,
    PR: visitors.PR_PHASE,
    DISCARD: round_end.DISCARD_PHASE,
}

ALL_PHASES: Final = (*PHASES.values(), questions.COLOUR_PHASE, questions.DRAW_PHASE)
"""All kinds of decisions; the last two come up within others."""

_SILENT: Final[dict[int, Callable[[Position], Position]]] = {
    INCOME: income.open_income,
    INCOME_TURN: income.open_turn,
    NEXT_PICK: draft.next_pick,
    AI_BUILD: rival_build.go_on,
    VISITORS: visitors.open_visitors,
    PR_TURN: visitors.next_pr,
    END_CHECK: visitors.check_end,
    HAND_LIMIT: round_end.open_discard,
    ROUND_END: round_end.end_round,
}
"""What happens by itself, without chance."""

_LUCKY: Final[dict[int, Callable[[Position, Chance], Position]]] = {
    OPEN_DRAFT: preparation.open_draft,
    ROLL: preparation.roll,
    OPEN_BUILD: build.open_build,
}
"""What happens by itself, with chance."""


def phase(position: Position) -> Phase | None:
    """Return the kind of the decision that is due, None when the match is over."""
    if position.agenda:
        return questions.asked(position)
    return PHASES.get(position.stage)


def deciders(position: Position) -> tuple[int, ...]:
    """Return who must act, ascending."""
    if position.agenda:
        return (position.agenda[0].seat,)
    if position.stage == BUILD:
        return tuple(seat for seat, work in enumerate(position.works) if not work.done)
    if position.stage in (SETUP, DISCARD):
        return tuple(seat for seat, choice in enumerate(position.choices) if choice == NOTHING)
    return () if position.stage == OVER else position.queue[:1]


def proceed(position: Position, chance: Chance) -> Position:
    """Go on until somebody must decide, or the match is over."""
    while True:
        position = questions.settle(position)
        if position.agenda:
            if position.agenda[0].seat < len(position.companies):
                return position
            position = rival.receive(position, chance)
        elif position.stage in _SILENT:
            position = _SILENT[position.stage](position)
        elif position.stage in _LUCKY:
            position = _LUCKY[position.stage](position, chance)
        else:
            return position
