"""One tournament that runs: takes from its course what is due, and hands it to the scheduler."""

import asyncio
import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from saurodrome.engine.game import Game
from saurodrome.server.contracts import Progress
from saurodrome.server.driver import Decided, Table
from saurodrome.server.lobby import Lobby
from saurodrome.server.match import MatchPlan
from saurodrome.server.port import PlayerName
from saurodrome.server.schedule import Change, Drawn, Match
from saurodrome.server.settings import Format, TournamentSettings
from saurodrome.server.store import records
from saurodrome.server.store.records import Attempts, Result, Termination, TournamentState
from saurodrome.server.tournament.absences import Absences
from saurodrome.server.tournament.blind import blinded
from saurodrome.server.tournament.course import Course, block_of, deal_of
from saurodrome.server.tournament.draws import Draws
from saurodrome.server.tournament.pairings import Pairings, Rate

MAX_ATTEMPTS = 3
"""Void attempts by the arbiter's fault after which a match is abandoned; where a block shares a
deal, tries of the block, after which all of it is. A restart of the server gives the full number
again, and stops by the organiser do not count."""

_GOING = (TournamentState.RUNNING, TournamentState.PAUSED)


class Listener(NamedTuple):
    """Who hears of a tournament.

    Attributes:
        called_off: Matches in flight are to be stopped; called with their ids.
        needs_care: A rule may have to act.
        over: Every match has its result; may be called again until it is finished.
        more: Matches are due that were not when something happened last.
        failed: Something could not be done, and what was raised.
    """

    called_off: Callable[["Tournament", Collection[str]], None]
    needs_care: Callable[[], None]
    over: Callable[["Tournament"], None]
    more: Callable[[], None]
    failed: Callable[[str, BaseException], None]


class Tournament:
    """A tournament in memory; everything here can be rebuilt from the store."""

    def __init__(
        self,
        record: records.Tournament,
        course: Course,
        game: Game,
        display_name: Callable[[str], str],
        attempts: Mapping[str, Attempts],
        void: int,
        listener: Listener,
    ) -> None:
        """Takes up a tournament where the log leaves it.

        Args:
            record: The tournament in the store.
            course: Its log so far.
            game: Its game.
            display_name: Gives what people read of a bot.
            attempts: Attempts of matches without a result, by id in the log.
            void: Attempts that were void, of all matches.
            listener: Hears what happens.
        """
        self.record = record
        self.planned_total = 0
        """Matches that it would have if it began now."""
        self.unreadable = ""
        """Why its log says nothing to this server; empty if it does."""
        self._game = game
        self._display_name = display_name
        self._listener = listener
        self.turn = asyncio.Lock()
        """Held by who does something to it besides playing."""
        self._playing: dict[str, Match] = {}
        self._held = False
        self.draws = Draws(record.settings.name, listener.failed)
        self._arrived: dict[int, Result] = {}
        self._begun = {match_id: a.begun for match_id, a in attempts.items()}
        self._failed: defaultdict[str, set[tuple[str, int]]] = defaultdict(set)
        """Tries that the arbiter failed at, by what is tried again as a whole."""
        self._void_total = void
        self._abandoned: list[MatchPlan] = []
        time = asyncio.get_running_loop().time
        self._rate = Rate(time)
        self._absences = Absences(record.settings, time)
        self._waiting_for = ""
        self._changed = asyncio.Event()
        self.broken: dict[str, str] = {}
        """Blocks of a duplicate deal that are to be played anew, with the reason."""
        self.rebuild(course)
        for match in course.due.values():
            if (tried := attempts.get(course.match_id(match))) and tried.void:
                self._break(match, "an attempt at it was cut off")

    @property
    def name(self) -> str:
        """Its unique name."""
        return self.record.settings.name

    @property
    def settings(self) -> TournamentSettings:
        """Its settings."""
        return self.record.settings

    @property
    def results(self) -> list[Result]:
        """Its log of results."""
        return self.course.results

    @property
    def waiting_for(self) -> str:
        """What keeps it from starting a match now, in words; empty if nothing."""
        return self._waiting_for

    @property
    def is_over(self) -> bool:
        """Every match has its result."""
        return self.course.over

    @property
    def playing(self) -> tuple[str, ...]:
        """Ids of its matches in flight, those that began first."""
        return tuple(self._playing)

    def moved(self, record: records.Tournament) -> None:
        """The organiser moved it to another state."""
        if record.state is TournamentState.RUNNING:
            self._absences.begin()
        if record.state is TournamentState.CANCELLED:  # what was to be given up is left undecided
            for plan in self._abandoned:
                self._playing.pop(plan.match_id, None)
            self._abandoned.clear()
        self.record = record
        self._tell()

    def block(self, reason: str) -> None:
        """Nothing is played here, for a reason that people are told."""
        self._waiting_for = reason
        self._tell()

    def progress(self) -> Progress:
        """How far it is."""
        course, state = self.course, self.record.state
        waits = state in {TournamentState.RUNNING, TournamentState.PLANNED}
        return Progress(
            self.record,
            total=course.total if course.started else self.planned_total,
            done=course.done,
            running=len(self._playing),
            abandoned=course.abandoned,
            void=self._void_total,
            rate=self._rate.value(),
            waiting_for=(self.draws.trouble or self._waiting_for) if waits else "",
            position=len(course.results),
            void_results=course.void_count,
            entrants=len(course.entrants),
        )

    @property
    def quiet(self) -> bool:
        """No match of it ended in the last minute: its rate is zero, and stays so."""
        return not self._rate.value()

    def changed(self) -> asyncio.Event:
        """An event that is set at the next change; every change has a new one."""
        return self._changed

    def sealed_deals(self) -> set[str]:
        """Deals that are still played from, so that their records stay closed."""
        if not self.course.duplicate:
            return set()
        return {deal_of(self.course.match_id(match)) for match in self.course.due.values()}

    def leaving(self) -> frozenset[str]:
        """Bots that have forfeited so often in a row that they are to be withdrawn by rule."""
        most, course = self.settings.quarantine_after, self.course
        if not most:
            return frozenset()
        return frozenset(bot for bot in course.playing if course.streaks[bot] >= most)

    # the log's side

    async def hold(self) -> None:
        """Something is written into the log: begins no match, and lets results wait.

        A draw that is being made comes first: it belongs to what was before.
        """
        await self.draws.wait()
        self._held = True

    def release(self) -> None:
        """It is written: goes on."""
        self._held = False
        self.draws.again()
        self._catch_up()
        self._tell()

    def rebuild(self, course: Course) -> None:
        """Takes another course of the same log."""
        self.course = course
        course.leave_draws()
        playing = {m.id for i, m in self._playing.items() if self._is_due(i, m)}
        self._pairings = Pairings(m for m in course.due.values() if m.id not in playing)
        self._call_off()

    def apply(self, change: Change) -> None:
        """The course has changed; where nothing is due or gone, all that is played stays due."""
        if change.due or change.gone:
            playing = {m.id for i, m in self._playing.items() if self._is_due(i, m)}
            self._pairings.drop(change.gone)
            self._pairings.add(match for match in change.due if match.id not in playing)
            self._call_off()

    # the scheduler's side

    def next(self, lobby: Lobby) -> Table | Decided | None:
        """The next match that can begin or is decided; None if there is none now."""
        if self._held or self.record.state is not TournamentState.RUNNING:
            return None
        if self._abandoned:
            return Decided(self._abandoned.pop(), Termination.ABANDONED)
        if len(self._playing) >= self.settings.concurrency or not len(self._pairings):
            self._waiting_for = ""
            return None
        return self._playable(lobby) or self._forfeited(lobby)

    def wanted(self, lobby: Lobby) -> tuple[str, ...]:
        """The bots of its next match, all of them here, while it plays none; else nobody."""
        idle = self.record.state is TournamentState.RUNNING and not (self._held or self._playing)
        if not idle or not len(self._pairings):
            return ()
        able = lobby.able(self.course.playing, self.settings.game, self.settings.variant)
        match = self._pairings.playable({*able} - self.leaving())
        return match.seats if match else ()

    def finished(self, result: Result) -> None:
        """A result is committed."""
        self._playing.pop(result.match_id, None)
        self._rate.note()
        if result.position > len(self.course.results):  # else it was told before
            self._arrived[result.position] = result
        self._catch_up()
        self._tell()

    def void(self, plan: MatchPlan, *, counts: bool) -> None:
        """An attempt does not count; the match is tried again, or given up."""
        match = self._playing.pop(plan.match_id)
        tried, number = self._try(plan)
        self._void_total += 1
        if counts:
            self._failed[tried].add(number)
        if not self._is_due(plan.match_id, match):
            pass  # it was called off, or is due under another id
        elif len(self._failed[tried]) >= MAX_ATTEMPTS:
            self._playing[plan.match_id] = match
            # Giving up is the next attempt: a void one never has a result.
            self._abandoned.append(plan._replace(attempt=plan.attempt + 1))
            self._give_up_block(match)
        elif self.course.duplicate:
            self._break(match, f"an attempt at {plan.match_id} was void")
        else:
            self._pairings.put_back(match)
        self._tell()

    def forgive(self, match_id: str) -> None:
        """What an organiser voids is tried again as often as the first time."""
        self._failed.pop(self.course.planned_id(match_id), None)

    # the rest is its own

    def _catch_up(self) -> None:
        """Folds the results that have come, in the order of the log."""
        while not self._held and not self.draws.begin(self.course, self._drawn):
            result = self._arrived.pop(len(self.course.results) + 1, None)
            if result is None:
                break
            self.apply(self.course.result(result))
            if self.settings.quarantine_after:
                self._listener.needs_care()
        if self.is_over and self.record.state in _GOING:
            self._listener.over(self)

    def _drawn(self, found: Drawn) -> None:
        self.apply(self.course.drawn(found))
        self._catch_up()
        self._tell()
        self._listener.more()

    def _is_due(self, match_id: str, match: Match) -> bool:
        """The match has no result yet, and it is this id that one is wanted for."""
        return match.id in self.course.due and self.course.match_id(match) == match_id

    def _call_off(self) -> None:
        stale = {i for i, match in self._playing.items() if not self._is_due(i, match)}
        for plan in [plan for plan in self._abandoned if plan.match_id in stale]:
            self._abandoned.remove(plan)
            del self._playing[plan.match_id]
        if stale:
            self._listener.called_off(self, stale)

    def _break(self, match: Match, reason: str) -> None:
        """A block with a void attempt is played anew, once that is noted in the log."""
        if self.course.duplicate:
            block = block_of(match.id)
            self.broken.setdefault(block, reason)
            self._pairings.drop([m for m in self.course.due if block_of(m) == block])
            self._listener.needs_care()

    def _try(self, plan: MatchPlan) -> tuple[str, tuple[str, int]]:
        """What is tried again as a whole, and this try of it."""
        planned = self.course.planned_id(plan.match_id)
        if self.course.duplicate:
            return block_of(planned), (deal_of(plan.match_id), 0)
        return planned, (plan.match_id, plan.attempt)

    def _give_up_block(self, match: Match) -> None:
        """All of a block that shares a deal goes with one of its matches."""
        if self.course.duplicate:
            block = block_of(match.id)
            self.broken.pop(block, None)
            left = [m for m in self.course.due.values() if block_of(m.id) == block]
            playing = {m.id: i for i, m in self._playing.items() if self._is_due(i, m)}
            given_up = {plan.match_id for plan in self._abandoned}
            self._pairings.drop(m.id for m in left)
            self._abandoned += [self._plan(m) for m in left if m.id not in playing]
            flying = {playing[m.id] for m in left if m.id in playing} - given_up
            self._listener.called_off(self, flying)

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _playable(self, lobby: Lobby) -> Table | None:
        s = self.settings
        leaving = self.leaving()
        here = lobby.all_free(self.course.entrants, s.game, s.variant)
        free = [bot for bot in here if bot not in leaving] if leaving else here
        match = self._pairings.playable(free) if len(free) >= s.players else None
        ports = lobby.reserve(match.seats, s.game, s.variant) if match else None
        if match is None or ports is None:
            self._waiting_for = self._absences.missing(self.course, lobby)
            return None
        self._waiting_for = ""
        secret = self._secret(match) if self.course.duplicate else b""
        seats = blinded(ports, self.record.deal_key) if s.blind else ports
        return Table(self._begin(match), seats, secret)

    def _forfeited(self, lobby: Lobby) -> Decided | None:
        """A match that is due by the schedule, but has a bot that has been away too long.

        Of a ladder such a bot is withdrawn instead, see `Caretaker`: it did not promise to stay.
        """
        if self.settings.format is Format.LADDER:
            return None
        away = {
            bot: seconds
            for bot, seconds in self._absences.away(self.course, lobby)
            if seconds >= self.settings.join_timeout
        }
        match = self._pairings.due(away, self.settings.concurrency) if away else None
        if match is None or self.leaving().intersection(match.seats):
            return None
        absent = {seat: away[bot] for seat, bot in enumerate(match.seats) if bot in away}
        return Decided(self._begin(match), Termination.ABSENT, absent)

    def _begin(self, match: Match) -> MatchPlan:
        self._pairings.take(match)
        return self._plan(match)

    def _plan(self, match: Match) -> MatchPlan:
        match_id = self.course.match_id(match)
        self._playing[match_id] = match
        self._begun[match_id] = self._begun.get(match_id, 0) + 1
        s = self.settings
        return MatchPlan(
            s.name,
            match_id,
            self._begun[match_id],
            self._game,
            s.variant,
            tuple(PlayerName(bot, self._display_name(bot)) for bot in match.seats),
            s.time,
            s.faults,
        )

    def _secret(self, match: Match) -> bytes:
        """The secret of a block's deal; knowing it tells nothing of another block's."""
        name = deal_of(self.course.match_id(match)).encode()
        return hashlib.blake2b(name, digest_size=32, key=self.record.deal_key).digest()
