"""Counts of everything that happens, as Prometheus reads them.

Names are those of the catalogue. What happens at every decision goes to plain numbers.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from platform import python_version
from typing import TypeVar

from prometheus_client import ProcessCollector

from saurodrome.server.form import FORM
from saurodrome.server.metrics.catalogue import BY_NAME, PARTS, SCHEDULER_STATES
from saurodrome.server.metrics.page import text
from saurodrome.server.metrics.readings import Read, Readings, Rows, Table
from saurodrome.server.metrics.tallies import Buckets, BucketsBy, Codes, Collector, Counts, Number
from saurodrome.server.observer import Observer, VoidWhy, Waits
from saurodrome.server.port import Answer, Verdict
from saurodrome.server.store.records import (
    OVER,
    Event,
    EventKind,
    Result,
    Termination,
    TournamentState,
)

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""The media type of what `render` gives."""

UNARY = "unary"
"""The type of calls that stream nothing."""

C = TypeVar("C", bound=Collector)

_PLAYED = {Termination.FINISHED, Termination.FORFEIT}
_ENDS = ("disconnected", "goodbye", "SUPERSEDED", "SLOW_READER")
_AT_ONCE = 128
"""Decisions that are counted together: each by itself costs twice as much, since from one to the
next the processor's caches forget all of this. A scrape counts those first that are left."""
_MAX_BOTS = 10_000
"""Bots whose thinking time is kept; the table's first 50 of them are shown."""


class Metrics(Observer):
    """Hears of events and counts them; belongs to the event loop's thread."""

    def __init__(self, version: str, clock: Callable[[], float] = time.monotonic) -> None:
        """Makes all series; `clock` in seconds."""
        self._clock = clock
        self._collectors: list[Collector] = []
        self._readings = Readings()
        self._make_match_series()
        self._make_session_series()
        self._make_server_series()
        self._collectors += [self._readings, ProcessCollector(registry=None)]
        build: dict[tuple[str, ...], float] = {(version, python_version(), FORM): 1.0}
        self.reading("build_info", lambda: build)

    def render(self) -> bytes:
        """The page, in Prometheus' text format."""
        return b"".join(self.parts())

    def parts(self) -> Iterator[bytes]:
        """The page, metric by metric, so that the loop may do other things in between."""
        began = time.perf_counter()
        self._count_decisions()
        for collector in self._collectors:
            for metric in collector.collect():
                yield text(metric)
        self._scrape_seconds = time.perf_counter() - began

    # what is read at every scrape

    def reading(self, name: str, read: Read) -> None:
        """Shows what `read` gives at every scrape; `name` goes without the prefix."""
        self._readings.add(f"saurodrome_{name}", read)

    def table(self, read: Rows, connected: Callable[[str], bool] = lambda bot: False) -> None:
        """Shows the first rows of a table; `read` gives them with their tournament, best first."""
        Table(read, self._thinking_of).add_to(self._readings, connected)

    # events

    def session_opened(self, bot: str, sdk: str, bot_version: str) -> None:
        """Counts it."""
        self._opened.value += 1
        self._sessions.value += 1

    def session_closed(self, bot: str, reason: str) -> None:
        """Counts it by reason."""
        self._closed.add(reason)
        self._sessions.value -= 1

    def session_refused(self, code: str) -> None:
        """Counts it by code."""
        self._refused.add(code)

    def surplus_frame(self, bot: str, kind: str) -> None:
        """Counts it by kind."""
        self._surplus.add(kind)

    def call_began(self, method: tuple[str, str, str]) -> None:
        """Counts it by method."""
        self._calls_started.add(*method)
        if method[0] != UNARY:
            self._calls_open.add(*method)

    def call_ended(self, method: tuple[str, str, str], status: str, seconds: float) -> None:
        """Counts it by method and status, and how long it took if it streams nothing."""
        self._calls_handled.add(*method, status)
        if status == "INTERNAL":
            self._errors.value += 1
        if method[0] == UNARY:
            self._calls_seconds.observe(method, seconds)
        else:
            self._calls_open.add(*method, by=-1)

    def decision_closed(
        self, bot: str, match_id: str, decision_id: str, answer: Answer, overhead: float
    ) -> None:
        """Keeps it until some are counted at once."""
        self._uncounted.append((bot, answer, overhead))
        if len(self._uncounted) >= _AT_ONCE:
            self._count_decisions()

    def _count_decisions(self) -> None:
        """Counts decisions by verdict, and how long bots and arbiter took."""
        uncounted = self._uncounted.copy()
        self._uncounted.clear()
        for bot, answer, overhead in uncounted:
            self._verdicts[answer.verdict] += 1
            self._thinking.observe(answer.charged)
            self._overhead.observe(overhead)
            self._queue.observe(answer.queue)
            self._encode.observe(answer.encode)
            self._decode.observe(answer.decode)
            if answer.thought:
                self._bot.observe(answer.thought)
                self._wire.observe(answer.charged - answer.thought)
            if answer.illegal:
                self._illegal.value += answer.illegal
            if answer.stalled:
                self._stalled.value += answer.stalled
                self._stalled_decisions.value += 1
            thinking = self._thinking_of.get(bot)
            if thinking is None:
                thinking = self._new_bot(bot)
            thinking[0] += 1
            thinking[1] += answer.charged

    def match_started(
        self, tournament: str, match_id: str, attempt: int, bots: tuple[str, ...]
    ) -> None:
        """Counts the attempt; the match runs."""
        self._attempts.value += 1
        self._running.add((match_id, attempt))

    def match_void(
        self, tournament: str, match_id: str, attempt: int, why: VoidWhy, reason: str
    ) -> None:
        """Counts it by reason; the match does not run."""
        self._void[why] += 1
        self._running.discard((match_id, attempt))

    def match_finished(self, result: Result, seconds: float) -> None:
        """Counts it by termination; the match does not run."""
        self._results[result.termination] += 1
        self._running.discard((result.match_id, result.attempt))
        self._last_match = self._clock()
        if result.termination in _PLAYED:
            self._match_seconds.observe(seconds)

    def forfeited(self, bot: str, match_id: str, kind: str) -> None:
        """Counts it by kind."""
        self._forfeits.add(str(kind))

    def loop_stalled(self, seconds: float) -> None:
        """Counts it by length."""
        self._stalls.observe(seconds)

    def loop_lagged(self, seconds: float) -> None:
        """Counts by how much the loop came late."""
        self._lags.observe(seconds)

    def commit_done(self, items: int, seconds: float, waited: float | None = None) -> None:
        """Counts it by length; the store works."""
        self._commits.observe(seconds)
        if waited is not None:
            self._waits.observe(waited)
        self._items.value += items
        self._store_failing.value = 0.0

    def commit_failed(self, code: str, message: str, retry: float) -> None:
        """Counts it by code; the store does not work."""
        self._commit_failures.add(code)
        self._store_failing.value = 1.0

    def tournaments_found(self, going: Mapping[str, str], over: Mapping[str, int]) -> None:
        """Counts what was there before the server."""
        self._states.update(going)
        self._over.update(over)

    def tournament_changed(self, tournament: str, state: str) -> None:
        """Counts the tournament in its new state; one that is over needs no name."""
        self._states.pop(tournament, None)
        if state in OVER:
            self._over[state] += 1
        else:
            self._states[tournament] = state

    def tournament_event(self, event: Event) -> None:
        """Counts it by kind."""
        self._events[event.kind] += 1

    def error(self, where: str, error: BaseException) -> None:
        """Counts it."""
        self._errors.value += 1

    def scheduler_waits(self, waits: Waits, reason: str) -> None:
        """Shows why work is not started."""
        self._scheduler_waits = waits

    # series

    def _make_match_series(self) -> None:
        self._running: set[tuple[str, int]] = set()
        self._last_match = self._clock()
        self._uncounted: list[tuple[str, Answer, float]] = []
        self._thinking_of: dict[str, list[float]] = {}
        self._attempts = self._number("attempts_started_total")
        self._void = self._counts("attempts_void_total", VoidWhy)
        self._forfeits = self._codes("forfeits_total", Verdict.TIMED_OUT, Verdict.ILLEGAL)
        self._results: dict[str, float] = self._counts("matches_total", Termination)
        self._verdicts = self._counts("decisions_total", Verdict)
        self._illegal = self._number("illegal_replies_total")
        self._thinking = self._buckets("decision_seconds")
        self._overhead = self._buckets("arbiter_overhead_seconds")
        parts = self._keep(BucketsBy(BY_NAME["saurodrome_decision_part_seconds"]))
        self._queue, self._encode, self._wire, self._bot, self._decode = map(parts.of, PARTS)
        self._stalled = self._number("arbiter_stalled_seconds_total")
        self._stalled_decisions = self._number("arbiter_stalled_decisions_total")
        self._match_seconds: Buckets = self._buckets("match_seconds")
        self.reading("since_match_seconds", lambda: self._clock() - self._last_match)
        self.reading("matches_running", lambda: len(self._running))

    def _make_session_series(self) -> None:
        self._sessions = self._number("sessions")
        self._opened = self._number("sessions_opened_total")
        self._closed = self._codes("sessions_closed_total", *_ENDS)
        self._refused = self._codes("refusals_total")
        self._surplus = self._codes("surplus_frames_total", "stale", "duplicate", "unknown")
        self._calls_started = self._keep(Codes(BY_NAME["grpc_server_started_total"]))
        self._calls_handled = self._keep(Codes(BY_NAME["grpc_server_handled_total"]))
        self._calls_open = self._keep(Codes(BY_NAME["grpc_server_open_streams"]))
        self._calls_seconds = self._keep(BucketsBy(BY_NAME["grpc_server_handling_seconds"]))

    def _make_server_series(self) -> None:
        self._stalls = self._buckets("loop_stall_seconds")
        self._lags = self._buckets("loop_lag_seconds")
        self._commits = self._buckets("commit_seconds")
        self._waits = self._buckets("recorder_wait_seconds")
        self._items = self._number("commit_items_total")
        self._commit_failures = self._codes("commit_failures_total")
        self._store_failing = self._number("store_failing")
        self._errors = self._number("errors_total")
        self._states: dict[str, str] = {}
        self._over: Counter[str] = Counter()
        self._events = self._counts("tournament_events_total", EventKind)
        self._scheduler_waits = Waits.NOTHING
        self._scrape_seconds = 0.0
        self.reading("tournaments", self._tournaments)
        self.reading("scheduler_state", self._scheduler)
        self.reading("scrape_seconds", lambda: self._scrape_seconds)

    def _new_bot(self, bot: str) -> list[float]:
        thinking = [0.0, 0.0]
        if len(self._thinking_of) < _MAX_BOTS:
            self._thinking_of[bot] = thinking
        return thinking

    def _tournaments(self) -> dict[tuple[str, ...], float]:
        counted = Counter(self._states.values()) + self._over
        return {(state.value,): counted[state.value] for state in TournamentState}

    def _scheduler(self) -> dict[tuple[str, ...], float]:
        now = self._scheduler_state()
        return {(state,): float(state == now) for state in SCHEDULER_STATES}

    def _scheduler_state(self) -> str:
        if self._scheduler_waits not in (Waits.NOTHING, Waits.BOTS):
            return self._scheduler_waits
        if self._running:
            return "playing"
        return self._scheduler_waits or "idle"

    def _number(self, name: str) -> Number:
        return self._keep(Number(BY_NAME[f"saurodrome_{name}"]))

    def _counts(self, name: str, values: Iterable[str]) -> dict[str, float]:
        return self._keep(Counts(BY_NAME[f"saurodrome_{name}"], map(str, values))).of

    def _codes(self, name: str, *known: str) -> Codes:
        return self._keep(Codes(BY_NAME[f"saurodrome_{name}"], known))

    def _buckets(self, name: str) -> Buckets:
        return self._keep(Buckets(BY_NAME[f"saurodrome_{name}"]))

    def _keep(self, collector: C) -> C:
        self._collectors.append(collector)
        return collector
