"""The log from the outside: what lines there are, that each parses, and that nothing is forged."""

import json
import logging
import os
import subprocess
import sys
import textwrap
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import structlog

from saurodrome.server.config import Config
from saurodrome.server.errors import Refused
from saurodrome.server.log import LogObserver, logging_to
from saurodrome.server.log.events import DebugLogObserver
from saurodrome.server.log.render import MAX_CHARS, console_line, json_line
from saurodrome.server.log.setup import LOG_FILE
from saurodrome.server.log.volume import REPEATS
from saurodrome.server.observer import Observer, Observers, VoidWhy, Waits
from saurodrome.server.port import Answer, Verdict
from saurodrome.server.store.records import RatedSeat, Result, Termination

EVIL = 'a\n{"event": "fake"}\x1b[2J\u202e'


def logged(tmp_path: Path, story: Callable[[LogObserver], None], level: str = "info") -> Any:
    """The lines that a story leaves in the file."""
    with logging_to(Config(data=tmp_path, log_level=level)) as log:
        story(log)
    return [json.loads(line) for line in (tmp_path / LOG_FILE).read_text("ascii").splitlines()]


def result() -> Result:
    """A result in the log."""
    seats = tuple(
        RatedSeat(bot, place, 10, 0, 0, False, False, True, 1500.0, 1508.0)
        for place, bot in enumerate(("ada", "bob", "cyd", "dan", "eve"), 1)
    )
    return Result(1, "w", "w/1/1/1", 1, Termination.FINISHED, seats, 9.0, True)


def match(log: LogObserver) -> None:
    """One match of five with a timeout a decision and four forfeits."""
    told = Observers(log)
    told.match_started("w", "w/1/1/1", 1, ("ada", "bob", "cyd", "dan", "eve"))
    for n in range(60):
        answer = Answer(0, Verdict.TIMED_OUT, 1.05)
        told.decision_closed("ada", "w/1/1/1", f"d{n}", answer, 0.0001)
        told.surplus_frame("ada", "stale")
    for bot in ("ada", "bob", "cyd", "dan"):
        told.forfeited(bot, "w/1/1/1", "timed_out")
    told.match_finished(result(), 12.3456)


@pytest.mark.case("ML-02")
def test_a_match_takes_few_lines_and_its_story_is_whole(tmp_path: Path) -> None:
    lines = logged(tmp_path, match)
    mine = [line for line in lines if line.get("match") == "w/1/1/1"]
    assert len(mine) == len(lines) <= 10
    assert [line["event"] for line in mine] == [
        "match started", "forfeit", "forfeit", "forfeit", "forfeit", "match finished",
    ]  # fmt: skip
    assert mine[0]["bots"] == ["ada", "bob", "cyd", "dan", "eve"]
    assert mine[-1]["termination"] == "finished"
    assert mine[-1]["placements"] == [1, 2, 3, 4, 5]
    assert mine[-1]["seconds"] == 12.346
    for line in lines:
        assert list(line)[:3] == ["timestamp", "level", "event"]
        assert line["level"] == "info"
        assert line["timestamp"].endswith("Z")
        assert line["logger"] == "saurodrome"


def test_decisions_are_told_at_debug(tmp_path: Path) -> None:
    lines = logged(tmp_path, match, level="debug")
    decisions = [line for line in lines if line["event"] == "decision"]
    assert len(decisions) == 60
    assert decisions[0]["verdict"] == "timed_out"
    assert decisions[0]["charged"] == 1.05


def test_decisions_cost_nothing_where_they_are_not_logged() -> None:
    assert LogObserver.decision_closed is Observer.decision_closed
    assert DebugLogObserver.decision_closed is not Observer.decision_closed


@pytest.mark.case("SE-06")
def test_values_cannot_forge_lines_or_colours(tmp_path: Path) -> None:
    def story(log: LogObserver) -> None:
        log.session_opened(EVIL, EVIL, "\ud800")
        log.session_closed(EVIL, EVIL)

    lines = logged(tmp_path, story)
    assert [line["event"] for line in lines] == ["session opened", "session closed"]
    assert lines[0]["bot"] == EVIL
    raw = (tmp_path / LOG_FILE).read_bytes()
    assert not set(raw) - set(range(0x20, 0x7F)) - {0x0A}


def test_a_line_for_people_has_no_control_characters_either() -> None:
    event = {
        "timestamp": "2026-01-02T03:04:05Z", "level": "info", "event": "session opened",
        "bot": EVIL, "name": "Бob Ω", "n": 3, "list": ["a", 1], "exception": "Traceback\n",
    }  # fmt: skip
    line = console_line(event)
    assert line.isprintable()
    assert line.startswith("03:04:05 info    session opened bot=")
    assert 'name="Бob Ω" n=3' in line
    assert "Traceback" not in line


def test_long_values_are_cut(tmp_path: Path) -> None:
    lines = logged(tmp_path, lambda log: log.session_opened("b" * 10_000_000, "sdk", "1"))
    assert len(lines[0]["bot"]) <= MAX_CHARS + 3


def test_what_json_does_not_know_is_shown_in_ascii() -> None:
    assert json.loads(json_line({"event": "x", "path": Path("ä")})) == {
        "event": "x",
        "path": "PosixPath('\\xe4')",
    }


@pytest.mark.case("P66")
def test_repeated_lines_are_capped_and_counted(tmp_path: Path) -> None:
    now = [0.0]

    def story(_: LogObserver) -> None:
        log = LogObserver(clock=lambda: now[0])
        for _n in range(1_000):
            log.session_opened("ada", "sdk", "1")
            log.commit_failed("STORE_FULL", "disk", 0.5)
        log.session_opened("bob", "sdk", "1")
        now[0] = 61.0
        log.session_opened("ada", "sdk", "1")

    lines = logged(tmp_path, story)
    opened = [line for line in lines if line["event"] == "session opened"]
    assert len([line for line in opened if line["bot"] == "ada"]) == REPEATS + 1
    assert opened[-1]["left_out"] == 1_000 - REPEATS
    assert len([line for line in lines if line["event"] == "commit failed"]) == REPEATS
    assert len([line for line in opened if line["bot"] == "bob"]) == 1


def test_trouble_of_the_store_is_told_when_it_comes_and_when_it_goes(tmp_path: Path) -> None:
    def story(log: LogObserver) -> None:
        log.commit_done(1, 0.001)
        log.commit_failed("STORE_FULL", "disk", 0.5)
        log.commit_done(3, 0.001)
        log.commit_done(3, 0.001)

    assert [(line["level"], line["event"]) for line in logged(tmp_path, story)] == [
        ("error", "commit failed"),
        ("warning", "store works again"),
    ]


def test_errors_carry_their_traceback_as_a_value(tmp_path: Path) -> None:
    def story(log: LogObserver) -> None:
        try:
            raise ValueError(EVIL)
        except ValueError as error:
            log.error("match w/1/1/1", error)

    (line,) = logged(tmp_path, story)
    assert (line["event"], line["where"]) == ("internal error", "match w/1/1/1")
    assert "ValueError" in line["exception"]
    assert "test_events.py" in line["exception"]


def test_every_other_event_is_a_line(tmp_path: Path) -> None:
    def story(log: LogObserver) -> None:
        log.session_refused("TOKEN_UNKNOWN")
        log.match_void("w", "w/1/1/1", 1, VoidWhy.STALLED, "stalled")
        log.loop_stalled(0.09)
        log.loop_stalled(1.0)
        log.tournament_changed("w", "running")
        log.scheduler_waits(Waits.BOTS, "no bots")
        log.scheduler_waits(Waits.NOTHING, "")

    assert [(line["level"], line["event"]) for line in logged(tmp_path, story)] == [
        ("info", "refused"),
        ("warning", "match void"),
        ("warning", "loop stalled"),
        ("info", "tournament changed"),
        ("info", "scheduler waits"),
        ("info", "scheduler goes on"),
    ]


def test_libraries_log_into_the_same_lines(tmp_path: Path) -> None:
    def story(_: LogObserver) -> None:
        logging.getLogger("uvicorn.error").warning("Invalid %s\n", "request")
        logging.getLogger("uvicorn.access").info("GET /")
        logging.getLogger("asyncio").log(35, "%d", "not a number")
        structlog.get_logger("saurodrome.rpc").error("internal error", incident="abc")
        warnings.warn("old", UserWarning, stacklevel=1)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        lines = logged(tmp_path, story)
    assert [(line["logger"], line["level"]) for line in lines] == [
        ("uvicorn.error", "warning"),
        ("asyncio", "warning"),
        ("saurodrome.rpc", "error"),
        ("py.warnings", "warning"),
    ]
    assert lines[0]["message"] == "Invalid request\n"
    assert lines[1]["message"] == "%d"
    assert lines[2]["incident"] == "abc"


def test_a_library_cannot_fill_the_log(tmp_path: Path) -> None:
    def story(_: LogObserver) -> None:
        for n in range(1_000):
            logging.getLogger("uvicorn.error").warning("Invalid request %d", n)

    assert len(logged(tmp_path, story)) == REPEATS


def test_everything_is_put_back_at_the_end(tmp_path: Path) -> None:
    before = logging.getLogger().handlers[:], logging.getLogger().level
    logged(tmp_path, lambda log: None)
    assert (logging.getLogger().handlers[:], logging.getLogger().level) == before
    assert not structlog.is_configured()


def test_a_level_that_is_none_and_a_file_that_cannot_be_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused) as caught, logging_to(Config(data=tmp_path, log_level="loud")):
        pass
    assert (caught.value.code, caught.value.where) == ("BAD_LOG_LEVEL", "log_level")
    with pytest.raises(Refused) as caught, logging_to(Config(data=tmp_path / "absent")):
        pass
    assert caught.value.code == "LOG_UNWRITABLE"


PROGRAM = """
    import asyncio, sys, time
    from pathlib import Path
    from saurodrome.server.config import Config
    from saurodrome.server.log import logging_to

    async def main(data):
        worst = 0.0
        with logging_to(Config(data=data, log_console=True)) as log:
            for n in range(3_000):
                log.forfeited("ada", f"w/1/1/{n}", "timed_out")
                if n % 100 == 0:
                    start = time.perf_counter()
                    await asyncio.sleep(0)
                    worst = max(worst, time.perf_counter() - start)
        print(worst, log.dropped())  # by now every line has met the pipe

    start = time.monotonic()
    asyncio.run(main(Path(sys.argv[1])))
    print(time.monotonic() - start)
"""


def run(tmp_path: Path, stderr: int) -> tuple[float, int, float]:
    """Logs 3,000 lines in a process of its own with a certain standard error."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PROGRAM), str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=stderr,
        timeout=60,
        check=True,
    )
    worst, dropped, seconds = done.stdout.split()
    return float(worst), int(dropped), float(seconds)


@pytest.mark.wire
@pytest.mark.parametrize("kind", ["unread", "closed", "full"])
def test_no_standard_error_holds_up_the_loop_or_ends_the_process(tmp_path: Path, kind: str) -> None:
    reader, end = os.pipe()
    if kind == "closed":
        os.close(reader)
    if kind == "full":
        os.close(end)
        end = os.open("/dev/full", os.O_WRONLY)
    start = time.monotonic()
    worst, dropped, _ = run(tmp_path, end)
    assert time.monotonic() - start < 30
    assert worst < 0.5
    lines = (tmp_path / LOG_FILE).read_text().splitlines()
    assert len([line for line in lines if "forfeit" in line]) == 3_000
    if kind != "unread":  # an unread pipe keeps some, and the queue the rest
        assert dropped > 0
    os.close(end)
    if kind == "unread":
        os.close(reader)


@pytest.mark.wire
def test_standard_error_of_a_pipe_gets_json_lines(tmp_path: Path) -> None:
    reader, end = os.pipe()
    with os.fdopen(reader, "rb") as pipe:
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(PROGRAM), str(tmp_path)],
            stdout=subprocess.DEVNULL,
            stderr=end,
        )
        os.close(end)
        lines = pipe.read().splitlines()
        assert process.wait(30) == 0
    assert len(lines) == 3_000
    assert all(json.loads(line)["event"] == "forfeit" for line in lines)
