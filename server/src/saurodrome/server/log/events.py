"""What happens in the arbiter as lines of the log: the story of a match, not its decisions."""

import time
from collections.abc import Callable

import structlog

from saurodrome.server.log.volume import Repeats, Volume
from saurodrome.server.observer import Observer, VoidWhy, Waits
from saurodrome.server.port import Answer
from saurodrome.server.store.records import Event, Result

LONG_STALL = 0.1
"""Seconds from which a stall is worth a line."""


class LogObserver(Observer):
    """Logs sessions, matches, forfeits and trouble; values stay values, never part of a text.

    A match takes two lines, one more a forfeit or a void attempt.
    """

    def __init__(
        self,
        dropped: Callable[[], int] = lambda: 0,
        waiting: Callable[[], int] = lambda: 0,
        volume: Volume | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Starts with nothing logged.

        Args:
            dropped: Gives how many lines were lost.
            waiting: Gives how many lines wait to be written.
            volume: Counts lines.
            clock: In seconds.
        """
        self.dropped = dropped
        self.waiting = waiting
        self.volume = volume or Volume(clock)
        self.bind()
        self._repeats = Repeats(clock, self.volume)
        self._failing = False

    def bind(self) -> None:
        """Logs at the level that is configured now."""
        self._log = structlog.get_logger("saurodrome").bind()

    def session_opened(self, bot: str, sdk: str, bot_version: str) -> None:
        """Info."""
        self._repeated("info", "session opened", bot, bot=bot, sdk=sdk, bot_version=bot_version)

    def session_closed(self, bot: str, reason: str) -> None:
        """Info."""
        self._repeated("info", "session closed", bot, bot=bot, reason=reason)

    def session_refused(self, code: str) -> None:
        """Info."""
        self._repeated("info", "refused", code, code=code)

    def match_started(
        self, tournament: str, match_id: str, attempt: int, bots: tuple[str, ...]
    ) -> None:
        """Info."""
        self._log.info(
            "match started", tournament=tournament, match=match_id, attempt=attempt, bots=bots
        )

    def match_void(
        self, tournament: str, match_id: str, attempt: int, why: VoidWhy, reason: str
    ) -> None:
        """A warning, since a void attempt is the arbiter's fault or an organiser's will."""
        self._log.warning(
            "match void", tournament=tournament, match=match_id, attempt=attempt, reason=reason
        )

    def match_finished(self, result: Result, seconds: float) -> None:
        """Info."""
        self._log.info(
            "match finished",
            tournament=result.tournament,
            match=result.match_id,
            attempt=result.attempt,
            position=result.position,
            termination=result.termination.value,
            bots=[seat.bot for seat in result.seats],
            placements=[seat.placement for seat in result.seats],
            points=[seat.points for seat in result.seats],
            late=[seat.timeouts for seat in result.seats],
            illegal=[seat.illegal for seat in result.seats],
            seconds=round(seconds, 3),
        )

    def forfeited(self, bot: str, match_id: str, kind: str) -> None:
        """Info."""
        self._log.info("forfeit", match=match_id, bot=bot, kind=str(kind))

    def loop_stalled(self, seconds: float) -> None:
        """A warning for those that are felt; metrics count the others."""
        if seconds >= LONG_STALL:
            self._repeated("warning", "loop stalled", "", seconds=round(seconds, 4))

    def commit_done(self, items: int, seconds: float, waited: float | None = None) -> None:
        """Nothing, but the first after trouble."""
        if self._failing:
            self._failing = False
            self._log.warning("store works again", items=items, seconds=round(seconds, 3))

    def commit_failed(self, code: str, message: str, retry: float) -> None:
        """An error."""
        self._failing = True
        self._repeated("error", "commit failed", code, code=code, message=message, retry=retry)

    def tournament_changed(self, tournament: str, state: str) -> None:
        """Info."""
        self._log.info("tournament changed", tournament=tournament, state=str(state))

    def tournament_event(self, event: Event) -> None:
        """Info: the audit log of organisers' calls is kept apart; this one has rules, too."""
        self._log.info(
            "tournament event",
            tournament=event.tournament,
            number=event.number,
            position=event.position,
            kind=event.kind.value,
            bot=event.bot,
            match=event.match_id,
            reason=event.reason,
            who=event.who,
        )

    def error(self, where: str, error: BaseException) -> None:
        """An error with its traceback."""
        left_out = self._repeats.ask("error", where)
        if left_out is not None:
            self._log.error("internal error", where=where, left_out=left_out, exc_info=error)

    def scheduler_waits(self, waits: Waits, reason: str) -> None:
        """Info."""
        event = "scheduler waits" if reason else "scheduler goes on"
        self._repeated("info", event, reason, reason=reason)

    def _repeated(self, level: str, event: str, about: str, **fields: object) -> None:
        left_out = self._repeats.ask(event, about)
        if left_out is None:
            return
        if left_out:
            fields["left_out"] = left_out
        getattr(self._log, level)(event, **fields)


class DebugLogObserver(LogObserver):
    """Logs every decision as well, and every frame that did not count."""

    def decision_closed(
        self, bot: str, match_id: str, decision_id: str, answer: Answer, overhead: float
    ) -> None:
        """Debug."""
        self._log.debug(
            "decision",
            match=match_id,
            bot=bot,
            decision=decision_id,
            verdict=answer.verdict.value,  # not the action: others have yet to choose
            charged=round(answer.charged, 6),
            illegal=answer.illegal,
            overhead=round(overhead, 6),
        )

    def surplus_frame(self, bot: str, kind: str) -> None:
        """Debug."""
        self._log.debug("surplus frame", bot=bot, kind=str(kind))
