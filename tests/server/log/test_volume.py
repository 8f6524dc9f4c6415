"""However much happens, the log stays bounded, and a flood costs no line that matters."""

import json
from pathlib import Path

import pytest

from saurodrome.server.config import Config
from saurodrome.server.log import LOG_FILE, logging_to, volume
from saurodrome.server.log.volume import BURST, PER_SECOND, REPEATS, Repeats, Volume
from saurodrome.server.observer import VoidWhy


def test_a_flood_is_cut_to_what_a_second_may_have_and_is_counted() -> None:
    now = [0.0]
    lines = Volume(lambda: now[0])
    assert sum(lines.admit("info") for _ in range(BURST + 500)) == BURST
    assert lines.left_out == 500
    assert lines.untold() == 500
    assert lines.untold() == 0
    now[0] = 2.0
    assert sum(lines.admit("info") for _ in range(BURST)) == 2 * PER_SECOND
    assert lines.written["info"] == BURST + 2 * PER_SECOND


def test_a_flood_of_debug_lines_costs_no_other_line() -> None:
    lines = Volume(lambda: 0.0)
    for _ in range(2 * BURST):
        lines.admit("debug")
    assert all(lines.admit(level) for level in ("info", "warning", "error"))
    assert lines.written == {"debug": BURST, "info": 1, "warning": 1, "error": 1}


def test_warnings_and_errors_pass_always() -> None:
    lines = Volume(lambda: 0.0)
    assert all(lines.admit("error") for _ in range(2 * BURST))
    assert lines.left_out == 0


def test_repeats_are_left_out_and_counted_in_both_places() -> None:
    now = [0.0]
    lines = Volume(lambda: now[0])
    repeats = Repeats(lambda: now[0], lines)
    answers = [repeats.ask("session closed", "ada") for _ in range(REPEATS + 7)]
    assert answers == [0] * REPEATS + [None] * 7
    assert lines.left_out == 7
    assert repeats.ask("session closed", "bob") == 0
    now[0] = 61.0
    assert repeats.ask("session closed", "ada") == 7


def test_the_next_line_tells_how_many_were_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(volume, "BURST", 5)
    monkeypatch.setattr(volume, "PER_SECOND", 0)
    with logging_to(Config(data=tmp_path)) as log:
        for n in range(20):
            log.tournament_changed(f"t{n}", "running")
        log.match_void("w", "w/1/1/1", 1, VoidWhy.STALLED, "stalled")
        assert (log.volume.written["info"], log.volume.left_out) == (5, 15)
    lines = [json.loads(line) for line in (tmp_path / LOG_FILE).read_text().splitlines()]
    assert [line["event"] for line in lines] == ["tournament changed"] * 5 + ["match void"]
    assert lines[-1]["left_out_for_volume"] == 15
