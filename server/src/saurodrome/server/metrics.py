"""What Prometheus reads: counts of everything that happens, and no name of a bot but at the top.

Names are `saurodrome_*` with Prometheus' units. Every event finds its child series ready, since
a look-up by labels takes three times as long; what happens at every decision goes to tallies.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from platform import python_version

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from saurodrome.server.contracts import TableRow
from saurodrome.server.observer import Observer
from saurodrome.server.port import Answer, Verdict
from saurodrome.server.store.records import Result, Termination, TournamentState
from saurodrome.server.tallies import Buckets, Counts

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""The media type of what `render` gives."""
TOP = 50
"""Bots of a table that get series of their own."""
MAX_CODES = 100
"""Values of a label that holds codes; what comes beyond counts as OTHER."""

_THINKING = (
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0,
)  # fmt: skip
_OVERHEAD = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)
_STALLS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_COMMITS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0)
_MATCHES = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 7200.0)
_PLAYED = {Termination.FINISHED, Termination.FORFEIT}


class Metrics(Observer):
    """Hears of events and counts them."""

    def __init__(self, version: str) -> None:
        """Makes all series, in a registry of their own."""
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._read = _Read()
        self._registry.register(self._read)
        self._make_match_series()
        self._make_session_series()
        self._make_server_series()
        build = Gauge(
            "saurodrome_build_info",
            "The version that runs; always 1.",
            ("version", "python"),
            registry=self._registry,
        )
        build.labels(version, python_version()).set(1)

    def render(self) -> bytes:
        """The page, in Prometheus' text format."""
        return generate_latest(self._registry)

    # what is read at every scrape

    def gauge(self, name: str, text: str, read: Callable[[], float]) -> None:
        """Shows a number that is read at every scrape, such as the depth of a queue."""
        self._read.gauges.append((name, text, read))

    def counter(self, name: str, text: str, read: Callable[[], float]) -> None:
        """Shows a count that is kept elsewhere; `name` goes without `_total`."""
        self._read.counters.append((name, text, read))

    def table(self, read: Callable[[], Iterable[tuple[str, TableRow]]]) -> None:
        """Shows the first rows of a table; `read` gives them with their tournament, best first."""
        self._read.tables.append(read)

    # events

    def session_opened(self, bot: str, sdk: str, bot_version: str) -> None:
        """Counts it."""
        self._opened.inc()
        self._sessions.inc()

    def session_closed(self, bot: str, reason: str) -> None:
        """Counts it by reason."""
        self._closed.of(reason).inc()
        self._sessions.dec()

    def session_refused(self, code: str) -> None:
        """Counts it by code."""
        self._refused.of(code).inc()

    def surplus_frame(self, bot: str, kind: str) -> None:
        """Counts it by kind."""
        self._surplus.of(kind).inc()

    def decision_closed(
        self, bot: str, match_id: str, decision_id: str, answer: Answer, overhead: float
    ) -> None:
        """Counts it by verdict, and how long bot and arbiter took."""
        self._verdicts[answer.verdict] += 1
        self._thinking.observe(answer.charged)
        self._overhead.observe(overhead)
        if answer.illegal:
            self._illegal.inc(answer.illegal)

    def match_started(
        self, tournament: str, match_id: str, attempt: int, bots: tuple[str, ...]
    ) -> None:
        """Counts the attempt; the match runs."""
        self._attempts.inc()
        self._running.add((match_id, attempt))

    def match_void(self, tournament: str, match_id: str, attempt: int, reason: str) -> None:
        """Counts it; the match does not run."""
        self._void.inc()
        self._running.discard((match_id, attempt))

    def match_finished(self, result: Result, seconds: float) -> None:
        """Counts it by termination; the match does not run."""
        self._results[result.termination].inc()
        self._running.discard((result.match_id, result.attempt))
        if result.termination in _PLAYED:
            self._match_seconds.observe(seconds)

    def forfeited(self, bot: str, match_id: str, kind: str) -> None:
        """Counts it by kind."""
        self._forfeits.of(kind).inc()

    def loop_stalled(self, seconds: float) -> None:
        """Counts it by length."""
        self._stalls.observe(seconds)

    def commit_done(self, items: int, seconds: float) -> None:
        """Counts it by length; the store works."""
        self._commits.observe(seconds)
        self._items.inc(items)
        self._store_failing.set(0)

    def commit_failed(self, code: str, message: str, retry: float) -> None:
        """Counts it by code; the store does not work."""
        self._commit_failures.of(code).inc()
        self._store_failing.set(1)

    def tournament_changed(self, tournament: str, state: str) -> None:
        """Counts the tournament in its new state."""
        self._states[tournament] = state

    def error(self, where: str, error: BaseException) -> None:
        """Counts it."""
        self._errors.inc()

    def scheduler_waits(self, reason: str) -> None:
        """Shows whether there is work that is not started."""
        self._waits.set(1 if reason else 0)

    # series

    def _make_match_series(self) -> None:
        self._running: set[tuple[str, int]] = set()
        self._attempts = self._counter("attempts_started", "Attempts at a match that began.")
        self._void = self._counter("attempts_void", "Attempts that ended without counting.")
        self._forfeits = self._by_code("forfeits", "Seats that forfeited a match, by kind.", "kind")
        results = self._labelled("matches", "Results in the log, by termination.", "termination")
        self._results = {t: results.labels(t.value) for t in Termination}
        verdicts = Counts(
            "saurodrome_decisions",
            "Decisions that are closed, by verdict.",
            "verdict",
            [verdict.value for verdict in Verdict],
        )
        self._registry.register(verdicts)
        self._verdicts = verdicts.of
        self._illegal = self._counter("illegal_replies", "Replies that chose no legal action.")
        self._thinking = self._histogram("decision", "Time charged for a decision.", _THINKING)
        self._overhead = self._histogram(
            "arbiter_overhead", "The arbiter's own share of a decision.", _OVERHEAD
        )
        self._match_seconds = self._histogram(
            "match", "Time from the start of an attempt to its result.", _MATCHES
        )
        self.gauge("matches_running", "Matches in flight.", lambda: len(self._running))

    def _make_session_series(self) -> None:
        self._sessions = self._gauge("sessions", "Streams of bots that are open.")
        self._opened = self._counter("sessions_opened", "Streams of bots that were accepted.")
        self._closed = self._by_code("sessions_closed", "Streams that ended, by reason.", "reason")
        self._refused = self._by_code("refusals", "Calls and streams refused, by code.", "code")
        self._surplus = self._by_code("surplus_frames", "Frames without a grant, by kind.", "kind")

    def _make_server_series(self) -> None:
        self._stalls = self._histogram("loop_stall", "Times the event loop stood still.", _STALLS)
        self._commits = self._histogram("commit", "Time that a commit took.", _COMMITS)
        self._items = self._counter("commit_items", "Results, leases and void attempts committed.")
        self._commit_failures = self._by_code("commit_failures", "Commits that failed.", "code")
        self._store_failing = self._gauge("store_failing", "1 while commits fail.")
        self._waits = self._gauge("scheduler_waiting", "1 while there is work that cannot start.")
        self._errors = self._counter("errors", "Mistakes of the arbiter itself.")
        self._states: dict[str, str] = {}
        self._read.states = self._states

    def _counter(self, name: str, text: str) -> Counter:
        return Counter(f"saurodrome_{name}", text, registry=self._registry)

    def _labelled(self, name: str, text: str, label: str) -> Counter:
        return Counter(f"saurodrome_{name}", text, (label,), registry=self._registry)

    def _by_code(self, name: str, text: str, label: str) -> "_ByCode":
        return _ByCode(self._labelled(name, text, label))

    def _gauge(self, name: str, text: str) -> Gauge:
        return Gauge(f"saurodrome_{name}", text, registry=self._registry)

    def _histogram(self, name: str, text: str, bounds: tuple[float, ...]) -> Buckets:
        buckets = Buckets(f"saurodrome_{name}_seconds", text, bounds)
        self._registry.register(buckets)
        return buckets


class _ByCode:
    """The children of a counter by codes that are not listed beforehand, but few."""

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._children: dict[str, Counter] = {}

    def of(self, code: str) -> Counter:
        """The child of a code."""
        child = self._children.get(code)
        if child is None:
            known = len(self._children) < MAX_CODES and code.isascii() and code.isprintable()
            child = self._counter.labels(code[:64] if known else "OTHER")
            if known:
                self._children[code] = child
        return child


class _Read(Collector):
    """What is read elsewhere at every scrape. One reading that fails spoils no other."""

    def __init__(self) -> None:
        self.gauges: list[tuple[str, str, Callable[[], float]]] = []
        self.counters: list[tuple[str, str, Callable[[], float]]] = []
        self.tables: list[Callable[[], Iterable[tuple[str, TableRow]]]] = []
        self.states: dict[str, str] = {}
        self._failures = 0

    def collect(self) -> Iterator[Metric]:
        """Reads everything."""
        yield from self._numbers()
        yield self._tournaments()
        yield from self._rows()
        yield CounterMetricFamily(
            "saurodrome_scrape_failures", "Numbers that could not be read.", value=self._failures
        )

    def _numbers(self) -> Iterator[Metric]:
        for kind, readings in (
            (GaugeMetricFamily, self.gauges),
            (CounterMetricFamily, self.counters),
        ):
            for name, text, read in readings:
                family = kind(f"saurodrome_{name}", text)
                try:
                    family.add_metric((), read())
                except Exception:  # whatever is wrong there, the page goes on
                    self._failures += 1
                yield family

    def _tournaments(self) -> Metric:
        family = GaugeMetricFamily(
            "saurodrome_tournaments", "Tournaments by state.", labels=("state",)
        )
        states = list(self.states.values())
        for state in TournamentState:
            family.add_metric((state.value,), states.count(state.value))
        return family

    def _rows(self) -> Iterator[Metric]:
        families = [
            GaugeMetricFamily(f"saurodrome_bot_{name}", text, labels=("tournament", "bot"))
            for name, text in _ROW_FAMILIES
        ]
        for tournament, row in islice(self._top(), TOP):
            values = (row.rank, row.rating, row.matches, row.forfeits)
            for family, value in zip(families, values, strict=True):
                if value is not None:
                    family.add_metric((tournament, row.bot), value)
        yield from families

    def _top(self) -> Iterator[tuple[str, TableRow]]:
        for read in self.tables:
            try:
                yield from read()
            except Exception:
                self._failures += 1


_ROW_FAMILIES = (
    ("rank", "Rank in the table, of the first 50."),
    ("rating_elo", "Published rating, of the first 50."),
    ("matches", "Matches with a result, of the first 50."),
    ("forfeits", "Matches forfeited, of the first 50."),
)
