"""Results as the schedule wants them."""

from saurodrome.server import schedule
from saurodrome.server.schedule import Match, ScheduleError
from saurodrome.server.store.records import Result, Termination

UNPLAYED = frozenset({Termination.NO_CONTEST, Termination.ABANDONED})
"""Results that place nobody."""


def check_seats(match: Match, result: Result) -> None:
    """Checks that a result is of the bots that the schedule has in its match.

    Raises:
        ScheduleError: OTHER_TABLE.
    """
    seated = tuple(seat.bot for seat in result.seats)
    if seated != match.seats:
        raise ScheduleError(
            "OTHER_TABLE",
            f"{result.match_id} was played by {', '.join(seated)}.",
            "match",
            f"here {', '.join(match.seats)} meet",
        )


def told(planned: str, result: Result, *, counts: bool = True) -> schedule.Result:
    """A result as the schedule wants it."""
    unplayed = result.termination in UNPLAYED or not counts
    places = () if unplayed else tuple(s.placement for s in result.seats)
    absent = tuple(seat for seat, s in enumerate(result.seats) if s.absent)
    return schedule.Result(planned, places, absent, tuple(s.elo_after for s in result.seats))
