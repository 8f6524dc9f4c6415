"""Every metric of the server: what it is, how many series it may have, what it answers.

The pages' help texts, the bounds that tests hold it to and the table for operators come from here.
A new metric gets its entry here, is counted in `observed.py` or read in
`saurodrome.server.readings`, and `run.py dashboards` writes the table anew.
"""

from typing import NamedTuple

from saurodrome.server.observer import VoidWhy, Waits
from saurodrome.server.port import Verdict
from saurodrome.server.store.records import EventKind, Termination, TournamentState

TOP = 50
"""Bots that get series of their own: the first of the table of what runs, or ran last."""
MAX_TOURNAMENTS = 20
"""Tournaments that get series of their own: those that run, then the newest."""
MAX_CODES = 40
"""Values of a label that holds codes; what comes beyond counts as OTHER."""
MAX_METHODS = 60
"""Methods of gRPC; what comes beyond, and what does not exist, counts as `unknown`."""
MAX_OUTCOMES = 240
"""Pairs of a method and a status; what comes beyond counts as `unknown` with OTHER."""

SCHEDULER_STATES = ("idle", "playing", *(waits.value for waits in Waits if waits))
PARTS = ("queue", "encode", "wire", "bot", "decode")
"""What a decision's time is split into."""
LEVELS = ("debug", "info", "warning", "error")

_THINKING = (
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0,
)  # fmt: skip
_OVERHEAD = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)
_LAGS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_COMMITS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0)
_MATCHES = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 7200.0)
_CALLS = (0.005, 0.01, 0.05, 0.25, 1.0, 5.0)


class Entry(NamedTuple):
    """One metric.

    Attributes:
        name: As on the page.
        kind: counter, gauge or histogram.
        unit: What it counts or measures.
        text: What it is, for the page.
        question: What an operator asks it.
        labels: The names of its labels.
        children: Combinations of label values, at most.
        buckets: Upper bounds of a histogram.
    """

    name: str
    kind: str
    unit: str
    text: str
    question: str
    labels: tuple[str, ...] = ()
    children: int = 1
    buckets: tuple[float, ...] = ()

    @property
    def bound(self) -> int:
        """Series that it has at most: a histogram has its buckets, +Inf, a sum and a count."""
        return self.children * (len(self.buckets) + 3 if self.buckets else 1)


def _counter(name: str, unit: str, text: str, question: str, **more: object) -> Entry:
    return Entry(f"saurodrome_{name}_total", "counter", unit, text, question, **more)  # type: ignore[arg-type]


def _gauge(name: str, unit: str, text: str, question: str, **more: object) -> Entry:
    return Entry(f"saurodrome_{name}", "gauge", unit, text, question, **more)  # type: ignore[arg-type]


def _seconds(
    name: str, text: str, question: str, buckets: tuple[float, ...], **more: object
) -> Entry:
    name = f"saurodrome_{name}_seconds"
    return Entry(name, "histogram", "seconds", text, question, buckets=buckets, **more)  # type: ignore[arg-type]


def _coded(name: str, unit: str, text: str, question: str, label: str) -> Entry:
    return _counter(name, unit, text, question, labels=(label,), children=MAX_CODES + 1)


def _bot(name: str, unit: str, text: str, question: str, kind: str = "gauge") -> Entry:
    """What a bot of the latest table has; the first ones only."""
    labels = ("tournament", "bot")
    return Entry(f"saurodrome_bot_{name}", kind, unit, text, question, labels, TOP)


MATCHES = (
    _gauge(
        "since_match_seconds", "seconds", "Time since a match ended with a result, or since the"
        " start.", "Is anything played?",
    ),
    _gauge(
        "matches_left", "matches", "Matches of running tournaments without a result.",
        "Is there work?",
    ),
    _gauge("matches_running", "matches", "Matches in flight.", "How busy is it?"),
    _counter(
        "matches", "matches", "Results in the log, by termination.", "How many a second, and how"
        " do they end?", labels=("termination",), children=len(Termination),
    ),
    _counter("attempts_started", "attempts", "Attempts at a match that began.", "How many?"),
    _counter(
        "attempts_void", "attempts", "Attempts that ended without counting, by reason.",
        "How often did the arbiter fail?", labels=("reason",), children=len(VoidWhy),
    ),
    _coded("forfeits", "seats", "Seats that forfeited, by kind.", "Do bots give up?", "kind"),
    _counter(
        "decisions", "decisions", "Decisions that are closed, by verdict.", "How fast is it, and"
        " how many are late or illegal?", labels=("verdict",), children=len(Verdict),
    ),
    _counter("illegal_replies", "replies", "Replies that chose no legal action.", "How many?"),
    _seconds("decision", "Time charged for a decision.", "How long do bots think?", _THINKING),
    _seconds(
        "arbiter_overhead", "The arbiter's own share of a decision.", "How much of a decision"
        " is ours?", _OVERHEAD,
    ),
    _seconds(
        "decision_part", "Parts of decisions: bot (by what it says of itself) and wire were"
        " charged; queue, encode and decode are the arbiter's own.", "Who took the time?",
        _THINKING, labels=("part",), children=len(PARTS),
    ),
    _counter(
        "arbiter_stalled_seconds", "seconds", "Time that the arbiter stood still while a bot's"
        " clock ran; no bot is charged for it.", "How much thinking time did we take back?",
    ),
    _counter(
        "arbiter_stalled_decisions", "decisions", "Decisions in which it did.", "How many?",
    ),
    _seconds("match", "Time from an attempt's start to its result.", "How long is one?", _MATCHES),
)  # fmt: skip

TOURNAMENTS = (
    _gauge(
        "tournaments", "tournaments", "Tournaments by state.", "What is going on?",
        labels=("state",), children=len(TournamentState),
    ),
    _gauge(
        "tournament_matches", "matches", "Matches by state: done, running, left.",
        "How far is it?", labels=("tournament", "state"), children=3 * MAX_TOURNAMENTS,
    ),
    _gauge(
        "tournament_waiting", "0 or 1", "1 while something keeps it from playing at all.",
        "Which one is stuck?", labels=("tournament",), children=MAX_TOURNAMENTS,
    ),
    _counter(
        "tournament_events", "acts", "What organisers and rules did to tournaments, by kind.",
        "Did somebody step in?", labels=("kind",), children=len(EventKind),
    ),
    _gauge(
        "elo_drift", "Elo points", "How far the live Elo of the latest table is from the sum that"
        " it must keep.", "Is the rating's book in balance?",
    ),
    _gauge(
        "table_log_position", "results", "Log position of the table that bots' figures are from.",
        "Is it the table that another page shows?", labels=("tournament",), children=1,
    ),
    _bot("rank", "rank", "Rank in the table.", "Where does my bot stand?"),
    _bot("rating_elo", "Elo points", "Published rating.", "How strong is it?"),
    _bot(
        "rating_error_elo", "Elo points", "Half width of the rating's 95 % interval.",
        "How sure is that?",
    ),
    _bot("elo_live", "Elo points", "Live Elo.", "Is it on the way up?"),
    _bot("score_ratio", "share, 0 to 1", "Mean share of opponents beaten.", "How well does it do?"),
    _bot("points", "points of the game", "Mean points.", "How many points does it make?"),
    _bot("matches", "matches", "Matches with a result.", "How much has it played?"),
    _bot("timeouts", "decisions", "Decisions that were late.", "Is it too slow?"),
    _bot("illegal", "decisions", "Decisions without a legal reply.", "Does it know the rules?"),
    _bot("forfeits", "matches", "Matches forfeited.", "Does it drop out?"),
    _bot("connected", "0 or 1", "1 while its stream is open.", "Is it here?"),
    _bot(
        "decisions_total", "decisions", "Decisions closed since the server's start.",
        "How busy is it?", "counter",
    ),
    _bot(
        "thinking_seconds_total", "seconds", "Time charged to it since the server's start.",
        "How long does it think?", "counter",
    ),
)  # fmt: skip

SESSIONS = (
    _gauge("sessions", "streams", "Streams of bots that are open.", "Who is here?"),
    _counter("sessions_opened", "streams", "Streams that were accepted.", "Do bots come back?"),
    _coded(
        "sessions_closed", "streams", "Streams that ended, by reason.", "Why do bots go?", "reason"
    ),
    _coded("refusals", "calls", "Calls and streams refused, by code.", "Who is sent away?", "code"),
    _coded("surplus_frames", "frames", "Frames without a grant, by kind.", "Who floods?", "kind"),
    _gauge("decisions_open", "decisions", "Decisions that wait for a reply.", "Who is to move?"),
    _gauge(
        "outbox_frames",
        "frames",
        "Frames that wait for bots to read them.",
        "Who reads too slowly?",
    ),
)

STORE = (
    _gauge("store_failing", "0 or 1", "1 while commits fail.", "Can results be stored?"),
    _seconds("commit", "Time that a commit took.", "Is the disk slow?", _COMMITS),
    _seconds(
        "recorder_wait", "Time that the oldest result of a commit waited, the commit included.",
        "How late do results count?", _COMMITS,
    ),
    _counter("commit_items", "items", "Results, leases and void attempts.", "How many?"),
    _coded("commit_failures", "commits", "Commits that failed, by code.", "What is wrong?", "code"),
    _gauge("recorder_queue_items", "items", "Items to be committed.", "Does it keep up?"),
    _gauge(
        "recorder_behind_seconds", "seconds", "Age of the oldest item that is not committed.",
        "How far behind is it?",
    ),
    _gauge("store_bytes", "bytes", "Size of the database file.", "How fast does it grow?"),
    _gauge("disk_free_bytes", "bytes", "Free on the data's disk.", "How long will it do?"),
    _gauge("disk_size_bytes", "bytes", "Size of the data's disk.", "Which share is that?"),
)  # fmt: skip

SERVER = (
    _gauge(
        "build_info", "always 1", "The version that runs, and its form: plain or compiled.",
        "Which version is this?", labels=("version", "python", "form"),
    ),
    _gauge(
        "scheduler_state", "0 or 1", "1 for the state that the scheduler is in.",
        "Why does nothing start?", labels=("state",), children=len(SCHEDULER_STATES),
    ),
    _seconds(
        "loop_lag", "How late the event loop comes, ten times a second.", "Is the arbiter"
        " overloaded?", _LAGS,
    ),
    _seconds("loop_stall", "Times for which the event loop stood still.", "How badly?", _LAGS[3:]),
    _gauge("loop_tasks", "tasks", "Tasks of the event loop.", "Does something leak?"),
    _counter("errors", "errors", "Mistakes of the arbiter itself.", "Is there a bug?"),
    _gauge(
        "certificate_expiry_timestamp_seconds", "Unix seconds", "When the TLS certificate ends;"
        " absent without TLS.", "When must it be renewed?",
    ),
    _counter(
        "log_lines", "lines", "Lines of the log, by level.", "Is it talkative?",
        labels=("level",), children=len(LEVELS),
    ),
    _counter("log_lines_dropped", "lines", "Lines that were lost.", "Is the log whole?"),
    _counter("log_lines_left_out", "lines", "Lines left out as repeats.", "Who repeats?"),
    _gauge("log_queue_lines", "lines", "Lines that wait to be written.", "Is the log's disk slow?"),
    _counter("scrape_failures", "readings", "Numbers that could not be read.", "Is a gap a bug?"),
    _gauge("scrape_seconds", "seconds", "Time that the last page took.", "What does this cost?"),
)  # fmt: skip

_CALL = ("grpc_type", "grpc_service", "grpc_method")
GRPC = (
    Entry(
        "grpc_server_started_total", "counter", "calls", "Calls that began.",
        "Who calls what?", _CALL, MAX_METHODS + 1,
    ),
    Entry(
        "grpc_server_handled_total", "counter", "calls", "Calls that ended, by status; a caller"
        " that vanished is CANCELLED.", "What fails?", (*_CALL, "grpc_code"), MAX_OUTCOMES + 1,
    ),
    Entry(
        "grpc_server_handling_seconds", "histogram", "seconds", "Time of calls that stream"
        " nothing.", "How quick are answers?", _CALL, MAX_METHODS + 1, _CALLS,
    ),
    Entry(
        "grpc_server_open_streams", "gauge", "calls", "Streaming calls that are open.",
        "Who is connected?", _CALL, MAX_METHODS + 1,
    ),
)  # fmt: skip

PROCESS = (
    Entry("process_cpu_seconds_total", "counter", "seconds", "", "How busy is the processor?"),
    Entry("process_resident_memory_bytes", "gauge", "bytes", "", "Does memory leak?"),
    Entry("process_virtual_memory_bytes", "gauge", "bytes", "", "(seldom of use)"),
    Entry("process_start_time_seconds", "gauge", "Unix seconds", "", "Was it restarted?"),
    Entry("process_open_fds", "gauge", "files", "", "Do connections leak?"),
    Entry("process_max_fds", "gauge", "files", "", "How many may there be?"),
)
"""What the client library reads of the process; Linux only."""

ENTRIES = (*MATCHES, *TOURNAMENTS, *SESSIONS, *STORE, *SERVER, *GRPC, *PROCESS)
"""All of them."""
BY_NAME = {entry.name: entry for entry in ENTRIES}
"""The same by name."""
MAX_SERIES = sum(entry.bound for entry in ENTRIES)
"""Series of a page, at most."""


def table() -> str:
    """The table for operators, in Markdown."""
    lines = [
        "| metric | labels | unit | series at most | question it answers |",
        "| --- | --- | --- | ---: | --- |",
    ]
    for entry in ENTRIES:
        labels = ", ".join(f"`{label}`" for label in entry.labels)
        cells = (f"`{entry.name}`", labels, entry.unit, str(entry.bound), entry.question)
        lines.append(f"| {' | '.join(cells)} |")
    lines.append(f"| all | | | {MAX_SERIES:,} | |")
    return "\n".join(lines)
