"""`tournament plan` and `simulate` without a server: figures, screens, errors, nothing written."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from saurodrome.server.cli.planning import limits
from saurodrome.server.cli.planning.keys import KEYS
from saurodrome.server.cli.root import main

Captured = pytest.CaptureFixture[str]
SMALL = """\
name = "A small one"
players = 3
concurrency = 2
[entry]
bots = ["a", "b", "c"]
house = ["greedy", "random"]
"""
FORMATS = {
    "round-robin": "",
    "gauntlet": 'entry.candidates = ["a"]',
    "swiss": "",
    "knockout": "",
    "ladder": "matches = 40",
}


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SAURODROME_SERVER", raising=False)
    (tmp_path / "small.toml").write_text(SMALL)


def run(capsys: Captured, *arguments: str, code: int = 0) -> tuple[str, str]:
    assert main(["tournament", *arguments]) == code
    out, err = capsys.readouterr()
    assert "--json" in arguments or max(map(cell_len, (out + err).splitlines())) <= 80
    return out, err


def as_json(capsys: Captured, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(capsys, *arguments, "--json")[0])
    return found


def test_a_plan_counts_matches_and_divides_them_by_the_rate(capsys: Captured) -> None:
    plan = as_json(capsys, "plan", "small.toml", "--rate", "0.5")
    assert plan["matches"] == 10 * 6  # groups of 3 out of 5, from 6 seatings
    assert plan["fewest_matches_of_a_bot"] == plan["most_matches_of_a_bot"] == 6 * 6
    assert plan["seconds"] == 120.0
    assert plan["tables_at_once"] == 1
    assert plan["house"] == ["greedy", "random"]


def test_the_screen_says_the_same(capsys: Captured) -> None:
    out, err = run(capsys, "plan", "small.toml", "--rate", "0.5")
    assert out.startswith("A small one   draftosaurus summer, tables of 3, round-robin\n")
    assert "60; a bot plays 36, in every seat 12 times" in out
    assert "2 min 0 s at 0.5 matches/s, as told by --rate" in out
    assert "saurodrome tournament create small.toml" in err.partition("next: ")[2]


def test_a_plan_without_a_rate_is_bounded_by_its_limits(capsys: Captured) -> None:
    plan = as_json(capsys, "plan", "small.toml")
    assert plan["rate_is_slowest"]
    assert plan["seconds"] == pytest.approx(plan["matches"] / plan["rate"])
    assert "at most" in run(capsys, "plan", "small.toml")[0]


def test_a_plan_for_more_entries(capsys: Captured) -> None:
    assert as_json(capsys, "plan", "small.toml", "--entries", "8")["matches"] == 56 * 6


def test_a_file_without_entrants_is_planned_for_those_that_are_told(
    capsys: Captured, tmp_path: Path
) -> None:
    (tmp_path / "form.toml").write_text('format = "round-robin"\nplayers = 2\n')
    assert as_json(capsys, "plan", "form.toml", "--entries", "6")["matches"] == 15 * 2
    assert run(capsys, "simulate", "form.toml", "--entries", "3", "--times", "1")[0]
    assert "error[TOO_FEW_BOTS]" in run(capsys, "plan", "form.toml", code=2)[1]
    assert "error[TOO_FEW_BOTS]" in run(capsys, "create", "form.toml", code=2)[1]


def test_more_matches_than_a_server_takes_are_refused_for_entries_too(
    capsys: Captured, tmp_path: Path
) -> None:
    (tmp_path / "form.toml").write_text("players = 4\n")
    _, err = run(capsys, "plan", "form.toml", "--entries", "100", code=2)
    assert "error[PLAN_TOO_LONG]" in err


def test_a_cup_has_no_upper_bound_of_its_time(capsys: Captured, tmp_path: Path) -> None:
    """Series may go on, and rounds have ever fewer tables."""
    (tmp_path / "cup.toml").write_text('format = "knockout"\n')
    told = run(capsys, "plan", "cup.toml", "--entries", "6")[0]
    assert "at least" in told.partition("expected")[2]
    assert "at most" not in told


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_is_planned_and_simulated(form: str, capsys: Captured, tmp_path: Path) -> None:
    text = f'format = "{form}"\n{FORMATS[form]}\nentry.bots = ["a", "b", "c", "d"]\n'
    (tmp_path / "one.toml").write_text(text)
    assert form in run(capsys, "plan", "one.toml")[0]
    out, _ = run(capsys, "simulate", "one.toml", "--times", "2")
    assert "2 simulated tournaments of 4 bots" in out
    assert len([line for line in out.splitlines() if " %" in line and "played" not in line]) >= 4


def test_nothing_is_written(capsys: Captured, tmp_path: Path) -> None:
    run(capsys, "plan", "small.toml")
    run(capsys, "simulate", "small.toml", "--times", "1")
    assert os.listdir(tmp_path) == ["small.toml"]


def test_a_wrong_key_names_line_and_nearest_key(capsys: Captured, tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SMALL.replace("concurrency", "concurency"))
    for command in ("plan", "simulate", "create"):
        _, err = run(capsys, command, "small.toml", code=2)
        assert "error[UNKNOWN_KEY] `concurency` is no setting." in err
        assert "small.toml line 3" in err
        assert "did you mean `concurrency`?" in err
    assert os.listdir(tmp_path) == ["small.toml"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("plan",), "MISSING_ARGUMENT"),
        (("plan", "none.toml"), "BAD_FILE"),
        (("plan", "small.toml", "--rate", "0"), "BAD_VALUE"),
        (("simulate", "small.toml", "--ranks", "1", "9"), "BAD_RANKS"),
        (("simulate", "small.toml", "--ranks", "2", "2"), "BAD_RANKS"),
        (("simulate", "small.toml", "--strengths", "1,2"), "BAD_STRENGTHS"),
        (("simulate", "small.toml", "--strengths", "a,b"), "BAD_VALUE"),
        (("create", "small.toml", "--players", "3"), "FILE_AND_OPTIONS"),
        (("create", "small"), "MISSING_ARGUMENT"),
    ],
)
def test_wrong_arguments(capsys: Captured, arguments: tuple[str, ...], code: str) -> None:
    assert f"error[{code}]" in run(capsys, *arguments, code=2)[1]


def test_a_plan_that_has_too_few_bots_says_how_to_go_on(capsys: Captured, tmp_path: Path) -> None:
    (tmp_path / "open.toml").write_text('players = 4\nentry = { bots = ["a"], open = true }\n')
    _, err = run(capsys, "plan", "open.toml", code=2)
    assert "TOO_FEW_ENTRANTS" in err
    assert "open.toml line 2" in err
    assert "--entries N" in err
    assert as_json(capsys, "plan", "open.toml", "--entries", "4")["matches"] == 12


def test_a_ladder_without_an_end_is_planned_but_not_simulated(
    capsys: Captured, tmp_path: Path
) -> None:
    text = 'format = "ladder"\nentry.bots = ["a", "b"]\n'
    (tmp_path / "ladder.toml").write_text(text)
    assert as_json(capsys, "plan", "ladder.toml")["seconds"] is None
    assert "without an end" in run(capsys, "plan", "ladder.toml")[0]
    assert "NO_END" in run(capsys, "simulate", "ladder.toml", code=2)[1]


def test_bots_that_play_alone_are_planned_but_not_simulated(
    capsys: Captured, tmp_path: Path
) -> None:
    text = 'game = "duelosaur"\nvariant = "solo-dino-mike"\nplayers = 1\nentry.bots = ["a", "b"]\n'
    (tmp_path / "alone.toml").write_text(text)
    assert as_json(capsys, "plan", "alone.toml")["matches"] == 2
    assert "NO_OPPONENTS" in run(capsys, "simulate", "alone.toml", code=2)[1]


def test_a_simulation_is_the_same_every_time(capsys: Captured) -> None:
    arguments = (
        "simulate",
        "small.toml",
        "--times",
        "3",
        "--strengths",
        "1700,1600,1500,1400,1300",
    )
    once = as_json(capsys, *arguments)
    assert once == as_json(capsys, *arguments)
    assert once["gap_elo"] == 100.0
    assert once["parts"][-1]["matches"] == 60
    assert once["parts"][-1]["matches_a_bot"] == 36
    assert once["matches_a_bot_needed"] > 0


def test_all_keys_are_listed(capsys: Captured) -> None:
    out, _ = run(capsys, "plan", "--keys")
    assert all(f" {key.path} " in out for key in KEYS)
    listed = json.loads(run(capsys, "plan", "--keys", "--json")[0])
    assert [one["key"] for one in listed] == [key.path for key in KEYS]


def test_a_long_plan_and_duplicate_deals_are_warned_of(capsys: Captured, tmp_path: Path) -> None:
    text = 'deals = "duplicate"\ntrusted = true\nentry.bots = ["a", "b"]\n'
    (tmp_path / "long.toml").write_text(text)
    out, _ = run(capsys, "plan", "long.toml", "--rate", "0.00001")
    assert "warning[PLAN_LONG]" in out
    assert "warning[DUPLICATE_DEALS]" in out


def test_one_is_not_written_as_many(capsys: Captured, tmp_path: Path) -> None:
    (tmp_path / "two.toml").write_text('seating = "rotations"\nentry.bots = ["a", "b"]\n')
    told = " ".join(run(capsys, "plan", "two.toml")[0].split())
    assert "1 group of 2, each once, in blocks of 2 matches" in told
    assert "a bot plays 2, in every seat once" in told


def test_a_bound_counts_getting_ready_and_says_that_nothing_is_known(
    capsys: Captured, tmp_path: Path
) -> None:
    (tmp_path / "two.toml").write_text('time.ready = "1min"\nentry.bots = ["a", "b"]\n')
    plan = as_json(capsys, "plan", "two.toml")
    assert plan["seconds"] > 2 * 60
    told = " ".join(run(capsys, "plan", "two.toml")[0].split())
    assert "at most" in told
    assert "if getting ready took 1 min 0 s" in told
    assert "how fast these bots play is not known" in told


def test_what_is_created_is_warned_of_as_a_plan_is(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No server runs here: what is warned of comes before it is looked for."""
    short = "warning[LIMIT_TOO_SHORT] 5 ms"
    monkeypatch.setattr(limits, "short_limit", lambda settings, connection: short)
    (tmp_path / "two.toml").write_text('start_at = 2026-01-01T00:00:00Z\nentry.bots = ["a", "b"]\n')
    err = run(capsys, "create", "two.toml", code=2)[1]
    assert short in err
    assert "warning[START_IN_PAST] start_at is Thu 2026-01-01 00:00 UTC" in err
    assert short in run(capsys, "create", "two", "--bots", "a,b", code=2)[1]
