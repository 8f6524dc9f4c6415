"""A real Prometheus beside a running tournament: every panel of every dashboard shows something."""

import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from chores.observe import arena, prometheus
from chores.observe.queries import dashboards, filled
from saurodrome.client import SaurodromeError
from saurodrome.client.tournaments import TournamentClient
from saurodrome.server.metrics.catalogue import MAX_SERIES

pytestmark = pytest.mark.wire
EMPTY_WHEN_WELL = {
    "Commits that failed",
    "Days until the certificate ends",
    "Forfeited matches by bot",
}
"""Panels whose emptiness is good news; what they ask for is shown by unit tests of the metrics."""
BOTS = {name: arena.BOTS[name] for name in ("greedy", "random", "slow", "illegal")}
WITHIN = 60.0
"""Seconds until everything has come in; five on an idle machine."""


def test_every_panel_shows_something(tool: Callable[[str], Path], tmp_path: Path) -> None:
    with (
        arena.playing(tmp_path, BOTS) as played,
        prometheus.running(tool("prometheus"), tmp_path / "prometheus", played.web) as asked,
        TournamentClient(server=played.server, token_file=played.token_file) as organiser,
        TournamentClient(server=played.server, token="nobody's") as stranger,
    ):
        until = time.monotonic() + WITHIN
        while (silent := nothing_from(asked)) and time.monotonic() < until:
            organiser.get(arena.TOURNAMENT)
            with pytest.raises(SaurodromeError):
                stranger.get(arena.TOURNAMENT)
            time.sleep(0.5)
        assert silent == [], silent
        assert asked.now("sum(up)")[0].points[0][1] == 1
        assert asked.now("scrape_samples_scraped")[0].points[0][1] <= MAX_SERIES
        names = asked.ask("label/__name__/values")
        with urllib.request.urlopen(f"http://{played.web}/metrics") as page:
            assert "version=0.0.4" in page.headers["content-type"]
    assert "saurodrome_decision_seconds_bucket" in names


def nothing_from(asked: prometheus.Prometheus) -> list[str]:
    """The expressions that give no number, without those whose silence is well."""
    values = {
        "__rate_interval": "5s",
        "__range": "1m",
        "instance": ".*",
        "tournament": arena.TOURNAMENT,
        "bot": "greedy",
    }
    return [
        f"{dashboard.name}: {panel.title}: {target.expr}"
        for dashboard in dashboards()
        for panel in dashboard.panels
        if panel.title not in EMPTY_WHEN_WELL
        for target in panel.targets
        if not numbers(asked.now(filled(target.expr, values)))
    ]


def numbers(found: list[prometheus.Series]) -> bool:
    """Whether there is any series, and each has a number."""
    values = [value for series in found for _, value in series.points]
    return bool(values) and all(value == value for value in values)
