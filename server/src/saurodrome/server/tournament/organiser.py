"""What is done to tournaments: with what `Reader` tells, the answer to `contracts.Tournaments`."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from saurodrome.engine import registry
from saurodrome.server.contracts import Progress, Registered, TournamentAct
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.lobby import Lobby
from saurodrome.server.observer import Observer
from saurodrome.server.roster import Roster
from saurodrome.server.schedule import ScheduleError
from saurodrome.server.scheduler import Scheduler
from saurodrome.server.settings import Deals, TournamentSettings
from saurodrome.server.store import records
from saurodrome.server.store.interface import Store, StoreTrouble
from saurodrome.server.store.records import OVER, Event, NewTournament, TournamentState
from saurodrome.server.tournament.acts import Acts
from saurodrome.server.tournament.caretaker import Caretaker
from saurodrome.server.tournament.intake import Intake, check_playable
from saurodrome.server.tournament.reader import Reader
from saurodrome.server.tournament.tournament import Listener, Tournament

T = TypeVar("T")

FINISH_AGAIN = 1.0
"""Seconds until the end of a tournament is stored again after trouble."""


class Organiser(Reader):
    """All tournaments of this server, to be changed."""

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
        super().__init__(store, roster, lobby, scheduler, self._made)
        self._observer = observer
        self._now = now
        self._new_key = new_key
        self._acts = Acts(store, roster.owner, observer, now)
        self.caretaker = Caretaker(self._going, lobby, observer, now, self._do, self._begin)
        listener = Listener(
            scheduler.stop, self.caretaker.wake, self._over, scheduler.wake, observer.error
        )
        self._intake = Intake(store, roster, listener)
        self._moving = asyncio.Lock()
        self._background: set[asyncio.Task[Any]] = set()
        self._leaving: set[asyncio.Task[Any]] = set()

    async def load(self) -> tuple[Progress, ...]:
        """Takes up where the log leaves it every tournament that is not over; gives those that run.

        One that was begun under other rules is not played on, and says so; a server with
        those rules takes it up again.
        """
        await self._shelf.open()
        going = await self._store.going()
        states = {record.settings.name: record.state for record in going}
        over = await self._store.over_counts()
        self._observer.tournaments_found(states, {state.value: n for state, n in over.items()})
        for record in going:
            tournament = await self._take_up(record)
            if tournament.is_over:  # it may have stopped between its last result and this state
                await self._move(tournament, TournamentState.FINISHED)
            elif record.state is TournamentState.RUNNING:
                self._go_on(tournament)
        return tuple(self.running())

    async def stop(self) -> None:
        """Ends what goes on by itself; the store has all of it."""
        for leaving in tuple(self._leaving):
            leaving.cancel()
            await asyncio.wait({leaving})
        await self._shelf.stop()

    # bots

    async def register_bot(
        self, name: str, display_name: str, owner: str, request_id: str
    ) -> Registered:
        """Registers a bot and issues its token."""
        bot, token = await self._roster.register(name, display_name, owner, request_id)
        return Registered(self._status(bot), token)

    async def rotate_token(self, name: str) -> str:
        """Issues a new token; the old one ends at once, its stream too."""
        token = await self._roster.rotate(name)
        self._lobby.revoke(name, _REVOKED())
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
        if record.state not in OVER and self._shelf.at_hand(record.settings.name) is None:
            self._observer.tournament_changed(record.settings.name, record.state)
            await self._take_up(record)
        return await self._shelf.stands(record.settings.name)

    async def start(self, name: str, who: str = "organiser") -> Progress:
        """Starts a planned tournament; one that runs stays as it is."""
        return await self._whole(self._begin(name, who))

    async def resume(self, name: str) -> Progress:
        """Goes on after a pause; one that runs stays as it is."""
        return await self._run(name, TournamentState.PAUSED, "resume")

    async def pause(self, name: str) -> Progress:
        """Stops leasing its matches; those in flight end."""
        tournament = await self._in_state(
            name, "pause", TournamentState.RUNNING, TournamentState.PAUSED
        )
        self._scheduler.remove(tournament)
        return await self._move(tournament, TournamentState.PAUSED)

    async def cancel(self, name: str) -> Progress:
        """Ends it for good; its matches in flight are void."""
        before = (TournamentState.PLANNED, TournamentState.RUNNING, TournamentState.PAUSED)
        tournament = await self._in_state(name, "cancel", *before, TournamentState.CANCELLED)
        progress = await self._move(tournament, TournamentState.CANCELLED)
        self._scheduler.cancel(tournament)
        return progress

    async def act(self, name: str, act: TournamentAct) -> tuple[Progress, Event]:
        """Enters, withdraws, readmits or disqualifies a bot, or voids a match."""
        tournament = await self._shelf.find(name)
        if act.bot:
            self._roster.require(act.bot, "bot")
        event = await self._whole(self._do(tournament, act))
        return self._shown(tournament.progress()), event

    # the rest is its own

    async def _take_up(self, record: records.Tournament) -> Tournament:
        # Two equal requests may get here at once; they speak of one tournament.
        return self._shelf.add(await self._made(record))

    async def _made(self, record: records.Tournament) -> Tournament:
        tournament = await self._intake.take_up(record)
        await self._plan(tournament)
        return tournament

    async def _plan(self, tournament: Tournament) -> None:
        if not tournament.course.started:
            with suppress(ScheduleError):  # too few have entered so far
                await self._acts.plan(tournament)

    def _going(self) -> list[Tournament]:
        """Those that are not over."""
        return [t for t in self._shelf.going if t.record.state not in OVER]

    async def _do(self, tournament: Tournament, act: TournamentAct) -> Event:
        event = await self._acts.do(tournament, act)
        await self._plan(tournament)
        if tournament.record.state in OVER:
            await self._shelf.put_away(tournament)
        self._scheduler.wake()
        return event

    async def _begin(self, name: str, who: str = "rule") -> Progress:
        tournament = await self._in_state(
            name, "start", TournamentState.PLANNED, TournamentState.RUNNING
        )
        check_playable(tournament)
        await self._acts.start(tournament, who)
        return await self._run(name, TournamentState.PLANNED, "start")

    async def _run(self, name: str, before: TournamentState, verb: str) -> Progress:
        tournament = await self._in_state(name, verb, before, TournamentState.RUNNING)
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
                if state in OVER:
                    self._leaving.add(leaves := self._spawn(self._leave(tournament)))
                    leaves.add_done_callback(self._leaving.discard)
        return tournament.progress()

    async def _leave(self, tournament: Tournament) -> None:
        """Lets go of one that is over, once nothing of it is played any more."""
        await self._scheduler.quiet(tournament)
        self._scheduler.forget(tournament.name)
        await self._shelf.put_away(tournament)

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

    async def _in_state(self, name: str, verb: str, *allowed: TournamentState) -> Tournament:
        tournament = await self._shelf.find(name)
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


_REVOKED = partial(
    Refused,
    Kind.UNAUTHENTICATED,
    "TOKEN_REVOKED",
    "This bot's token was replaced by a new one.",
    "authorization",
    "use the new token",
)
