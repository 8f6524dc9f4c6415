"""From a form to its planner, and from a log to its matches."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from saurodrome.server.schedule.all_meet import AllMeet
from saurodrome.server.schedule.errors import ScheduleError
from saurodrome.server.schedule.format import Event, Form, Match, Planner, Result
from saurodrome.server.schedule.gauntlet import Gauntlet
from saurodrome.server.schedule.knockout import Knockout
from saurodrome.server.schedule.ladder import Ladder
from saurodrome.server.schedule.swiss import Swiss

_PLANNERS: dict[str, Callable[[Form, int], Planner]] = {
    "round-robin": AllMeet,
    "gauntlet": Gauntlet,
    "swiss": Swiss,
    "knockout": Knockout,
    "ladder": Ladder,
}


class Plan(NamedTuple):
    """What a log makes of a form."""

    planner: Planner
    matches: dict[str, Match]
    """All that ever were due, by id, in the order of play."""
    due: dict[str, Match]
    """Those to be played: without a result, and not gone."""
    void: frozenset[str]
    """Ids whose results do not count."""


def planner_of(form: Form, seed: int) -> Planner:
    """Return a format at its beginning.

    Raises:
        ScheduleError: there is no such format.
    """
    if form.kind not in _PLANNERS:
        raise ScheduleError(
            "UNKNOWN_FORMAT",
            f"There is no format {form.kind[:40]!r}.",
            "format",
            f"use {' or '.join(_PLANNERS)}",
        )
    return _PLANNERS[form.kind](form, seed)


def plan(form: Form, seed: int, log: Iterable[Event]) -> Plan:
    """Return what is played: a function of its arguments alone.

    Raises:
        ScheduleError: the log cannot be.
    """
    planner = planner_of(form, seed)
    matches: dict[str, Match] = {}
    due: dict[str, Match] = {}
    void: set[str] = set()
    for event in log:
        change = planner.add(event)
        if isinstance(event, Result):
            due.pop(event.match, None)
            void.discard(event.match)
        for match_id in change.gone:
            due.pop(match_id, None)
        for match in change.due:
            matches[match.id] = due[match.id] = match
        void |= change.void
    return Plan(planner, matches, due, frozenset(void))
