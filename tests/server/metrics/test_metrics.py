"""Metrics tell the truth: known events in, exactly their numbers out."""

import re
from collections.abc import Iterator

import pytest
from prometheus_client.parser import text_string_to_metric_families

from saurodrome.server.contracts import TableRow
from saurodrome.server.metrics import Metrics
from saurodrome.server.metrics.catalogue import BY_NAME, ENTRIES, MAX_CODES, PARTS
from saurodrome.server.observer import Observer, Observers, VoidWhy, Waits
from saurodrome.server.port import Answer, Verdict
from saurodrome.server.store.records import Event, EventKind, RatedSeat, Result, Termination

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


@pytest.fixture
def metrics() -> Metrics:
    return Metrics("1.2.3")


def read(metrics: Metrics) -> Samples:
    """Every sample of the page, by name and labels."""
    page = metrics.render().decode()
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(page)
        for sample in family.samples
    }


def value(metrics: Metrics, name: str, **labels: str) -> float:
    """One sample; `name` goes without the prefix."""
    return read(metrics)[f"saurodrome_{name}", tuple(sorted(labels.items()))]


def result(termination: Termination, match_id: str = "w/1/1/1", attempt: int = 1) -> Result:
    """A result in the log."""
    seat = RatedSeat("ada", 1, 10, 0, 0, False, False, True, 1500.0, 1508.0)
    return Result(1, "w", match_id, attempt, termination, (seat, seat), 9.0, True)


def close(metrics: Metrics, verdict: Verdict, charged: float = 0.2, illegal: int = 0) -> None:
    """Closes a decision."""
    answer = Answer(1, verdict, charged, illegal)
    metrics.decision_closed("ada", "w/1/1/1", "d", answer, 0.0004)


def test_decisions_are_counted_by_verdict_and_timed(metrics: Metrics) -> None:
    for verdict, times in ((Verdict.ACCEPTED, 3), (Verdict.TIMED_OUT, 2), (Verdict.ILLEGAL, 1)):
        for _ in range(times):
            close(metrics, verdict, illegal=3 if verdict is Verdict.ILLEGAL else 0)
    close(metrics, Verdict.IN_MARGIN, charged=1.02, illegal=1)
    counted = {v.value: value(metrics, "decisions_total", verdict=v.value) for v in Verdict}
    assert counted == {"accepted": 3, "timed_out": 2, "illegal": 1, "in_margin": 1, "void": 0}
    assert value(metrics, "illegal_replies_total") == 4
    assert value(metrics, "decision_seconds_count") == 7
    assert value(metrics, "decision_seconds_sum") == pytest.approx(6 * 0.2 + 1.02)
    assert value(metrics, "decision_seconds_bucket", le="0.1") == 0
    assert value(metrics, "decision_seconds_bucket", le="0.25") == 6
    assert value(metrics, "arbiter_overhead_seconds_count") == 7
    assert value(metrics, "arbiter_overhead_seconds_bucket", le="0.0005") == 7


def test_every_scrape_counts_all_decisions_of_before(metrics: Metrics) -> None:
    for so_far in range(1, 301):
        close(metrics, Verdict.ACCEPTED)
        if so_far in (1, 127, 128, 129, 300):
            assert value(metrics, "decision_seconds_count") == so_far


def test_the_parts_of_a_decision_are_told_apart_where_the_bot_tells_its_own(
    metrics: Metrics,
) -> None:
    for thought in (0.0, 0.15):
        answer = Answer(1, Verdict.ACCEPTED, 0.2, 0, "", 0.0, thought, 0.004, 0.0007, 0.0003)
        metrics.decision_closed("ada", "w/1", "d", answer, 0.0047)
    name = "decision_part_seconds"
    counts = {part: value(metrics, f"{name}_count", part=part) for part in PARTS}
    sums = {part: value(metrics, f"{name}_sum", part=part) for part in PARTS}
    assert counts == {"queue": 2, "encode": 2, "decode": 2, "bot": 1, "wire": 1}
    assert sums == pytest.approx(
        {"queue": 0.008, "encode": 0.0014, "decode": 0.0006, "bot": 0.15, "wire": 0.05}
    )


def test_matches_run_until_their_result_or_void(metrics: Metrics) -> None:
    for attempt in (1, 2):
        metrics.match_started("w", "w/1/1/1", attempt, ("ada", "bob"))
    metrics.match_started("w", "w/1/1/2", 1, ("ada", "bob"))
    assert value(metrics, "matches_running") == 3
    metrics.match_void("w", "w/1/1/1", 1, VoidWhy.STALLED, "for 1.4 s in a decision of ada")
    metrics.match_finished(result(Termination.FINISHED, attempt=2), 12.5)
    metrics.match_finished(result(Termination.FORFEIT, "w/1/1/2"), 2.5)
    metrics.match_finished(result(Termination.ABSENT, "w/1/1/3"), 0.0)
    assert value(metrics, "matches_running") == 0
    assert value(metrics, "attempts_started_total") == 3
    assert value(metrics, "attempts_void_total", reason="stalled") == 1
    counts = {t: value(metrics, "matches_total", termination=t.value) for t in Termination}
    assert counts == {
        Termination.FINISHED: 1,
        Termination.FORFEIT: 1,
        Termination.ABSENT: 1,
        Termination.NO_CONTEST: 0,
        Termination.ABANDONED: 0,
    }
    assert value(metrics, "match_seconds_count") == 2
    assert value(metrics, "match_seconds_sum") == 15.0


@pytest.mark.parametrize("why", VoidWhy)
def test_void_attempts_have_few_reasons_and_none_names_a_bot(
    metrics: Metrics, why: VoidWhy
) -> None:
    metrics.match_void("w", "w/1/1/1", 1, why, "because of ada")
    assert value(metrics, "attempts_void_total", reason=why.value) == 1


def test_sessions_refusals_and_surplus_frames(metrics: Metrics) -> None:
    metrics.session_opened("ada", "sdk", "1")
    metrics.session_opened("bob", "sdk", "1")
    metrics.session_closed("ada", "disconnected")
    metrics.session_refused("TOKEN_UNKNOWN")
    metrics.session_refused("TOKEN_UNKNOWN")
    metrics.surplus_frame("ada", "stale")
    metrics.forfeited("ada", "w/1/1/1", "timed_out")
    assert value(metrics, "sessions") == 1
    assert value(metrics, "sessions_opened_total") == 2
    assert value(metrics, "sessions_closed_total", reason="disconnected") == 1
    assert value(metrics, "refusals_total", code="TOKEN_UNKNOWN") == 2
    assert value(metrics, "surplus_frames_total", kind="stale") == 1
    assert value(metrics, "forfeits_total", kind="timed_out") == 1


@pytest.mark.case("ML-05")
def test_the_store_fails_until_a_commit_is_done(metrics: Metrics) -> None:
    metrics.commit_failed("STORE_FULL", "disk is full", 0.5)
    assert value(metrics, "store_failing") == 1
    assert value(metrics, "commit_failures_total", code="STORE_FULL") == 1
    metrics.commit_done(7, 0.004, 0.02)
    assert value(metrics, "recorder_wait_seconds_sum") == 0.02
    assert value(metrics, "store_failing") == 0
    assert value(metrics, "commit_seconds_count") == 1
    assert value(metrics, "commit_items_total") == 7


def test_stalls_errors_and_tournaments(metrics: Metrics) -> None:
    metrics.loop_stalled(1.0)
    metrics.error("scheduler", ValueError("x"))
    metrics.tournament_changed("w", "running")
    metrics.tournament_changed("x", "running")
    metrics.tournament_changed("w", "finished")
    metrics.tournament_changed("y", "cancelled")
    metrics.tournament_event(Event(1, "w", 0, EventKind.WITHDRAWN, "ada", "", "", "", "", 9.0, ""))
    assert value(metrics, "tournament_events_total", kind="withdrawn") == 1
    assert value(metrics, "loop_stall_seconds_sum") == 1.0
    assert value(metrics, "errors_total") == 1
    assert value(metrics, "tournaments", state="running") == 1
    assert value(metrics, "tournaments", state="finished") == 1
    assert value(metrics, "tournaments", state="cancelled") == 1
    assert metrics._states == {"x": "running"}  # of those that are over no name is kept


def test_tournaments_of_before_the_start_are_counted(metrics: Metrics) -> None:
    metrics.tournaments_found({"v": "planned", "w": "running"}, {"finished": 3, "cancelled": 1})
    metrics.tournament_changed("w", "finished")
    states = ("planned", "running", "paused", "finished", "cancelled")
    counted = [value(metrics, "tournaments", state=state) for state in states]
    assert counted == [1, 0, 0, 4, 1]


def test_build_info_names_the_version(metrics: Metrics) -> None:
    labels = [dict(key[1]) for key in read(metrics) if key[0] == "saurodrome_build_info"]
    assert labels[0]["version"] == "1.2.3"


def test_readings_show_what_they_read_and_failures_spoil_nothing_else(metrics: Metrics) -> None:
    depth = [3.0]
    metrics.reading("recorder_queue_items", lambda: depth[0])
    metrics.reading("log_lines_dropped_total", lambda: 5)
    metrics.reading("store_bytes", lambda: 1 / 0)
    metrics.reading("certificate_expiry_timestamp_seconds", lambda: None)
    assert value(metrics, "recorder_queue_items") == 3
    depth[0] = 4.0
    page = read(metrics)
    assert page["saurodrome_recorder_queue_items", ()] == 4
    assert page["saurodrome_log_lines_dropped_total", ()] == 5
    assert ("saurodrome_store_bytes", ()) not in page
    assert ("saurodrome_certificate_expiry_timestamp_seconds", ()) not in page
    assert page["saurodrome_scrape_failures_total", ()] == 2


def test_a_reading_must_be_in_the_catalogue(metrics: Metrics) -> None:
    with pytest.raises(KeyError):
        metrics.reading("nobody_knows", lambda: 1)


@pytest.mark.parametrize(
    ("waits", "runs", "state"),
    [
        (Waits.NOTHING, False, "idle"),
        (Waits.NOTHING, True, "playing"),
        (Waits.BOTS, True, "playing"),
        (Waits.BOTS, False, "waiting_for_bots"),
        (Waits.STORE_FAILING, True, "store_failing"),
        (Waits.MAX_MATCHES, True, "max_matches"),
        (Waits.DRAINING, False, "draining"),
    ],
)
def test_the_scheduler_is_in_one_state(
    metrics: Metrics, waits: Waits, runs: bool, state: str
) -> None:
    metrics.scheduler_waits(waits, "1 of 3 bots not connected: ada")
    if runs:
        metrics.match_started("w", "w/1/1/1", 1, ("ada", "bob"))
    shown = {
        dict(labels)["state"]: number
        for (name, labels), number in read(metrics).items()
        if name == "saurodrome_scheduler_state"
    }
    assert [name for name, number in shown.items() if number] == [state]
    assert len(shown) == BY_NAME["saurodrome_scheduler_state"].bound


def test_the_time_since_a_match_runs_from_the_start_and_from_each_result() -> None:
    now = [100.0]
    metrics = Metrics("1", clock=lambda: now[0])
    now[0] = 130.0
    assert value(metrics, "since_match_seconds") == 30
    metrics.match_finished(result(Termination.ABSENT), 0.0)
    now[0] = 131.5
    assert value(metrics, "since_match_seconds") == 1.5


def test_time_taken_back_from_clocks_is_counted(metrics: Metrics) -> None:
    close(metrics, Verdict.ACCEPTED)
    answer = Answer(1, Verdict.ACCEPTED, 0.1, stalled=0.25)
    metrics.decision_closed("ada", "w/1/1/1", "d", answer, 0.001)
    assert value(metrics, "arbiter_stalled_seconds_total") == 0.25
    assert value(metrics, "arbiter_stalled_decisions_total") == 1


def test_calls_are_counted_by_method_and_status(metrics: Metrics) -> None:
    play = ("bidi_stream", "saurodrome.bot.v1.BotService", "Play")
    games = ("unary", "saurodrome.bot.v1.BotService", "ListGames")
    for method in (play, play, games):
        metrics.call_began(method)
    metrics.call_ended(play, "CANCELLED", 60.0)
    metrics.call_ended(games, "OK", 0.004)
    page = {
        (name, dict(labels).get("grpc_method"), dict(labels).get("grpc_code")): number
        for (name, labels), number in read(metrics).items()
        if name.startswith("grpc_server") and "le" not in dict(labels)
    }
    assert page == {
        ("grpc_server_started_total", "Play", None): 2,
        ("grpc_server_started_total", "ListGames", None): 1,
        ("grpc_server_open_streams", "Play", None): 1,
        ("grpc_server_handled_total", "Play", "CANCELLED"): 1,
        ("grpc_server_handled_total", "ListGames", "OK"): 1,
        ("grpc_server_handling_seconds_count", "ListGames", None): 1,
        ("grpc_server_handling_seconds_sum", "ListGames", None): 0.004,
    }


def rows(count: int) -> Iterator[tuple[str, TableRow]]:
    """A table of so many bots; only odd ones have a rating."""
    for n in range(1, count + 1):
        rating = 1500.0 + n if n % 2 else None
        yield "weekend", TableRow(n, f"bot{n}", "Bot", 1500.0, rating, matches=n, forfeits=1)


def test_names_of_bots_are_labels_for_the_first_fifty_of_the_table_only(metrics: Metrics) -> None:
    close(metrics, Verdict.ACCEPTED)
    metrics.decision_closed("bot7", "w/1", "d", Answer(1, Verdict.ACCEPTED, 0.25), 0.001)
    metrics.table(lambda: rows(80), lambda bot: bot == "bot7")
    with_bot: dict[str, int] = {}
    for name, labels in read(metrics):
        if any(key == "bot" for key, _ in labels):
            with_bot[name.removeprefix("saurodrome_bot_")] = with_bot.get(name, 0) + 1
    assert set(with_bot) == {
        entry.name.removeprefix("saurodrome_bot_") for entry in ENTRIES if "bot" in entry.labels
    } - {"rating_error_elo"}
    seventh = {"bot": "bot7", "tournament": "weekend"}
    assert value(metrics, "bot_rank", **seventh) == 7
    assert value(metrics, "bot_rating_elo", **seventh) == 1507
    assert value(metrics, "bot_connected", **seventh) == 1
    assert value(metrics, "bot_thinking_seconds_total", **seventh) == 0.25
    assert value(metrics, "bot_connected", bot="bot8", tournament="weekend") == 0
    page = read(metrics)
    assert sum(name == "saurodrome_bot_rank" for name, _ in page) == 50
    assert sum(name == "saurodrome_bot_rating_elo" for name, _ in page) == 25
    assert sum(name == "saurodrome_bot_decisions_total" for name, _ in page) == 1


def test_the_sum_of_live_elo_is_watched(metrics: Metrics) -> None:
    off = [0.0]
    metrics.table(
        lambda: [("w", TableRow(n, f"b{n}", "", 1500.0 + (-1) ** n * 80 + off[0])) for n in (1, 2)]
    )
    assert value(metrics, "elo_drift") == 0
    off[0] = -3.0
    assert value(metrics, "elo_drift") == 6


def test_codes_cannot_make_series_without_end(metrics: Metrics) -> None:
    for n in range(MAX_CODES + 500):
        metrics.session_refused(f"CODE_{n}")
    metrics.session_refused("bad\ud800code")
    page = read(metrics)
    assert sum(name == "saurodrome_refusals_total" for name, _ in page) == MAX_CODES + 1
    assert page["saurodrome_refusals_total", (("code", "OTHER"),)] == 501


def test_every_metric_has_help_type_and_a_unit_where_it_has_one(metrics: Metrics) -> None:
    text = metrics.render().decode()
    for family in text_string_to_metric_families(text):
        assert family.documentation, family.name
        if family.type == "histogram":
            assert family.name.endswith("_seconds")
    types = dict(re.findall(r"^# TYPE (\S+) (\S+)", text, re.MULTILINE))
    assert types == {entry.name: entry.kind for entry in ENTRIES if entry.name in types}
    assert "_created" not in text


def test_metrics_hear_every_event() -> None:
    events = {name for name in vars(Observer) if not name.startswith("_")}
    assert {name for name in events if getattr(Metrics, name) is getattr(Observer, name)} == set()
    heard = Observers(Metrics("1"))
    assert events <= set(vars(heard))


def test_a_decision_that_cannot_be_counted_spoils_one_page_and_no_other() -> None:
    metrics = Metrics("1")
    odd = Answer(1, Verdict.ACCEPTED, 0.25)
    odd.verdict = "odd"  # type: ignore[assignment]
    metrics.decision_closed("ada", "w/1", "d1", odd, 0.001)
    with pytest.raises(KeyError):
        metrics.render()
    metrics.decision_closed("ada", "w/1", "d2", Answer(1, Verdict.ACCEPTED, 0.25), 0.001)
    assert b'saurodrome_decisions_total{verdict="accepted"} 1.0' in metrics.render()
