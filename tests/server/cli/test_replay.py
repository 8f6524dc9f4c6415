"""Records as boards: every step within 80 cells, in order, and nothing that is not a record."""

import hashlib
import json
from pathlib import Path

import pytest
from rich.cells import cell_len

from saurodrome.client import SaurodromeError
from saurodrome.server.cli import records
from saurodrome.server.cli.replay import end_lines, heading, list_lines, short_result, step_lines
from saurodrome.server.cli.root import main
from tests.server.cli.played import NAMES, text


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_no_board_is_wider_than_80_cells(players: int) -> None:
    record = records.parse(text(players), "a.play")
    states = record.states()
    lines = [*heading(record), *end_lines(record, states[-1]), *list_lines([record])]
    for number in range(1, record.steps + 1):
        lines += step_lines(record, states[number - 1], number)
    assert max(map(cell_len, lines)) <= 80


def test_a_step_shows_all_hands_open_and_what_was_chosen() -> None:
    record = records.parse(text(), "a.play")
    lines = step_lines(record, record.states()[0], 1)
    assert lines[0].startswith("-- step 1 of 24 -")
    assert "hidden" not in "\n".join(lines)
    assert lines[-2].startswith("0 my_bot")
    assert lines[-2].endswith("12 ms")
    assert lines[-1].startswith("1 greedy")


def test_show_prints_all_steps_and_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "7.play"
    path.write_text(text())
    assert main(["replay", "show", str(path)]) == 0
    shown = capsys.readouterr().out
    assert [f"-- step {n} of 24" in shown for n in range(1, 25)] == [True] * 24
    assert "-- end" in shown
    assert main(["replay", "show", str(path), "--step", "5"]) == 0
    one = capsys.readouterr().out
    assert one.count("-- step") == 1
    assert "-- step 5 of 24" in one
    assert main(["replay", "show", str(path), "--turn", "5"]) == 0
    both = capsys.readouterr().out
    assert [line[:10] for line in both.splitlines() if line.startswith("--")] == [
        "-- step 9 ",
        "-- step 10",
    ]
    assert both.count("turn 5 of 12") == 2


def test_json_has_every_choice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "7.play"
    path.write_text(text())
    assert main(["replay", "show", str(path), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert len(data["steps"]) == 24
    assert data["tags"]["seat0"] == "my_bot"


def test_a_step_that_was_not_played_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "7.play"
    path.write_text(text())
    assert main(["replay", "show", str(path), "--step", "25"]) == 2
    assert "error[NO_STEP]" in capsys.readouterr().err
    assert main(["replay", "show", str(path), "--turn", "13"]) == 2
    assert "has 12 turns, no 13" in " ".join(capsys.readouterr().err.split())
    assert main(["replay", "show", str(path), "--turn", "1", "--step", "1"]) == 2
    assert "error[BAD_VALUE]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("hello\n", "RECORD_FOREIGN"),
        (text()[:400], "RECORD_TRUNCATED"),
        (text().replace("tag seat0", "tag seat1", 1), "RECORD_EDITED"),
    ],
)
def test_what_is_no_record_says_so_with_its_file(content: str, code: str) -> None:
    with pytest.raises(SaurodromeError) as raised:
        records.parse(content, "a.play")
    assert raised.value.code == code
    assert raised.value.where.startswith("a.play")
    assert raised.value.do


def test_a_record_that_breaks_the_rules_is_answered_with_no(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = text().rpartition("sha256")[0].replace("chance die 6=", "chance die 7=", 1)
    path = tmp_path / "forged.play"
    path.write_text(f"{body}sha256 {hashlib.sha256(body.encode()).hexdigest()}\n")
    assert main(["replay", "show", str(path)]) == 1
    assert capsys.readouterr().err.startswith("error[DIFFERS]")


def test_a_folder_is_listed_in_the_order_of_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("10", "2", "1"):
        (tmp_path / f"{name}.play").write_text(text())
    (tmp_path / "3.play").write_text("broken")
    assert main(["replay", "list", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert [line.split()[0] for line in out.splitlines()] == ["file", "1.play", "2.play", "10.play"]
    assert err.startswith("warning[RECORD_")


@pytest.mark.parametrize(
    ("told", "short"),
    [
        ("place 1, 31 points", "1. 31"),
        ("place 2, -3 points, late 3, illegal 0, forfeit", "2. -3 forfeit"),
        ("", "-"),
    ],
)
def test_results_are_shortened_for_the_list(told: str, short: str) -> None:
    assert short_result(told) == short


def test_names_come_from_the_record() -> None:
    assert records.parse(text(5), "a").names == NAMES


def test_the_list_as_json_has_the_figures_of_the_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "1.play").write_text(text())
    assert main(["replay", "list", str(tmp_path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["termination"] == "finished"
    assert told["seats"] == [
        {"bot": "my_bot", "placement": 1, "points": 30, "forfeit": False},
        {"bot": "greedy", "placement": 2, "points": 29, "forfeit": False},
    ]
