"""Every screen in every kind of terminal: 80 cells, no codes where nobody wants them."""

import json
import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from saurodrome.server.cli import root as cli
from tests.e2e.arena import Arena
from tests.e2e.shell import here, in_terminal, plain_lines, saurodrome

pytestmark = pytest.mark.wire

CASES = Path(__file__).parents[1] / "data" / "draftosaurus.json"
COMMANDS = [
    ("games",),
    ("bot", "list"),
    ("bot", "token", "late"),
    ("bot", "report", "late"),
    ("tournament", "list"),
    ("tournament", "standings", "troubles"),
    ("tournament", "faults", "troubles"),
    ("tournament", "faults", "troubles", "--bot", "late"),
    ("tournament", "faults", "troubles", "--limit", "1"),
    ("tournament", "watch", "troubles"),
    ("tournament", "export", "troubles", "--to", "out"),
    ("rating", "explain", "late"),
    ("rate", "troubles", "--log", "5"),
    ("replay", "list", "out/records"),
    ("replay", "show", "troubles/1/1/1"),
    ("replay", "show", "troubles/1/1/1", "--turn", "3"),
    ("replay", "verify", "out"),
    ("replay", "ask", "troubles/1/1/1", "--turn", "2", "--seat", "0", "--bot", "late.py"),
    ("score", str(CASES)),
    ("bot", "try", "late.py", "--matches", "4"),
]
WITH_JSON = [command for command in COMMANDS if command[:2] != ("bot", "try")]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_piped_output_has_no_codes_and_fits(arena: Arena, command: tuple[str, ...]) -> None:
    done = arena.piped(*command)
    assert done.code == (1 if "try" in command else 0), done.text
    assert "\x1b" not in done.text
    assert "Traceback" not in done.text
    assert "\r" not in done.text
    assert max(map(cell_len, done.text.splitlines())) <= 80


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_terminal_of_80_columns_is_wide_enough(arena: Arena, command: tuple[str, ...]) -> None:
    done = in_terminal(*command, cwd=arena.folder)
    assert done.code == (1 if "try" in command else 0), done.out
    assert max(map(cell_len, plain_lines(done.out))) <= 80


@pytest.mark.parametrize("command", WITH_JSON, ids=" ".join)
def test_without_unicode_everything_is_ascii(
    arena: Arena,
    command: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(arena.folder)
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LANG", "C")
    done = here(capsys, *command)
    assert done.text.isascii()
    assert max(map(cell_len, done.text.splitlines())) <= 80


def test_the_c_locale_of_a_real_process_is_noticed(arena: Arena) -> None:
    done = saurodrome("bot", "list", cwd=arena.folder, env={"LANG": "C"})
    assert r"\u6050" in done.out  # the first letter of a display name


def test_no_color_means_no_colour(arena: Arena) -> None:
    colour = re.compile(r"\x1b\[[0-9;]*m")
    shown = in_terminal("bot", "list", cwd=arena.folder, env={"NO_COLOR": "1"})
    assert [code for code in colour.findall(shown.out) if code not in ("\x1b[0m",)] == []


@pytest.mark.parametrize("command", WITH_JSON, ids=" ".join)
def test_json_is_json_on_every_line(
    arena: Arena,
    command: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(arena.folder)
    done = here(capsys, *command, "--json")
    assert done.code == 0, done.text
    assert [json.loads(line) for line in done.out.splitlines()]


def test_figures_on_the_screen_are_those_of_the_json(arena: Arena) -> None:
    table = arena.piped("tournament", "standings", "troubles").out
    data = json.loads(arena.piped("tournament", "standings", "troubles", "--json").out)
    assert data["log_position"] == data["matches_done"] == 6
    late = next(row for row in data["standings"] if row["bot"] == "late")
    assert late["timeouts"] > 0
    row = next(line for line in table.splitlines() if " late " in f" {line} " and "±" in line)
    cells = [cell.rstrip("!") for cell in row.split()]  # ! marks a rating without a bound
    assert str(late["timeouts"]) in cells
    assert f"{late['rating']:.0f}" in cells


@pytest.mark.case("P10")
def test_every_fault_says_limit_time_and_who_pays(arena: Arena) -> None:
    done = arena.piped("tournament", "faults", "troubles", "--json")
    found = json.loads(done.out)
    assert {fault["bot"] for fault in found} == {"late"}
    late = [fault for fault in found if fault["kind"] == "TIMED_OUT"]
    assert late
    assert all(fault["took_s"] >= fault["limit_s"] == 0.1 for fault in late)
    assert {fault["charged_to"] for fault in found} == {"bot"}


def test_progress_without_a_terminal_begins_at_once_and_ends_with_the_state(arena: Arena) -> None:
    done = arena.piped("tournament", "watch", "troubles")
    lines = [line for line in done.err.splitlines() if " of " in line]
    assert lines[0].startswith("6 of 6")
    assert lines[-1].endswith("finished")


@pytest.mark.timeout(180)  # alone it runs every command itself
def test_every_next_command_is_one_that_exists(arena: Arena) -> None:
    for command in COMMANDS:
        done = arena.piped(*command)
        told = re.findall(r"(?m)^(?:next: |      )saurodrome ([a-z]+(?: [a-z]+)?)", done.err)
        assert len(told) <= 2
        for words in told:
            assert cli.main([*words.split(), "--help"]) == 0, words


def test_display_names_in_any_script_are_shown_and_cut(arena: Arena) -> None:
    assert "恐恐恐恐恐恐~" in arena.piped("bot", "list").out
