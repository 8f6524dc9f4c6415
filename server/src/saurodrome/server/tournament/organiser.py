"""What organisers may do: the server's answer to `contracts.Tournaments`."""

import asyncio
import zlib
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

from saurodrome.engine import registry
from saurodrome.server.contracts import (
    BotStatus,
    Listed,
    Progress,
    Registered,
    Table,
    TournamentAct,
)
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.lobby import Lobby
from saurodrome.server.observer import Observer
from saurodrome.server.roster import Roster
from saurodrome.server.schedule import ScheduleError
from saurodrome.server.scheduler import Scheduler
from saurodrome.server.settings import Deals, TournamentSettings
from saurodrome.server.store import records
from saurodrome.server.store.interface import Store, StoreTrouble
from saurodrome.server.store.records import Event, Fault, NewTournament, TournamentState
from saurodrome.server.tournament.acts import Acts
from saurodrome.server.tournament.caretaker import Caretaker
from saurodrome.server.tournament.course import deal_of
from saurodrome.server.tournament.intake import Intake, check_playable
from saurodrome.server.tournament.tables import Tables
from saurodrome.server.tournament.tournament import Listener, Tournament

T = TypeVar("T")

WATCH_PAUSE = 0.5
"""Seconds between two updates to a watcher, at the least."""
WATCH_LOOK = 2.0
"""Seconds after which a watcher is told of a new reason to wait, though no match ended."""
FINISH_AGAIN = 1.0
"""Seconds until the end of a tournament is stored again after trouble."""
OVER = (TournamentState.FINISHED, TournamentState.CANCELLED)
"""States that nothing leaves."""


class Organiser:
    """All tournaments of this server."""

    def __init__(
        self,
        store: Store,
        roster: Roster,
        lobby: Lobby,
        scheduler: Scheduler,
        observer: Observer,
        now: Callable[[], float],
        new_key: Callable[[str], bytes],
    ) -> None:
        """Starts empty; `load` takes up what the store has.

        Args:
            store: Where tournaments are kept.
            roster: The registered bots.
            lobby: Who is here.
            scheduler: Plays the matches of tournaments that run.
            observer: Hears of changes.
            now: Wall clock in Unix seconds.
            new_key: Gives 32 secret bytes for a tournament by its name.
        """
        self._store = store
        self._roster = roster
        self._lobby = lobby
        self._scheduler = scheduler
        self._observer = observer
        self._now = now
        self._new_key = new_key
        self._acts = Acts(store, roster.owner, observer, now)
        self.caretaker = Caretaker(self._going, lobby, observer, now, self._do, self._begin)
        listener = Listener(scheduler.stop, self.caretaker.wake, self._over)
        self._intake = Intake(store, roster, listener)
        self._tournaments: dict[str, Tournament] = {}
        self._tables = Tables(roster.display_name, roster.owner)
        self._moving = asyncio.Lock()
        self._background: set[asyncio.Task[Any]] = set()

    async def load(self) -> tuple[Progress, ...]:
        """Takes up every tournament where the log leaves it; gives those that run.

        One that was begun under other rules is not played on, and says so; a server with
        those rules takes it up again.
        """
        for record in await self._store.tournaments():
            tournament = await self._take_up(record)
            if tournament.is_over:  # it may have stopped between its last result and this state
                await self._move(tournament, TournamentState.FINISHED)
            elif record.state is TournamentState.RUNNING:
                self._go_on(tournament)
        return tuple(
            t.progress()
            for t in self._tournaments.values()
            if t.record.state is TournamentState.RUNNING
        )

    # bots

    async def register_bot(
        self, name: str, display_name: str, owner: str, request_id: str
    ) -> Registered:
        """Registers a bot and issues its token."""
        bot, token = await self._roster.register(name, display_name, owner, request_id)
        return Registered(self._status(bot), token)

    async def list_bots(self, after: str, limit: int) -> tuple[BotStatus, ...]:
        """At most `limit` bots by name, from the name behind `after`."""
        names = sorted(name for name in self._roster.bots if name > after)[:limit]
        return tuple(self._status(self._roster.bots[name]) for name in names)

    async def rotate_token(self, name: str) -> str:
        """Issues a new token; the old one ends at once, its stream too."""
        token = await self._roster.rotate(name)
        self._lobby.revoke(name, _REVOKED)
        return token

    # tournaments

    async def create(self, settings: TournamentSettings, request_id: str) -> Progress:
        """Creates a tournament; one with an open door need not have its bots yet."""
        game = registry.get(settings.game)
        settings = replace(settings, ruleset=game.ruleset, ruleset_hash=game.ruleset_hash)
        await self._intake.check(settings)
        keyed = settings.blind or settings.deals is Deals.DUPLICATE
        key = self._new_key(settings.name) if keyed else b""
        record = await self._store.add_tournament(
            NewTournament(settings, game.rules_version, self._now(), request_id, key)
        )
        if record.settings.name not in self._tournaments:
            self._observer.tournament_changed(record.settings.name, record.state)
            await self._take_up(record)
        return self._get(record.settings.name).progress()

    async def start(self, name: str, who: str = "organiser") -> Progress:
        """Starts a planned tournament; one that runs stays as it is."""
        return await self._whole(self._begin(name, who))

    async def resume(self, name: str) -> Progress:
        """Goes on after a pause; one that runs stays as it is."""
        return await self._run(name, TournamentState.PAUSED, "resume")

    async def pause(self, name: str) -> Progress:
        """Stops leasing its matches; those in flight end."""
        tournament = self._in_state(name, "pause", TournamentState.RUNNING, TournamentState.PAUSED)
        self._scheduler.remove(tournament)
        return await self._move(tournament, TournamentState.PAUSED)

    async def cancel(self, name: str) -> Progress:
        """Ends it for good; its matches in flight are void."""
        before = (TournamentState.PLANNED, TournamentState.RUNNING, TournamentState.PAUSED)
        tournament = self._in_state(name, "cancel", *before, TournamentState.CANCELLED)
        progress = await self._move(tournament, TournamentState.CANCELLED)
        self._scheduler.cancel(tournament)
        return progress

    async def act(self, name: str, act: TournamentAct) -> tuple[Progress, Event]:
        """Enters, withdraws, readmits or disqualifies a bot, or voids a match."""
        tournament = self._get(name)
        if act.bot:
            self._roster.require(act.bot, "bot")
        event = await self._whole(self._do(tournament, act))
        return self._shown(tournament), event

    async def events(self, name: str, after: int, limit: int) -> tuple[Event, ...]:
        """What was done, oldest first, from the number behind `after`."""
        return tuple(self._get(name).course.events[after : after + limit])

    async def get(self, name: str) -> Progress:
        """Where it stands."""
        return self._shown(self._get(name))

    async def list_tournaments(self, before: int | None, limit: int) -> tuple[Progress, ...]:
        """At most `limit` tournaments, newest first, with numbers below `before`."""
        newest = sorted(self._tournaments.values(), key=lambda t: -t.record.number)
        older = [t for t in newest if before is None or t.record.number < before]
        return tuple(map(self._shown, older[:limit]))

    def running(self) -> Iterator[Progress]:
        """Where those stand that run."""
        return (t.progress() for t in self._tournaments.values() if _runs(t))

    def latest(self, limit: int) -> list[Progress]:
        """Where at most `limit` tournaments stand: those that run, then the newest."""
        ordered = sorted(self._tournaments.values(), key=lambda t: (not _runs(t), -t.record.number))
        return [self._shown(tournament) for tournament in ordered[:limit]]

    async def watch(self, name: str) -> AsyncIterator[Progress]:
        """Where it stands: at once, after changes at most twice a second, and when it is over."""
        tournament = self._get(name)
        while True:
            changed = tournament.changed()
            shown = self._shown(tournament)
            yield shown
            if tournament.record.state in OVER:
                return
            await asyncio.sleep(WATCH_PAUSE)
            while shown.waiting_for == self._shown(tournament).waiting_for:
                with suppress(TimeoutError):
                    async with asyncio.timeout(WATCH_LOOK):
                        await changed.wait()
                        break

    async def standings(
        self, name: str, position: int | None = None, event: int | None = None
    ) -> Table:
        """Its table, now or as it was at a position of the log.

        Made off the event loop, once for each position; what is new is added to the sums of
        the table before.
        """
        tournament = self._get(name)
        if position is not None:
            return await self._tables.at(tournament, position, event)
        made = await self._tables.newest(tournament)
        shown = self._shown(tournament)  # more may have come while the table was made
        return made._replace(progress=shown._replace(position=made.progress.position))

    async def faults(
        self, name: str, bot: str, before: int | None, limit: int
    ) -> tuple[tuple[int, Fault], ...]:
        """Faults with their ids, newest first, ids below `before`."""
        self._get(name)
        return await self._store.faults(name, bot, before, limit)

    async def matches(self, name: str, after: int, limit: int) -> tuple[Listed, ...]:
        """Results in the order of the log, from the position behind `after`."""
        tournament = self._get(name)
        sealed = tournament.sealed_deals()
        return tuple(
            Listed(
                r._replace(has_record=r.has_record and deal_of(r.match_id) not in sealed),
                tournament.course.void_reason(r),
            )
            for r in tournament.results[after : after + limit]
        )

    def records_dropped(self, places: Collection[tuple[str, int]]) -> None:
        """Hears of results, by tournament and position, whose match records were deleted."""
        for name, position in places:
            if tournament := self._tournaments.get(name):
                bare = tournament.results[position - 1]._replace(has_record=False)
                tournament.results[position - 1] = bare

    async def record(self, match_id: str, attempt: int) -> bytes:
        """The text of a match record, UTF-8."""
        of = self._tournaments.get(match_id.partition("/")[0])
        if of and deal_of(match_id) in of.sealed_deals():
            raise Refused(
                Kind.WRONG_STATE,
                "RECORD_SEALED",
                f"{match_id[:80]} shares its deal with matches that are still to come.",
                "match_id",
                "ask again when its block is over",
            )
        packed = await self._store.record(match_id, attempt)
        if packed is None:
            raise Refused(
                Kind.NOT_FOUND,
                "NO_RECORD",
                f"There is no match record of {match_id[:80]!a}.",
                "match_id",
                "match ids are tournament/round/pairing/seating; unplayed matches have no record",
            )
        return zlib.decompress(packed)

    # the rest is its own

    async def _take_up(self, record: records.Tournament) -> Tournament:
        made = await self._intake.take_up(record)
        # Two equal requests may get here at once; they speak of one tournament.
        tournament = self._tournaments.setdefault(made.name, made)
        await self._plan(tournament)
        return tournament

    async def _plan(self, tournament: Tournament) -> None:
        if not tournament.course.started:
            with suppress(ScheduleError):  # too few have entered so far
                await self._acts.plan(tournament)

    def _going(self) -> list[Tournament]:
        """Those that are not over."""
        return [t for t in self._tournaments.values() if t.record.state not in OVER]

    async def _do(self, tournament: Tournament, act: TournamentAct) -> Event:
        event = await self._acts.do(tournament, act)
        await self._plan(tournament)
        self._scheduler.wake()
        return event

    async def _begin(self, name: str, who: str = "rule") -> Progress:
        tournament = self._in_state(name, "start", TournamentState.PLANNED, TournamentState.RUNNING)
        check_playable(tournament)
        await self._acts.start(tournament, who)
        return await self._run(name, TournamentState.PLANNED, "start")

    async def _run(self, name: str, before: TournamentState, verb: str) -> Progress:
        tournament = self._in_state(name, verb, before, TournamentState.RUNNING)
        check_playable(tournament)
        progress = await self._move(tournament, TournamentState.RUNNING)
        if progress.tournament.state is TournamentState.RUNNING:
            self._scheduler.add(tournament)
            if tournament.is_over:  # everybody left before it began
                self._over(tournament)
        return progress

    async def _move(self, tournament: Tournament, state: TournamentState) -> Progress:
        async with self._moving:  # the last result may come while an organiser cancels
            if tournament.record.state not in {state, *OVER}:
                record = await self._store.set_state(tournament.name, state, self._now())
                tournament.moved(record)
                self._observer.tournament_changed(tournament.name, state)
        return tournament.progress()

    def _shown(self, tournament: Tournament) -> Progress:
        """Where it stands, with what holds up all tournaments, if that is why it waits."""
        progress = tournament.progress()
        if progress.tournament.state is not TournamentState.RUNNING:
            return progress
        return progress._replace(waiting_for=self._scheduler.held_up or progress.waiting_for)

    def _over(self, tournament: Tournament) -> None:
        self._scheduler.remove(tournament)
        self._spawn(self._finish(tournament))

    def _spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.get_running_loop().create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task

    async def _whole(self, work: Coroutine[Any, Any, T]) -> T:
        """Does something to its end, even if who asked for it goes away."""
        return await asyncio.shield(self._spawn(work))

    async def _finish(self, tournament: Tournament) -> None:
        while tournament.record.state not in OVER:
            try:
                await self._move(tournament, TournamentState.FINISHED)
            except StoreTrouble as trouble:
                self._observer.commit_failed(trouble.code, str(trouble), FINISH_AGAIN)
                await asyncio.sleep(FINISH_AGAIN)

    def _get(self, name: str) -> Tournament:
        if tournament := self._tournaments.get(name):
            return tournament
        known = ", ".join(sorted(self._tournaments)[:8]) or "none yet"
        raise Refused(
            Kind.NOT_FOUND,
            "UNKNOWN_TOURNAMENT",
            f"No tournament is called {name[:40]!a}.",
            "name",
            f"there are: {known}",
        )

    def _in_state(self, name: str, verb: str, *allowed: TournamentState) -> Tournament:
        tournament = self._get(name)
        if tournament.record.state in allowed:
            return tournament
        raise Refused(
            Kind.WRONG_STATE,
            "WRONG_STATE",
            f"{name} is {tournament.record.state}: it is too late or too early to {verb} it.",
            "name",
            f"{verb} works on one that is {' or '.join(allowed[:-1])}",
        )

    def _go_on(self, tournament: Tournament) -> None:
        try:
            check_playable(tournament)
        except Refused as refusal:
            tournament.block(refusal.what)
        else:
            self._scheduler.add(tournament)

    def _status(self, bot: records.Bot) -> BotStatus:
        return BotStatus(bot, self._lobby.connected(bot.name), self._lobby.playing(bot.name))


def _runs(tournament: Tournament) -> bool:
    return tournament.record.state is TournamentState.RUNNING


_REVOKED = Refused(
    Kind.UNAUTHENTICATED,
    "TOKEN_REVOKED",
    "This bot's token was replaced by a new one.",
    "authorization",
    "use the new token",
)
