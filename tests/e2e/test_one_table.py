"""One table, wherever it is read: P56 of the field reports, and checks C7, C9 and C12."""

import csv
import json
import os
import re
import signal
import sqlite3
import time
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from saurodrome.client.tournaments import TournamentClient
from saurodrome.server.cli.home import running_server
from tests.e2e.arena import Arena, Workshop
from tests.e2e.shell import saurodrome

pytestmark = pytest.mark.wire

NAME = "troubles"


def metrics(web: str, name: str) -> dict[tuple[str, str], float]:
    """Give the last table's figures from the metrics page, by series and bot."""
    for _ in range(100):  # the page shows the table that it asked for at an earlier scrape
        with urllib.request.urlopen(f"{web}/metrics", timeout=30) as page:
            text = page.read().decode()
        values = {
            (sample.name.removeprefix("saurodrome_"), sample.labels.get("bot", "")): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
            if sample.labels.get("tournament") == name
        }
        if ("table_log_position", "") in values:
            return values
    raise AssertionError(text)


@pytest.mark.case("P56")
def test_p56_cli_api_metrics_and_export_say_the_same_of_the_same_position(arena: Arena) -> None:
    name = "one-table"  # the metrics page shows the newest
    create = ("tournament", "create", name, "--bots", "greedy,random", "--rounds", "6")
    arena.run(*create, "--start", "--watch")
    arena.run("tournament", "export", name, "--to", name)
    assert compare_all(arena, name, arena.folder / name) == 12


@pytest.mark.slow
def test_c7_after_kill_9_and_a_new_start_all_views_carry_one_table(tmp_path: Path) -> None:
    with Workshop(tmp_path) as shop:
        shop.serve()
        create = ("tournament", "create", NAME, "--bots", "greedy,random", "--rounds", "60")
        shop.run(*create, "--start")
        until_played(shop, 20)
        server = running_server(tmp_path / ".saurodrome")
        assert server is not None
        os.kill(server.pid, signal.SIGKILL)
        while Path(f"/proc/{server.pid}/cmdline").exists() and alive(server.pid):
            time.sleep(0.05)
        stored = results_in(tmp_path / ".saurodrome" / "arena.db")
        (tmp_path / "out.log").write_bytes(b"")  # or else the first start is waited for
        shop.serve()
        said = " ".join((tmp_path / "out.log").read_text().split())
        assert f"recovered {NAME} at log position {stored}: {stored} of 120 matches done" in said
        shop.run("tournament", "watch", NAME)
        shop.run("tournament", "export", NAME, "--to", "out")
        assert compare_all(shop, NAME, tmp_path / "out") == 120


def results_in(database: Path) -> int:
    """Count the results in the database of a server that is not running."""
    with closing(sqlite3.connect(database)) as connection:
        found = connection.execute("SELECT count(*), count(DISTINCT match_id) FROM results")
        count, distinct = found.fetchone()
    assert count == distinct
    return int(count)


def until_played(shop: Workshop, results: int) -> None:
    """Wait until a tournament has so many results."""
    while True:
        told = json.loads(shop.run("tournament", "standings", NAME, "--json"))
        if told["log_position"] >= results:
            assert told["log_position"] < told["matches_total"]
            return


def alive(pid: int) -> bool:
    """Whether a process is more than a zombie."""
    state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return state != "Z"


def compare_all(shop: Workshop, name: str, out: Path) -> int:
    """Compare a finished tournament's figures wherever they are read; give the position."""
    screen = json.loads(shop.run("tournament", "standings", name, "--json"))
    again = json.loads(shop.run("rate", name, "--json"))
    home = shop.folder / ".saurodrome"
    server = running_server(home)
    assert server is not None
    with TournamentClient(server=server.address, token_file=home / "admin.token") as client:
        wire = client.standings(name)
        before = client.standings(name, position=3)
    with (out / "standings.csv").open(newline="") as file:
        exported = {row["bot"]: row for row in csv.DictReader(file)}
    marked = json.loads((out / "export.json").read_text())
    scraped = metrics(server.web, name)
    position = wire.tournament.log_position
    assert before.tournament.log_position == 3
    assert position == screen["log_position"] == again["log_position"] == marked["log_position"]
    assert scraped["table_log_position", ""] == position
    assert screen["standings"] == again["standings"]
    for row, told in zip(wire.standings, screen["standings"], strict=True):
        line = exported[row.bot]
        assert row.bot == told["bot"]
        for figure in ("rank", "rating", "rating_error", "elo_live", "matches"):
            value = getattr(row, figure)
            assert value == told[figure] == float(line[figure])
        assert scraped["bot_rank", row.bot] == row.rank
        assert scraped["bot_rating_elo", row.bot] == row.rating
        assert scraped["bot_rating_error_elo", row.bot] == row.rating_error
        assert scraped["bot_matches", row.bot] == row.matches
    return int(position)


def test_c9_an_export_is_checked_without_a_server(arena: Arena) -> None:
    out = arena.folder / "out"
    elsewhere = arena.folder / "elsewhere"
    elsewhere.mkdir(exist_ok=True)
    done = saurodrome("rate", str(out), "--compare", str(out / "standings.csv"), cwd=elsewhere)
    assert done.code == 0, done.text
    text = (out / "standings.csv").read_text()
    rating = json.loads((out / "standings.json").read_text())["standings"][0]["rating"]
    (elsewhere / "changed.csv").write_text(text.replace(str(rating), str(rating + 1), 1))
    changed = saurodrome("rate", str(out), "--compare", "changed.csv", cwd=elsewhere)
    assert changed.code == 1, changed.text
    assert re.search(r"rating: \S+ in the file", changed.out)
