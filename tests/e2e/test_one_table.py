"""One table, wherever it is read: P56 of the field reports, and checks C7, C9 and C12."""

import csv
import json
import re
import urllib.request

import pytest
from prometheus_client.parser import text_string_to_metric_families

from saurodrome.client.tournaments import TournamentClient
from saurodrome.server.cli.home import running_server
from tests.e2e.arena import Arena
from tests.e2e.shell import saurodrome

pytestmark = pytest.mark.wire

NAME = "troubles"


def metrics(web: str) -> dict[tuple[str, str], float]:
    """Give the last table's figures from the metrics page, by series and bot."""
    for _ in range(100):  # the page shows the table that it asked for at an earlier scrape
        with urllib.request.urlopen(f"{web}/metrics", timeout=30) as page:
            text = page.read().decode()
        values = {
            (sample.name.removeprefix("saurodrome_"), sample.labels.get("bot", "")): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
            if sample.labels.get("tournament") == NAME
        }
        if ("table_log_position", "") in values:
            return values
    raise AssertionError(text)


def test_p56_cli_api_metrics_and_export_say_the_same_of_the_same_position(arena: Arena) -> None:
    screen = json.loads(arena.piped("tournament", "standings", NAME, "--json").out)
    again = json.loads(arena.piped("rate", NAME, "--json").out)
    home = arena.folder / ".saurodrome"
    server = running_server(home)
    assert server is not None
    with TournamentClient(server=server.address, token_file=home / "admin.token") as client:
        wire = client.standings(NAME)
        before = client.standings(NAME, position=3)
    with (arena.folder / "out" / "standings.csv").open(newline="") as file:
        exported = {row["bot"]: row for row in csv.DictReader(file)}
    marked = json.loads((arena.folder / "out" / "export.json").read_text())
    scraped = metrics(server.web)
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
