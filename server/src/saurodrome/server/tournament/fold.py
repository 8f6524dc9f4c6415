"""A whole log at once: what a server does at its start, and for a table of an earlier moment."""

from collections.abc import Callable, Iterable

from saurodrome.server.settings import TournamentSettings
from saurodrome.server.store.records import Event, EventKind, Result
from saurodrome.server.tournament.course import Course


def fold(
    settings: TournamentSettings,
    owner_of: Callable[[str], str],
    results: Iterable[Result],
    events: Iterable[Event],
    *,
    started: bool,
) -> Course:
    """Folds a whole log; seconds for a large one, so it belongs off the event loop.

    Args:
        settings: The tournament's.
        owner_of: Gives the owner of a bot.
        results: By position.
        events: By number.
        started: It began, also where no event says so, as older versions of the server did.

    Raises:
        ScheduleError: The log cannot be: it is of another version of the format.
    """
    course = Course(settings, owner_of)
    waiting = list(events)
    if started and not any(event.kind is EventKind.STARTED for event in waiting):
        course.start()
    for result in results:
        while waiting and waiting[0].position < result.position:
            _retake(course, waiting.pop(0))
        course.result(result)
    for event in waiting:
        _retake(course, event)
    return course


def trial(
    settings: TournamentSettings, owner_of: Callable[[str], str], events: Iterable[Event]
) -> int:
    """Matches in all if it began now.

    Raises:
        ScheduleError: It could not begin.
    """
    course = fold(settings, owner_of, (), events, started=False)
    course.start()
    return course.total


def _retake(course: Course, event: Event) -> None:
    course.take(event)
    course.noted(event)
