"""Starts matches: one loop, fair over tournaments, while there is room to record results.

Tournaments take turns. One whose bots are never free at once, since others take each as soon as
it is, would wait for ever: after `PATIENCE` the places of its next match's bots are kept for it.
"""

import asyncio
from collections.abc import Collection
from typing import Protocol

from saurodrome.server.driver import Decided, Driver, Stopped, Table
from saurodrome.server.lobby import Lobby
from saurodrome.server.match import Match, MatchPlan
from saurodrome.server.observer import Observer, Waits
from saurodrome.server.store.records import Result

IDLE_LOOK = 1.0
"""Seconds after which the scheduler looks again although nobody called: absences end by the
clock alone."""

PATIENCE = 5.0
"""Seconds that a tournament plays nothing, since its bots play in others, until places are kept
for it."""


class Source(Protocol):
    """Where matches come from: a tournament that runs."""

    def next(self, lobby: Lobby) -> Table | Decided | None:
        """The next match that can begin or is decided; None if there is none now."""
        ...

    def wanted(self, lobby: Lobby) -> tuple[str, ...]:
        """The bots of its next match, all of them here, while it plays none; else nobody."""
        ...

    def finished(self, result: Result) -> None:
        """A result is committed."""
        ...

    def void(self, plan: MatchPlan, *, counts: bool) -> None:
        """An attempt does not count; it `counts` towards giving the match up."""
        ...

    @property
    def waiting_for(self) -> str:
        """What keeps it from starting a match now, in words; empty if nothing."""
        ...


class Scheduler:
    """Runs every match of this process."""

    def __init__(self, lobby: Lobby, driver: Driver, observer: Observer, max_matches: int) -> None:
        """Starts nothing yet.

        Args:
            lobby: Who is here.
            driver: Plays and records.
            observer: Hears why nothing starts.
            max_matches: Matches in flight at once.
        """
        self._lobby = lobby
        self._driver = driver
        self._observer = observer
        self._max = max_matches
        self._sources: list[Source] = []
        self._passed_over: dict[Source, float] = {}
        """Since when tournaments play nothing, as their bots play in others; longest first."""
        self._tasks: dict[asyncio.Task[None], Source] = {}
        self._playing: dict[asyncio.Task[None], Source] = {}
        self._match_of: dict[asyncio.Task[None], str] = {}
        self._wake = asyncio.Event()
        self._leasing = True
        self._reason = ""
        lobby.listen(self.wake)

    @property
    def in_flight(self) -> int:
        """Matches that are being played or recorded."""
        return len(self._tasks)

    @property
    def reason(self) -> str:
        """Why no match starts although there are some; empty if nothing is in the way."""
        return self._reason

    @property
    def held_up(self) -> str:
        """What holds up all tournaments, in words; empty if nothing does."""
        if self._driver.trouble:
            return f"results cannot be stored ({self._driver.trouble}); tried again"
        return "" if self._leasing else "the server stops"

    def in_play(self, match_id: str) -> Match | None:
        """A match that is being played, for those who show it."""
        return self._driver.in_play(match_id)

    def limit(self, max_matches: int) -> None:
        """Changes how many matches may be in flight; those above it are played to their end."""
        self._max = max_matches
        self.wake()

    def add(self, source: Source) -> None:
        """Takes matches from a tournament from now on; adding it twice is the same."""
        if source not in self._sources:
            self._sources.append(source)
        self.wake()

    def remove(self, source: Source) -> None:
        """Takes no further match from a tournament; those in flight go on."""
        if source in self._sources:
            self._sources.remove(source)
        self._passed_over.pop(source, None)

    def cancel(self, source: Source) -> None:
        """Takes no further match, and makes those that are being played void."""
        self.remove(source)
        for task, playing in self._playing.items():
            if playing is source:
                self._stop(task)

    async def quiet(self, source: Source) -> None:
        """Returns once no match of a tournament is played or recorded any more."""
        while tasks := [task for task, of in self._tasks.items() if of is source]:
            await asyncio.wait(tasks)

    def forget(self, tournament: str) -> None:
        """Nothing more is played of a tournament."""
        self._driver.forget(tournament)

    def stop(self, source: Source, match_ids: Collection[str]) -> None:
        """Makes matches of a tournament void that are being played; takes others as before."""
        for task, playing in self._playing.items():
            if playing is source and self._match_of.get(task) in match_ids:
                self._stop(task)

    def wake(self) -> None:
        """Something changed: look again."""
        self._wake.set()

    async def run(self) -> None:
        """The loop; ends when cancelled."""
        while True:
            self._fill()
            try:
                async with asyncio.timeout(IDLE_LOOK):
                    await self._wake.wait()
            except TimeoutError:
                pass
            self._wake.clear()

    async def drain(self, seconds: float) -> None:
        """Starts nothing more, waits for what is in flight, then makes the rest void.

        Results that are being recorded are not cancelled: they are the recorder's by then.
        """
        self._leasing = False
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
        for task in self._playing:
            self._stop(task)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=1.0)

    def _fill(self) -> None:
        idle, first = 0, self._first()
        while self._sources and idle < len(self._sources):
            if blocked := self._blocked():
                self._waits(blocked, blocked.value)
                return
            source = self._sources.pop(0)
            self._sources.append(source)  # the next tournament has its turn
            found = self._next(source, first)
            idle = 0 if found else idle + 1
            if found:
                self._start(source, found)
        reason = next((s.waiting_for for s in self._sources if s.waiting_for), "")
        self._waits(Waits.BOTS if reason else Waits.NOTHING, reason)

    def _first(self) -> Source | None:
        """The tournament that is asked first and for which places are kept, if any is."""
        source, since = next(iter(self._passed_over.items()), (None, 0.0))
        if source is None or asyncio.get_running_loop().time() - since < PATIENCE:
            return None
        self._sources.remove(source)
        self._sources.insert(0, source)
        return source

    def _next(self, source: Source, first: Source | None) -> Table | Decided | None:
        try:
            kept = first is not None and source is not first
            self._lobby.hold(first.wanted(self._lobby) if first and kept else ())
            found = source.next(self._lobby)
            if found or not source.wanted(self._lobby):
                self._passed_over.pop(source, None)
            elif source in self._sources:
                self._passed_over.setdefault(source, asyncio.get_running_loop().time())
        except Exception as error:  # one tournament's trouble stays in that tournament
            self._observer.error("tournament", error)
            return None
        else:
            return found
        finally:
            self._lobby.hold(())

    def _blocked(self) -> Waits:
        if not self._leasing:
            return Waits.DRAINING
        if not self._driver.has_room:
            return Waits.STORE_FAILING
        return Waits.MAX_MATCHES if len(self._tasks) >= self._max else Waits.NOTHING

    def _waits(self, waits: Waits, reason: str) -> None:
        if reason != self._reason:
            self._reason = reason
            self._observer.scheduler_waits(waits, reason)

    def _start(self, source: Source, found: Table | Decided) -> None:
        task = asyncio.get_running_loop().create_task(self._drive(source, found))
        self._tasks[task] = source
        if isinstance(found, Table):
            self._playing[task] = source
            self._match_of[task] = found.plan.match_id
        task.add_done_callback(self._done)

    def _stop(self, task: asyncio.Task[None]) -> None:
        """Cancels a match that is played; a task that has not begun yet begins first.

        A task that is cancelled before its first step never runs, and nobody would free the
        seats of its match.
        """

        def stop() -> None:
            if task in self._playing:
                task.cancel()

        asyncio.get_running_loop().call_soon(stop)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.pop(task, None)
        self._playing.pop(task, None)
        self._match_of.pop(task, None)
        if not task.cancelled() and (error := task.exception()):
            self._observer.error("scheduler", error)
        self.wake()

    async def _drive(self, source: Source, found: Table | Decided) -> None:
        if isinstance(found, Decided):
            result = await self._driver.decide(found)
            source.finished(result)
            self._observer.match_finished(result, 0.0)
            return
        loop = asyncio.get_running_loop()
        started = loop.time()
        outcome = await self._driver.play(found)
        task = asyncio.current_task()
        if task:
            self._playing.pop(task, None)  # from here on it can no longer be cancelled
        ended = (
            outcome if isinstance(outcome, Stopped) else await self._driver.record(found, *outcome)
        )
        if isinstance(ended, Stopped):
            source.void(found.plan, counts=ended.counts)
            await self._driver.void(found, ended)
            return
        source.finished(ended)
        self._observer.match_finished(ended, loop.time() - started)
