"""A Prometheus of its own, on a free port and for a short time, and what it answers."""

import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

STARTS_WITHIN = 60.0
"""Seconds; a second or two on an idle machine."""

CONFIG = """\
global:
  scrape_interval: 1s
  evaluation_interval: 1s
rule_files: [{rules}]
alerting:
  alertmanagers:
    - static_configs:
        - targets: [{alertmanagers}]
scrape_configs:
  - job_name: saurodrome
    static_configs:
      - targets: ["{target}"]
"""


class Series(NamedTuple):
    """One series: its labels, and the values at points of time, Unix seconds."""

    labels: dict[str, str]
    points: list[tuple[float, float]]


class Prometheus:
    """Asks a Prometheus that runs on this machine."""

    def __init__(self, port: int) -> None:
        """Takes its port."""
        self.url = f"http://127.0.0.1:{port}"

    def now(self, expr: str) -> list[Series]:
        """Evaluate an expression now."""
        found = self.ask("query", query=expr)["result"]
        return [Series(one["metric"], [_point(one["value"])]) for one in found]

    def over(self, expr: str, start: float, end: float, step: float) -> list[Series]:
        """Evaluate an expression over time, every `step` seconds."""
        told = self.ask("query_range", query=expr, start=start, end=end, step=step)
        return [Series(one["metric"], [*map(_point, one["values"])]) for one in told["result"]]

    def firing(self) -> set[str]:
        """Give the names of the alerts that fire."""
        alerts = self.ask("alerts")["alerts"]
        return {one["labels"]["alertname"] for one in alerts if one["state"] == "firing"}

    def ask(self, what: str, **arguments: object) -> Any:
        """Call its API, and give the data of the answer."""
        query = urllib.parse.urlencode(arguments)
        with urllib.request.urlopen(f"{self.url}/api/v1/{what}?{query}", timeout=30) as answer:
            return json.load(answer)["data"]


@contextmanager
def running(
    binary: Path, folder: Path, target: str, rules: Path | None = None, alertmanager: str = ""
) -> Iterator[Prometheus]:
    """Run one that scrapes a target every second; ended and waited for at the end.

    Args:
        binary: The program.
        folder: Where its data and its words go.
        target: HOST:PORT of what it scrapes.
        rules: A file of alerts.
        alertmanager: HOST:PORT of whom it tells of alerts.

    Raises:
        RuntimeError: It does not start; tells what it said.
    """
    folder.mkdir(parents=True, exist_ok=True)
    config = CONFIG.format(
        rules=json.dumps(str(rules)) if rules else "",
        alertmanagers=json.dumps(alertmanager) if alertmanager else "",
        target=target,
    )
    (folder / "prometheus.yml").write_text(config)
    port = free_port()
    command = [
        str(binary),
        f"--config.file={folder / 'prometheus.yml'}",
        f"--storage.tsdb.path={folder / 'data'}",
        f"--web.listen-address=127.0.0.1:{port}",
    ]
    with started(command, folder / "prometheus.log", answers(port)):
        yield Prometheus(port)


@contextmanager
def started(command: list[str], log: Path, ready: Callable[[], bool]) -> Iterator[None]:
    """Run a program until the end of the block, from when it is ready.

    Raises:
        RuntimeError: It ended, or was not ready in time; tells what it said.
    """
    with log.open("wb") as out:
        program = subprocess.Popen(
            command,
            stdout=out,
            stderr=out,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "GOMAXPROCS": "1"},
        )
    try:
        until = time.monotonic() + STARTS_WITHIN
        while not ready():
            if program.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"{command[0]} does not start: {log.read_text()}")
            time.sleep(0.1)
        yield
    finally:
        program.terminate()
        program.wait()


def free_port() -> int:
    """Find a port that nobody has at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def answers(port: int) -> Callable[[], bool]:
    """Tell whether what listens on a port of this machine says that it is ready."""

    def ready() -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/-/ready", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    return ready


def _point(point: list[Any]) -> tuple[float, float]:
    when, value = point
    return float(when), float(value)
