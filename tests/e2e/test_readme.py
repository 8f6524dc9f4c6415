"""What the first page tells people to type works as it stands."""

import ast
import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.shell import environment

pytestmark = pytest.mark.wire

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
GOES_ON = ("saurodrome serve", "saurodrome bot run")
"""Commands that run until they are told to stop."""
ELSEWHERE = ("python3 run.py demo", "python3 run.py test")
"""Commands with tests of their own: the demo's, and the run that this is a part of."""


def commands() -> list[str]:
    """Gives the lines of all blocks that are marked as for the shell."""
    blocks = re.findall(r"(?ms)^```sh\n(.*?)^```", README)
    return [line for block in blocks for line in block.splitlines() if line]


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """Gives an environment in which `saurodrome` and `python3 run.py saurodrome` work."""
    programs = tmp_path / "bin"
    programs.mkdir()
    start = f'exec "{sys.executable}" -m saurodrome.server "$@"'
    (programs / "saurodrome").write_text(f"#!/bin/sh\n{start}\n")
    (programs / "saurodrome").chmod(0o755)
    (tmp_path / "run.py").write_text(
        "import os, sys\n"
        "assert sys.argv[1] == 'saurodrome'\n"
        "os.execvp('saurodrome', sys.argv[1:])\n"
    )
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "activate").touch()
    return environment(
        {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            # The usual ports may belong to somebody who works on this machine.
            "SAURODROME_SERVE_BOTS_PORT": "0",
            "SAURODROME_SERVE_WEB_PORT": "0",
        }
    )


@pytest.fixture
def going_on() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Ends in the end what was started."""
    started: list[subprocess.Popen[bytes]] = []
    yield started
    for process in started:
        process.terminate()
    for process in started:
        process.wait(20)


def start(
    line: str, folder: Path, env: dict[str, str], until: str, seconds: float = 20.0
) -> subprocess.Popen[bytes]:
    """Starts a line that goes on, and waits until it has printed something."""
    log = folder / f"{len(list(folder.glob('*.log')))}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            ["sh", "-c", re.sub(r"saurodrome (?=serve|bot run)", "exec saurodrome ", line)],
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    end = time.monotonic() + seconds
    while until not in log.read_text():
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.05)
    return process


def test_the_five_minutes_work_line_by_line(
    tmp_path: Path, shell: dict[str, str], going_on: list[subprocess.Popen[bytes]]
) -> None:
    began = time.monotonic()
    for line in commands():
        if line in ELSEWHERE:
            continue
        if any(words in line for words in GOES_ON):
            until = "house " if "serve" in line else "connected as my_bot"
            going_on.append(start(line, tmp_path, shell, until))
            continue
        done = subprocess.run(
            ["sh", "-c", line],
            cwd=tmp_path,
            env=shell,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    print(f"the journey of README took {time.monotonic() - began:.1f} s")
    table = (tmp_path / "results" / "standings.csv").read_text().splitlines()
    heads = table[0].split(",")
    mine = next(row for row in table[1:] if ",my_bot," in row).split(",")
    assert float(mine[heads.index("rating")]) > 0
    assert int(mine[heads.index("matches")]) == 80


def test_all_five_commands_and_both_of_the_first_screen_are_there() -> None:
    lines = commands()
    assert lines[:2] == list(ELSEWHERE)
    for words in ("bot new", "bot try", "serve", "bot register", "tournament create"):
        assert any(f"saurodrome {words}" in line for line in lines), words
    assert all(shlex.split(line) for line in lines)


def test_the_bot_on_the_first_page_is_the_one_that_bot_new_writes() -> None:
    (shown,) = re.findall(r"(?ms)^```python\n(.*?)^```", README)
    written = (ROOT / "clients" / "examples" / "first_bot.py").read_text()
    assert ast.dump(ast.parse(shown)) == ast.dump(ast.parse(written))
    assert shown.strip() == written.strip()


def test_links_lead_somewhere() -> None:
    for page in (ROOT / "README.md", ROOT / "server" / "README.md"):
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_the_table_on_the_first_page_has_the_columns_of_the_program() -> None:
    from saurodrome.server.cli.standings import COLUMNS

    heading = next(line for line in README.splitlines() if line.startswith(" rank  bot"))
    words = " ".join(column.title for column in COLUMNS)
    assert " ".join(heading.split()) == words


def test_json_figures_need_no_terminal(tmp_path: Path, shell: dict[str, str]) -> None:
    done = subprocess.run(
        ["saurodrome", "games", "--json"], cwd=tmp_path, env=shell, capture_output=True, check=True
    )
    assert json.loads(done.stdout)[0]["game"] == "draftosaurus"
