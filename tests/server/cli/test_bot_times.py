"""Times of a bot, from the notes of its match records."""

from pathlib import Path

import pytest
from rich.cells import cell_len

from saurodrome.server.cli.bot_times import SLOWEST, Times, as_json, lines, times
from saurodrome.server.cli.records import Record, parse
from tests.e2e.shell import here
from tests.server.cli import played

NOTES = (
    "0.4 ms",
    "12.0 ms (bot 10.0, wire 2.0)",
    "in_margin 212.0 ms (bot 180.0, wire 32.0, queue 1.5, stall 20.0)",
    "timed_out 250.0 ms",
    "8.0 ms (bot 6.0, wire 2.0), illegal 1: a remark, 3.0 ms",
    "illegal 30.0 ms, illegal 3",
)


def record(notes: tuple[str, ...] = NOTES) -> Record:
    """A match in which seat 0 has these notes, and others have some, too."""
    whole = played.played(steps=len(notes))
    steps = [
        step._replace(choices=tuple(c._replace(note=n) for c in step.choices))
        for step, n in zip(whole.steps, notes, strict=True)
    ]
    steps = [
        step._replace(
            choices=(step.choices[0], *(c._replace(note="9000.0 ms") for c in step.choices[1:]))
        )
        for step in steps
    ]
    return Record("any", whole._replace(steps=tuple(steps)), dict(whole.tags))


def test_decisions_are_counted_by_verdict_for_one_seat_only() -> None:
    found = times("my_bot", [record()])
    assert found.matches == 1
    assert found.verdicts == {"accepted": 3, "in_margin": 1, "timed_out": 1, "illegal": 1}
    assert found.illegal == 4


def test_percentiles_are_by_nearest_rank() -> None:
    found = times("my_bot", [record()])
    assert [found.charged(share) for share in (0.0, 0.5, 0.99, 1.0)] == [
        0.0004, 0.012, 0.25, 0.25,
    ]  # fmt: skip
    assert Times(0, ()).charged(0.5) == 0.0


def test_parts_are_sums_over_decisions_that_tell_them() -> None:
    found = times("my_bot", [record(), record()])
    assert found.part("bot") == pytest.approx(2 * (0.010 + 0.180 + 0.006))
    assert found.part("wire") == pytest.approx(2 * (0.002 + 0.032 + 0.002))
    assert found.part("stall") == pytest.approx(0.04)
    assert found.part("decode") == 0.0


def test_the_slowest_are_listed_with_match_and_step() -> None:
    found = times("my_bot", [record()])
    assert [(t.step, t.entry.charged) for t in found.slowest[:2]] == [(4, 0.25), (3, 0.212)]
    assert len(found.slowest) == SLOWEST


def test_matches_of_others_and_notes_of_no_server_do_not_count() -> None:
    assert times("nobody", [record()]) == Times(0, ())
    assert times("my_bot", [parse(played.text(), "x")]).decisions == ()


def test_the_screen_fits_and_says_who_paid() -> None:
    shown = lines("my_bot", times("my_bot", [record()]))
    assert max(map(cell_len, shown)) <= 80
    assert shown[0] == "my_bot   1 match   6 decisions"
    assert " time      median 12 ms   99 % below 250 ms   slowest 250 ms" in shown
    assert " charged   84 % thinking, the rest on the way (232 ms with a split)" in shown
    assert " ours      queue 2 ms, stall 20 ms: not charged" in shown
    verdicts = "accepted 3, illegal 1, in margin 1, timed out 1; illegal replies 4"
    assert f" verdicts  {verdicts}" in shown
    row = next(line for line in shown if "in margin" in line and "212 ms" in line)
    assert row.endswith("3  212 ms  0.2 s  180 ms  32 ms        22 ms  in margin")


def test_json_has_the_same_figures_in_seconds() -> None:
    told = as_json("my_bot", times("my_bot", [record()]))
    assert (told["decisions"], told["charged_p99_s"]) == (6, 0.25)
    assert told["slowest"][1]["stall_s"] == 0.02
    assert told["parts_s"]["bot"] == 0.196


def test_a_folder_of_records_needs_no_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    below = tmp_path / "records"
    below.mkdir()
    (below / "1.play").write_text(played.text())
    done = here(capsys, "bot", "report", "greedy", "--records", str(tmp_path))
    assert (done.code, done.out) == (0, "greedy   1 match   0 decisions\n")
    done = here(capsys, "bot", "report", "greedy", "--records", str(tmp_path / "none"))
    assert (done.code, "error[NO_FOLDER]" in done.err) == (2, True)
