"""What is done to a tournament besides playing: checked, taken by its course, stored, applied.

The order matters. A course takes an event only if its format can; the event is stored before
any match begins that follows from it; and while it is written no result is folded, so that it
stands in the log where it stood in memory.
"""

import asyncio
from collections.abc import Callable
from typing import NoReturn

from saurodrome.server.contracts import Entrant, EntrantStatus, TournamentAct
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.observer import Observer
from saurodrome.server.schedule import Change, ScheduleError
from saurodrome.server.settings import Format
from saurodrome.server.store.interface import Store, StoreTrouble
from saurodrome.server.store.records import (
    Event,
    EventKind,
    NewEvent,
    TournamentState,
)
from saurodrome.server.tournament.course import Course, block_of
from saurodrome.server.tournament.fold import fold, trial
from saurodrome.server.tournament.tournament import Tournament

MAX_ENTRANTS = 1_000
"""Bots of one tournament, those that left included."""
RULE = "rule"
"""Who did what nobody did."""
TROUBLE_AGAIN = 1.0
"""Seconds until a log is read again after trouble."""

_GOING = (TournamentState.PLANNED, TournamentState.RUNNING, TournamentState.PAUSED)
_NOT_CANCELLED = (*_GOING, TournamentState.FINISHED)
_STATES = {
    EventKind.JOINED: _GOING,
    EventKind.WITHDRAWN: _GOING,
    EventKind.READMITTED: _GOING,
    EventKind.DISQUALIFIED: _NOT_CANCELLED,
    EventKind.VOIDED: _NOT_CANCELLED,
}


class Acts:
    """Does one thing after the other to a tournament."""

    def __init__(
        self,
        store: Store,
        owner_of: Callable[[str], str],
        observer: Observer,
        now: Callable[[], float],
    ) -> None:
        """Does nothing yet.

        Args:
            store: Where events are kept.
            owner_of: Gives the owner of a bot.
            observer: Hears of each event.
            now: Wall clock in Unix seconds.
        """
        self._store = store
        self._owner_of = owner_of
        self._observer = observer
        self._now = now

    async def do(self, tournament: Tournament, act: TournamentAct) -> Event:
        """Does it; a request that came before is done already.

        Raises:
            Refused: It cannot be, or it cannot be stored now; nothing has changed.
        """
        async with tournament.turn:
            if done := tournament.course.event_of(act.request_id):
                return done
            self._check(tournament, act)
            return await self._held(tournament, act)

    async def start(self, tournament: Tournament, who: str) -> None:
        """Notes that a tournament begins, unless that is noted.

        Raises:
            Refused: It cannot begin, or that cannot be stored now; nothing has changed.
        """
        async with tournament.turn:
            if not tournament.course.started:
                await self._held(tournament, TournamentAct(EventKind.STARTED, who=who))

    async def _held(self, tournament: Tournament, act: TournamentAct) -> Event:
        await tournament.hold()
        try:
            event, change = await self._write(tournament, act)
            if act.kind is EventKind.STARTED:  # of all matches, and none is being played
                await asyncio.to_thread(tournament.apply, change)
            else:
                tournament.apply(change)
            if act.kind is EventKind.VOIDED:
                tournament.broken.pop(tournament.course.planned_id(event.match_id), None)
                if act.who != RULE:
                    tournament.forgive(event.match_id)
        finally:
            tournament.release()
        return event

    async def plan(self, tournament: Tournament) -> None:
        """Counts the matches of a tournament that has not begun.

        Raises:
            ScheduleError: It could not begin.
        """
        course = tournament.course
        events = tuple(course.events)
        tournament.planned_total = await asyncio.to_thread(
            trial, course.settings, self._owner_of, events
        )

    async def _write(self, tournament: Tournament, act: TournamentAct) -> tuple[Event, Change]:
        course = tournament.course
        new = NewEvent(
            tournament.name,
            len(course.results),
            act.kind,
            act.bot,
            self._match_id(course, act),
            act.role,
            act.reason,
            act.who,
            self._now(),
            act.request_id,
        )
        try:
            # Planning takes seconds where there is much to plan.
            long = act.kind in {EventKind.STARTED, EventKind.JOINED}
            scheduled = await asyncio.to_thread(course.scheduled, new) if long else None
            change = course.take(new, scheduled)
        except ScheduleError as error:
            raise Refused(Kind.WRONG_STATE, error.code, error.what, error.where, error.do) from None
        try:
            event = await self._store.add_event(new)
        except StoreTrouble as trouble:
            self._observer.commit_failed(trouble.code, str(trouble), TROUBLE_AGAIN)
            await self._read_again(tournament)
            raise Refused(
                Kind.UNAVAILABLE,
                trouble.code,
                "It cannot be stored now.",
                "the server's disk",
                "try again when the server's store is well; see /healthz",
            ) from trouble
        course.noted(event)
        self._observer.tournament_event(event)
        return event, change

    async def _read_again(self, tournament: Tournament) -> None:
        """Takes the log as it is stored: nobody knows whether the event is in it."""
        while True:
            try:
                events = await self._store.events(tournament.name)
                break
            except StoreTrouble:
                await asyncio.sleep(TROUBLE_AGAIN)
        results = tuple(tournament.course.results)
        started = tournament.record.started is not None
        made = await asyncio.to_thread(
            fold, tournament.settings, self._owner_of, results, events, started=started
        )
        tournament.rebuild(made)

    def _match_id(self, course: Course, act: TournamentAct) -> str:
        """What is voided: of duplicate deals a whole block."""
        if act.kind is not EventKind.VOIDED or not course.duplicate:
            return act.match_id
        planned = course.planned_id(act.match_id)
        block = block_of(planned) if planned.count("/") > 1 else planned
        return f"{course.settings.name}/{block}"

    def _check(self, tournament: Tournament, act: TournamentAct) -> None:
        state = tournament.record.state
        allowed = _STATES[act.kind]
        if state not in allowed:
            raise Refused(
                Kind.WRONG_STATE,
                "WRONG_STATE",
                f"{tournament.name} is {state}: it is too late or too early for that.",
                "name",
                f"this works on one that is {' or '.join(allowed)}",
            )
        entrant = tournament.course.entrants.get(act.bot)
        match act.kind:
            case EventKind.JOINED:
                self._may_join(tournament, act, entrant)
            case EventKind.WITHDRAWN:
                _must_be(act.bot, entrant, EntrantStatus.PLAYING)
            case EventKind.READMITTED:
                _must_be(act.bot, entrant, EntrantStatus.WITHDRAWN)
            case EventKind.DISQUALIFIED:
                _must_be(act.bot, entrant, EntrantStatus.PLAYING, EntrantStatus.WITHDRAWN)
            case EventKind.VOIDED if act.who != RULE:
                _may_void(tournament.course, act.match_id)

    def _may_join(
        self, tournament: Tournament, act: TournamentAct, entrant: Entrant | None
    ) -> None:
        settings = tournament.settings
        if entrant:
            do = "readmit it" if entrant.status is EntrantStatus.WITHDRAWN else "enter another"
            _no("ALREADY_ENTERED", f"{act.bot} has entered already.", "bot", do)
        if settings.entry_until and self._now() >= settings.entry_until:
            what = f"Entry to {settings.name} is closed."
            _no("ENTRY_CLOSED", what, "settings.entry_until", "enter it in another tournament")
        if len(tournament.course.entrants) >= MAX_ENTRANTS:
            what = f"{MAX_ENTRANTS} bots have entered, more cannot."
            _no("TOO_MANY_BOTS", what, "bot", "begin another tournament")
        if act.role == "candidate" and settings.format is not Format.GAUNTLET:
            what = f"A {settings.format} has no candidates."
            _no("NOT_A_GAUNTLET", what, "candidate", "enter it as the others are")


def _must_be(bot: str, entrant: Entrant | None, *wanted: EntrantStatus) -> None:
    if entrant is None:
        raise Refused(
            Kind.NOT_FOUND,
            "NOT_ENTERED",
            f"{bot[:40]!a} has not entered this tournament.",
            "bot",
            "name an entrant: the table lists them",
        )
    if entrant.status not in wanted:
        what = f"{bot} is {entrant.status}."
        _no("WRONG_STATUS", what, "bot", f"this works on a bot that is {' or '.join(wanted)}")


def _may_void(course: Course, match_id: str) -> None:
    result = course.result_of(match_id)
    if result is None and not any(r.match_id == match_id for r in course.results):
        raise Refused(
            Kind.NOT_FOUND,
            "NO_RESULT",
            f"There is no result of {match_id[:80]!a}.",
            "match_id",
            "match ids are tournament/round/pairing/seating; one without a result is not voided",
        )
    if result is None or (course.void_reason(result) and not course.given_up(result)):
        what = f"{match_id} counts no more already."
        _no("ALREADY_VOID", what, "match_id", "nothing is left to do")


def _no(code: str, what: str, where: str, do: str) -> NoReturn:
    raise Refused(Kind.WRONG_STATE, code, what, where, do)
