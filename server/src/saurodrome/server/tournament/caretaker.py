"""What happens to tournaments without an organiser: starts at a time, doors, rules for bots."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from weakref import WeakKeyDictionary

from saurodrome.server.contracts import EntrantStatus, TournamentAct
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.lobby import Lobby
from saurodrome.server.observer import Observer
from saurodrome.server.settings import Entry, Format
from saurodrome.server.store.records import EventKind, TournamentState
from saurodrome.server.tournament.sequential import SequentialTest
from saurodrome.server.tournament.tournament import Tournament

LOOK = 1.0
"""Seconds after which it looks again although nobody called: starts and absences come by time."""
PAUSE = 0.1
"""Seconds between two looks, at the least."""
AWAY = "away for longer than join_timeout"
"""Why a bot is out of a ladder that is taken back as soon as it returns."""

Do = Callable[[Tournament, TournamentAct], Awaitable[object]]
Start = Callable[[str], Awaitable[object]]

_Act = tuple[EventKind, str, int]
"""What is done to which bot, when a tournament had so many events."""


class Caretaker:
    """Acts by rule on all tournaments of a server."""

    def __init__(
        self,
        tournaments: Callable[[], list[Tournament]],
        lobby: Lobby,
        observer: Observer,
        now: Callable[[], float],
        do: Do,
        start: Start,
    ) -> None:
        """Does nothing before `run`.

        Args:
            tournaments: Gives those that are not over.
            lobby: Who is here.
            observer: Hears of trouble.
            now: Wall clock in Unix seconds.
            do: Does something to a tournament.
            start: Starts a tournament by its name.
        """
        self._tournaments = tournaments
        self._lobby = lobby
        self._observer = observer
        self._now = now
        self._do = do
        self._start = start
        self._wake = asyncio.Event()
        self._refused: WeakKeyDictionary[Tournament, set[_Act]] = WeakKeyDictionary()
        """What cannot be as long as the events of a tournament are so many."""
        self._tests: WeakKeyDictionary[Tournament, SequentialTest] = WeakKeyDictionary()
        lobby.listen(self.wake)

    def wake(self) -> None:
        """Something changed: look."""
        self._wake.set()

    async def run(self) -> None:
        """Looks after all; ends when cancelled."""
        while True:
            await self._look_after_all()
            try:
                async with asyncio.timeout(LOOK):
                    await self._wake.wait()
            except TimeoutError:
                pass
            self._wake.clear()
            await asyncio.sleep(PAUSE)

    async def _look_after_all(self) -> None:
        for tournament in self._tournaments():
            try:
                await self._look_after(tournament)
            except Exception as error:  # one tournament's trouble stays in that tournament
                self._observer.error("caretaker", error)

    async def _look_after(self, tournament: Tournament) -> None:
        for act in self._due(tournament):
            known = (act.kind, act.bot, len(tournament.course.events))
            if known in self._refused.get(tournament, ()):
                continue
            try:
                await self._do(tournament, act)
            except Refused as refusal:
                if refusal.kind is Kind.UNAVAILABLE:  # the store's trouble passes, and is told
                    return
                self._observer.error(f"{act.kind} by rule", refusal)
                self._refused.setdefault(tournament, set()).add(known)
        if self._should_start(tournament):
            await self._try_to_start(tournament)

    def _due(self, tournament: Tournament) -> list[TournamentAct]:
        """What the rules want now."""
        state = tournament.record.state
        acts: list[TournamentAct] = []
        if state is TournamentState.RUNNING:
            acts += self._broken_blocks(tournament)
            acts += self._quarantine(tournament)
            acts += self._tested(tournament)
            if tournament.settings.format is Format.LADDER:
                acts += self._comings_and_goings(tournament)
        acts += self._open_door(tournament)
        return acts

    def _broken_blocks(self, tournament: Tournament) -> Iterator[TournamentAct]:
        for block, reason in tuple(tournament.broken.items()):
            match_id = f"{tournament.name}/{block}"
            yield TournamentAct(EventKind.VOIDED, match_id=match_id, reason=reason)

    def _quarantine(self, tournament: Tournament) -> Iterator[TournamentAct]:
        for bot in sorted(tournament.leaving()):
            reason = f"{tournament.course.streaks[bot]} forfeits in a row"
            yield TournamentAct(EventKind.WITHDRAWN, bot, reason=reason)

    def _tested(self, tournament: Tournament) -> Iterator[TournamentAct]:
        settings = tournament.settings
        if settings.sprt.bot:
            test = self._tests.setdefault(tournament, SequentialTest(settings))
            for bot, reason in test.lost(tournament.course):
                yield TournamentAct(EventKind.WITHDRAWN, bot, reason=reason)

    def _comings_and_goings(self, tournament: Tournament) -> Iterator[TournamentAct]:
        s = tournament.settings
        for entrant in tuple(tournament.course.entrants.values()):
            away = self._lobby.away_for(entrant.bot, s.game, s.variant)
            if entrant.status is EntrantStatus.PLAYING and away and away >= s.join_timeout:
                yield TournamentAct(EventKind.WITHDRAWN, entrant.bot, reason=AWAY)
            left = entrant.status is EntrantStatus.WITHDRAWN and entrant.reason == AWAY
            if left and away is None:
                yield TournamentAct(EventKind.READMITTED, entrant.bot, reason="back")

    def _open_door(self, tournament: Tournament) -> Iterator[TournamentAct]:
        s = tournament.settings
        closed = s.entry_until and self._now() >= s.entry_until
        if s.entry is not Entry.OPEN or closed or not tournament.course.takes_entries:
            return
        for bot in tuple(self._lobby.here()):
            entered = bot in tournament.course.entrants
            if not entered and self._lobby.away_for(bot, s.game, s.variant) is None:
                yield TournamentAct(EventKind.JOINED, bot, reason="came while entry was open")

    def _should_start(self, tournament: Tournament) -> bool:
        at = tournament.settings.start_at
        planned = tournament.record.state is TournamentState.PLANNED
        refused = _start_of(tournament) in self._refused.get(tournament, ())
        return planned and 0 < at <= self._now() and not refused

    async def _try_to_start(self, tournament: Tournament) -> None:
        known = _start_of(tournament)
        try:
            await self._start(tournament.name)
        except Refused as refusal:  # it starts when its roster has changed
            if refusal.kind is not Kind.UNAVAILABLE:
                self._refused.setdefault(tournament, set()).add(known)
            tournament.block(f"it should have started, but: {refusal.what}")


def _start_of(tournament: Tournament) -> _Act:
    return (EventKind.STARTED, "", len(tournament.course.events))
