"""Every line conforms to the schema that is handed out, and the schema knows every event."""

import ast
import json
import logging
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from saurodrome.server.config import Config
from saurodrome.server.log import LOG_FILE, logging_to
from saurodrome.server.log.volume import REPEATS
from saurodrome.server.observer import Observer, VoidWhy, Waits
from saurodrome.server.port import Answer, Verdict
from saurodrome.server.store.records import Event, EventKind, RatedSeat, Result, Termination

ROOT = Path(__file__).parents[3]
SCHEMA: dict[str, Any] = json.loads((ROOT / "deploy" / "log.schema.json").read_text())
VALIDATOR = Draft202012Validator(SCHEMA, format_checker=Draft202012Validator.FORMAT_CHECKER)
FIELDS: dict[str, set[str]] = {
    case["if"]["properties"]["event"]["const"]: set(case["then"]["properties"])
    for case in SCHEMA["allOf"]
}
LEVELS = {"debug", "info", "warning", "error", "exception"}
HOSTILE = 'a\n{"event": "fake"}\x1b[2J\u202e\ud800'


def happen(heard: Observer, text: str) -> None:
    """Everything that can be told, with a text from outside wherever one can be."""
    seat = RatedSeat(text, 1, 10, 2, 1, False, False, True, 1500.0, 1508.0)
    heard.session_opened(text, text, text)
    heard.session_closed(text, text)
    heard.session_refused(text)
    heard.surplus_frame(text, text)
    heard.decision_closed(text, text, text, Answer(1, Verdict.TIMED_OUT, 1.05, 2), 0.001)
    heard.match_started(text, text, 1, (text, text))
    heard.match_void(text, text, 1, VoidWhy.ERROR, text)
    heard.match_finished(Result(1, text, text, 2, Termination.FINISHED, (seat,), 9.0, True), 1.5)
    heard.forfeited(text, text, Verdict.ILLEGAL)
    heard.loop_stalled(1.5)
    heard.commit_failed(text, text, 0.5)
    heard.commit_done(3, 0.01)
    heard.tournament_changed(text, "running")
    what = (EventKind.VOIDED, text, text, "", text, text, 9.0, "")
    heard.tournament_event(Event(1, text, 0, *what))
    heard.error(text, ValueError(text))
    heard.scheduler_waits(Waits.BOTS, text)
    heard.scheduler_waits(Waits.NOTHING, "")


def written(tmp_path: Path, *texts: str) -> list[dict[str, Any]]:
    """The lines of a log in which everything happens with each text."""
    with logging_to(Config(data=tmp_path, log_level="debug")) as log:
        for text in texts:
            happen(log, text)
            for library in ("uvicorn.error", "grpc._cython.cygrpc", "asyncio"):
                logging.getLogger(library).error("trouble %s", text)
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn("old", DeprecationWarning, stacklevel=1)
    return [json.loads(line) for line in (tmp_path / LOG_FILE).read_text("ascii").splitlines()]


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert set(SCHEMA["properties"]["event"]["enum"]) == FIELDS.keys()


def test_every_line_conforms_whatever_it_is_about(tmp_path: Path) -> None:
    lines = written(tmp_path, "ada", HOSTILE, "", "x" * 100_000)
    for line in lines:
        VALIDATOR.validate(line)
    told = {line["event"] for line in lines}
    assert told >= {"match started", "match finished", "internal error", "library message"}
    assert {line["logger"] for line in lines if line["event"] == "library message"} >= {
        "uvicorn.error",
        "grpc._cython.cygrpc",
        "asyncio",
        "py.warnings",
    }


def test_lines_after_many_like_them_conform_too(tmp_path: Path) -> None:
    lines = written(tmp_path, *["ada"] * (REPEATS + 1))
    for line in lines:
        VALIDATOR.validate(line)
    assert sum(line["event"] == "session opened" for line in lines) == REPEATS


@pytest.mark.parametrize(
    "change",
    [
        {"event": "something else"},
        {"level": "loud"},
        {"timestamp": "yesterday"},
        {"extra": 1},
        {"bot": 7},
        {"reason": None},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_is_not_so_does_not_conform(change: dict[str, Any]) -> None:
    line = {
        "timestamp": "2026-01-02T03:04:05.123456Z",
        "level": "info",
        "event": "session closed",
        "logger": "saurodrome",
        "bot": "ada",
        "reason": "goodbye",
    }
    VALIDATOR.validate(line)
    assert not VALIDATOR.is_valid({**line, **change})


def calls() -> Iterator[tuple[str, str, set[str]]]:
    """Every line that the server's sources write: where, its event and its fields."""
    source = ROOT / "server" / "src"
    for file in source.rglob("*.py"):
        text = file.read_text()
        if "_log." not in text and "_repeated(" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and (event := event_of(node)):
                fields = {word.arg for word in node.keywords if word.arg and word.arg != "exc_info"}
                yield str(file.relative_to(source)), event, fields


def event_of(call: ast.Call) -> str:
    """The event that a call logs; empty if it logs none, or not by a literal."""
    on = call.func
    if not isinstance(on, ast.Attribute):
        return ""
    logs = on.attr in LEVELS and ast.unparse(on.value).endswith("_log")
    at = 0 if logs else 1 if on.attr == "_repeated" else len(call.args)
    words = call.args[at : at + 1]
    return str(words[0].value) if words and isinstance(words[0], ast.Constant) else ""


def test_the_schema_knows_every_event_of_the_sources_with_its_fields() -> None:
    found = list(calls())
    common = SCHEMA["properties"].keys()
    unknown = [
        (file, event, sorted(fields - FIELDS.get(event, set()) - common))
        for file, event, fields in found
        if event not in FIELDS or fields - FIELDS[event] - common
    ]
    assert unknown == [], "describe it in deploy/log.schema.json"
    assert len(found) > 15
