"""`saurodrome logs match` finds a match's story, also across files that were put aside."""

import json
from pathlib import Path
from typing import Any

import pytest

from saurodrome.server.cli.root import main
from saurodrome.server.config import Config
from saurodrome.server.log import LOG_FILE, LogObserver, logging_to
from saurodrome.server.log.story import events, story
from saurodrome.server.observer import VoidWhy
from saurodrome.server.port import Answer, Verdict
from saurodrome.server.store.records import RatedSeat, Result, Termination

ID = "weekend/1/2/3"
EVIL = "\x1b[2J\u202eada"
Captured = pytest.CaptureFixture[str]


def result(match_id: str = ID, attempt: int = 2) -> Result:
    """Ada wins; Bob was late three times."""
    seats = (
        RatedSeat("bob", 2, 20, 3, 0, False, False, True, 1500.0, 1490.0),
        RatedSeat("ada", 1, 31, 0, 1, False, False, True, 1500.0, 1510.0),
    )
    return Result(17, "weekend", match_id, attempt, Termination.FINISHED, seats, 9.0, True)


def play(log: LogObserver) -> None:
    """Two attempts at the match, and another match beside it."""
    log.session_opened("cyd", "sdk", "1")
    log.match_started("weekend", "weekend/1/2/4", 1, ("cyd", "dan"))
    log.match_started("weekend", ID, 1, ("bob", "ada"))
    log.session_closed("ada", "disconnected")
    log.session_closed("cyd", "goodbye")
    log.loop_stalled(1.25)
    log.match_void("weekend", ID, 1, VoidWhy.STALLED, "the arbiter stood still")
    log.session_closed("bob", "disconnected")
    log.match_started("weekend", ID, 2, ("bob", "ada"))
    log.session_opened("ada", "saurodrome-client 1", EVIL)
    log.forfeited("bob", ID, "timed_out")
    log.match_finished(result(), 61.0)
    log.session_opened("bob", "sdk", "1")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    with logging_to(Config(data=tmp_path)) as log:
        play(log)
    return tmp_path


def test_the_story_has_the_match_its_bots_and_the_servers_trouble(
    data: Path, capsys: Captured
) -> None:
    assert main(["logs", "match", ID, "--data", str(data)]) == 0
    out, err = capsys.readouterr()
    first, *rest = out.splitlines()
    assert first.startswith(f"{ID}   2 attempts, 2")
    assert [line[15:] for line in rest] == [
        "attempt 1 begins: bob, ada",
        "ada went: disconnected",
        "the arbiter stood still for 1.2 s",
        "attempt 1 is void: the arbiter stood still",
        "attempt 2 begins: bob, ada",
        "ada is here: saurodrome-client 1 \\u001b[2J\\u202eada",
        "bob forfeits: timed_out",
        "result 17, finished after 1 min 1 s: 1 ada 31, 2 bob 20; late:",
        "bob 3; illegal: ada 1",
    ]
    assert all(len(line) <= 80 and line.isprintable() for line in rest)
    assert f"saurodrome replay show {ID}" in err


@pytest.mark.parametrize("end", [Termination.ABSENT, Termination.NO_CONTEST])
def test_a_match_that_was_not_played_leads_to_no_record(
    end: Termination, tmp_path: Path, capsys: Captured
) -> None:
    with logging_to(Config(data=tmp_path)) as log:
        log.match_finished(result()._replace(termination=end, has_record=False), 0.0)
    assert main(["logs", "match", ID, "--data", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert "result 17" in out
    assert "replay show" not in err


def test_decisions_are_told_where_the_server_logs_them(tmp_path: Path, capsys: Captured) -> None:
    with logging_to(Config(data=tmp_path, log_level="debug")) as log:
        log.match_started("weekend", ID, 1, ("bob", "ada"))
        log.decision_closed("ada", ID, "d1", Answer(4, Verdict.TIMED_OUT, 1.05), 0.001)
        log.error("scheduler", ValueError("x"))
    assert main(["logs", "match", ID, "--data", str(tmp_path)]) == 0
    told = [line[15:] for line in capsys.readouterr().out.splitlines()[1:]]
    assert told == ["attempt 1 begins: bob, ada", "ada timed_out in 1.1 s"]


def test_scripts_get_the_lines_as_they_are(data: Path, capsys: Captured) -> None:
    assert main(["logs", "match", ID, "--data", str(data), "--json"]) == 0
    out, _ = capsys.readouterr()
    events: list[dict[str, Any]] = [json.loads(line) for line in out.splitlines()]
    assert [event["event"] for event in events] == [
        "match started", "session closed", "loop stalled", "match void",
        "match started", "session opened", "forfeit", "match finished",
    ]  # fmt: skip
    written = [json.loads(line) for line in (data / LOG_FILE).read_text().splitlines()]
    assert all(event in written for event in events)


def test_files_that_were_put_aside_are_read_first(data: Path) -> None:
    log = data / LOG_FILE
    lines = log.read_text().splitlines(keepends=True)
    log.with_name(f"{LOG_FILE}.2").write_text("".join(lines[:4]))
    # A line that a crash cut off, one that is no object, and one in another alphabet.
    log.with_name(f"{LOG_FILE}.1").write_text("".join(lines[4:7]) + '{"event": "mat\n7\n恐\n')
    log.write_text("".join(lines[7:]))
    found = story(log, ID)
    assert [event["event"] for event in found.events][:3] == [
        "match started", "session closed", "loop stalled",
    ]  # fmt: skip
    assert found.events[-1]["event"] == "match finished"
    assert found.since == json.loads(lines[0])["timestamp"]
    assert [file.name for file in found.files] == [f"{LOG_FILE}.2", f"{LOG_FILE}.1", LOG_FILE]


def test_a_file_that_is_gone_meanwhile_is_no_trouble(tmp_path: Path) -> None:
    assert list(events(tmp_path / f"{LOG_FILE}.4")) == []


def test_an_unknown_match_is_said_with_where_the_log_begins(data: Path, capsys: Captured) -> None:
    assert main(["logs", "match", "weekend/9/9/9", "--data", str(data)]) == 2
    _, err = capsys.readouterr()
    assert "error[UNKNOWN_MATCH] The log tells nothing of a match 'weekend/9/9/9'." in err
    assert "which begins at 2" in err


def test_without_a_log_the_data_directory_is_asked_for(tmp_path: Path, capsys: Captured) -> None:
    assert main(["logs", "match", ID, "--data", str(tmp_path), "--json"]) == 2
    error = json.loads(capsys.readouterr().err)["error"]
    assert error["code"] == "UNKNOWN_MATCH"
    assert "--data" in error["do"]
