"""One tournament: owns its pairings, hears of results, and knows how far it is."""

import asyncio
from collections.abc import Callable, Iterable, Mapping

from saurodrome.engine.game import Game
from saurodrome.server.contracts import Progress
from saurodrome.server.driver import Decided, Table
from saurodrome.server.lobby import Lobby
from saurodrome.server.match import MatchPlan
from saurodrome.server.port import PlayerName
from saurodrome.server.schedule import Match, Schedule, round_robin
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.store import records
from saurodrome.server.store.records import Attempts, Result, Termination, TournamentState
from saurodrome.server.tournament.pairings import Pairings, Rate

MAX_ATTEMPTS = 3
"""Void attempts by the arbiter's fault after which a match is abandoned. A restart of the
server gives the full number again, and stops by the organiser do not count."""


def schedule_of(settings: TournamentSettings) -> Schedule:
    """The schedule, a function of the settings alone.

    Raises:
        ScheduleError: There is no such schedule.
    """
    return round_robin(
        settings.bots,
        settings.players,
        seed=settings.seed,
        seating=settings.seating.value,
        rounds=settings.rounds,
        matches=settings.matches or None,
    )


class Tournament:
    """A tournament in memory; everything here can be rebuilt from the store."""

    def __init__(
        self,
        record: records.Tournament,
        schedule: Schedule,
        game: Game,
        names: Mapping[str, PlayerName],
        results: Iterable[Result],
        attempts: Mapping[str, Attempts],
        on_over: Callable[["Tournament"], None],
    ) -> None:
        """Takes up a tournament where the log leaves it.

        Args:
            record: The tournament in the store.
            schedule: Its schedule.
            game: Its game.
            names: The entrants, by name.
            results: Its log so far.
            attempts: Attempts of matches without a result.
            on_over: Called once when every match has its result.
        """
        self.record = record
        self.results = list(results)
        self._game = game
        self._names = names
        self._on_over = on_over
        self._loop = asyncio.get_running_loop()
        self.total = schedule.match_count
        done = {result.match_id for result in self.results}
        self._pairings = Pairings(m for m in schedule.matches() if self._id(m) not in done)
        self._begun = {match_id: a.begun for match_id, a in attempts.items()}
        self._void: dict[str, int] = {}
        self._void_total = sum(a.void for a in attempts.values())
        self._abandoned: list[MatchPlan] = []
        self._playing: dict[str, Match] = {}
        self._rate = Rate(self._loop.time)
        self._running_since = self._loop.time()
        self._waiting_for = ""
        self._absent: tuple[int, list[str]] = (-1, [])
        self._changed = asyncio.Event()

    @property
    def name(self) -> str:
        """Its unique name."""
        return self.record.settings.name

    @property
    def settings(self) -> TournamentSettings:
        """Its settings."""
        return self.record.settings

    @property
    def waiting_for(self) -> str:
        """What keeps it from starting a match now, in words; empty if nothing."""
        return self._waiting_for

    @property
    def is_over(self) -> bool:
        """Every match has its result."""
        return len(self.results) >= self.total

    def moved(self, record: records.Tournament) -> None:
        """The organiser moved it to another state."""
        if record.state is TournamentState.RUNNING:
            self._running_since = self._loop.time()
        self.record = record
        self._tell()

    def block(self, reason: str) -> None:
        """Nothing is played here, for a reason that people are told."""
        self._waiting_for = reason

    def progress(self) -> Progress:
        """How far it is."""
        running = self.record.state is TournamentState.RUNNING
        return Progress(
            self.record,
            total=self.total,
            done=len(self.results),
            running=len(self._playing),
            abandoned=sum(r.termination is Termination.ABANDONED for r in self.results),
            void=self._void_total,
            rate=self._rate.value(),
            waiting_for=self._waiting_for if running else "",
            position=len(self.results),
        )

    def changed(self) -> asyncio.Event:
        """An event that is set at the next change; every change has a new one."""
        return self._changed

    # the scheduler's side

    def next(self, lobby: Lobby) -> Table | Decided | None:
        """The next match that can begin or is decided; None if there is none now."""
        if self.record.state is not TournamentState.RUNNING:
            return None
        if self._abandoned:
            return Decided(self._abandoned.pop(), Termination.ABANDONED)
        if len(self._playing) >= self.settings.concurrency or not len(self._pairings):
            self._waiting_for = ""
            return None
        return self._playable(lobby) or self._forfeited(lobby)

    def finished(self, result: Result) -> None:
        """A result is committed."""
        self._playing.pop(result.match_id, None)
        self.results.append(result)
        self._rate.note()
        self._tell()
        if self.is_over:
            self._on_over(self)

    def void(self, plan: MatchPlan, *, counts: bool) -> None:
        """An attempt does not count; the match is tried again, or given up."""
        match = self._playing.pop(plan.match_id)
        self._void_total += 1
        self._void[plan.match_id] = self._void.get(plan.match_id, 0) + counts
        if self._void[plan.match_id] >= MAX_ATTEMPTS:
            self._playing[plan.match_id] = match
            # Giving up is the next attempt: a void one never has a result.
            self._abandoned.append(plan._replace(attempt=plan.attempt + 1))
        else:
            self._pairings.put_back(match)
        self._tell()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _playable(self, lobby: Lobby) -> Table | None:
        s = self.settings
        free = lobby.all_free(self._names, s.game, s.variant)
        match = self._pairings.playable(free) if len(free) >= s.players else None
        ports = lobby.reserve(match.seats, s.game, s.variant) if match else None
        if match is None or ports is None:
            self._waiting_for = self._missing(lobby)
            return None
        self._waiting_for = ""
        return Table(self._begin(match), ports)

    def _forfeited(self, lobby: Lobby) -> Decided | None:
        """A match that is due by the schedule, but has a bot that has been away too long."""
        away = {
            bot: seconds
            for bot, seconds in self._away(lobby)
            if seconds >= self.settings.join_timeout
        }
        match = self._pairings.due(away, self.settings.concurrency) if away else None
        if match is None:
            return None
        absent = {seat: away[bot] for seat, bot in enumerate(match.seats) if bot in away}
        return Decided(self._begin(match), Termination.ABSENT, absent)

    def _begin(self, match: Match) -> MatchPlan:
        match_id = self._id(match)
        self._pairings.take(match)
        self._playing[match_id] = match
        self._begun[match_id] = self._begun.get(match_id, 0) + 1
        s = self.settings
        return MatchPlan(
            s.name,
            match_id,
            self._begun[match_id],
            self._game,
            s.variant,
            tuple(self._names[bot] for bot in match.seats),
            s.time,
            s.faults,
        )

    def _away(self, lobby: Lobby) -> list[tuple[str, float]]:
        """Entrants that are away, and for how many seconds."""
        s = self.settings
        if self._absent[0] != lobby.comings_and_goings:
            absent = [b for b in s.bots if lobby.away_for(b, s.game, s.variant) is not None]
            self._absent = (lobby.comings_and_goings, absent)
        running = self._loop.time() - self._running_since
        away = ((bot, lobby.away_for(bot, s.game, s.variant)) for bot in self._absent[1])
        return [(bot, min(seconds, running)) for bot, seconds in away if seconds is not None]

    def _missing(self, lobby: Lobby) -> str:
        away = [bot for bot, _ in self._away(lobby)]
        if not away:
            return ""
        names = ", ".join(away[:4]) + (", ..." if len(away) > 4 else "")
        return f"{len(away)} of {len(self.settings.bots)} bots not connected: {names}"

    def _id(self, match: Match) -> str:
        return f"{self.name}/{match.id}"
