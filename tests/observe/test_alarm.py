"""From the arbiter to Alertmanager's door: a scheduler that stands still is seen and told."""

import http.server
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from chores.observe import arena, prometheus
from chores.terminal import ROOT

pytestmark = pytest.mark.slow
STALLING = """
import sys
from saurodrome.server.scheduler import Scheduler

fill, filled = Scheduler._fill, 0


def stalls(self):
    global filled
    filled += bool(self.in_flight)
    if filled < 40:
        fill(self)


Scheduler._fill = stalls
from saurodrome.server.cli.root import main

sys.exit(main(sys.argv[1:]))
"""
"""A server whose scheduler plays for a while and then starts nothing more, without saying why."""
WITHIN = 60.0


def test_a_scheduler_that_stands_still_wakes_somebody(
    tool: Callable[[str], Path], tmp_path: Path
) -> None:
    (tmp_path / "stalling.py").write_text(STALLING)
    server = [sys.executable, str(tmp_path / "stalling.py")]
    rules = (ROOT / "deploy" / "prometheus" / "rules" / "saurodrome.yml").read_text()
    hurried = tmp_path / "rules.yml"
    # As shipped, but a second stands for two minutes.
    hurried.write_text(rules.replace("since_match_seconds > 600", "since_match_seconds > 5"))
    assert hurried.read_text() != rules
    hurried.write_text(hurried.read_text().replace("for: 1m", "for: 1s"))
    with (
        arena.playing(tmp_path, {"greedy": "greedy_bot.py", "random": "random_bot.py",
                                 "random-2": "random_bot.py"}, server) as played,
        receiver() as (told, address),
        prometheus.running(
            tool("prometheus"), tmp_path / "prometheus", played.web, hurried, address
        ) as asked,
    ):  # fmt: skip
        wait_until(lambda: "SaurodromeNoMatchFinished" in asked.firing())
        wait_until(lambda: bool(told))
        finished = asked.now("sum(saurodrome_matches_total)")[0].points[0][1]
    assert finished > 0
    assert told[0]["labels"]["alertname"] == "SaurodromeNoMatchFinished"
    assert told[0]["labels"]["severity"] == "page"
    assert told[0]["annotations"]["runbook"] == "RUNBOOK.md#saurodromenomatchfinished"


def wait_until(happened: Callable[[], bool]) -> None:
    until = time.monotonic() + WITHIN
    while not happened():
        assert time.monotonic() < until
        time.sleep(0.5)


@contextmanager
def receiver() -> Iterator[tuple[list[dict[str, Any]], str]]:
    """Takes what Alertmanager would be told, at HOST:PORT."""
    told: list[dict[str, Any]] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told.extend(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield told, f"127.0.0.1:{server.server_port}"
        server.shutdown()
