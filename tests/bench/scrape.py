"""What a scrape of the metrics costs while 200 bots play: its time, its size, and their clocks.

    python -m tests.bench.scrape [--bots 200] [--seconds 15] [--json]

All bots answer at once and share the cores with the arbiter, so that it is as busy as it can be.
Ends with 1 if a page takes 100 ms in the middle of all, has 1 MiB, or if any decision was late or
void: with bots that answer at once only the arbiter could be the cause.
"""

import argparse
import json
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from statistics import median
from typing import NamedTuple

from prometheus_client.parser import text_string_to_metric_families

from saurodrome.client.tournaments import TournamentClient, TournamentSettings
from tests.bench.process import line, python

MAX_SECONDS = 0.1
MAX_BYTES = 1024 * 1024
EVERY = 1.0
"""Seconds between two scrapes: fifteen times as often as Prometheus is told to."""


class Scrape(NamedTuple):
    """One scrape: how long it took, and the page."""

    seconds: float
    page: str


def play(folder: str, bots: int, seconds: float) -> list[Scrape]:
    """Lets bots play and scrapes meanwhile."""
    with python("-m", "tests.bench.arbiter_server", folder) as server:
        target = f"127.0.0.1:{line(server)}"
        tokens = Path(folder, "tokens")
        names = [f"bot-{number:03}" for number in range(bots)]
        with TournamentClient(server=target, token_file=Path(folder, "admin.token")) as client:
            tokens.write_text("\n".join(client.register_bot(name).token for name in names))
            settings = TournamentSettings(
                name="bench",
                game="draftosaurus",
                variant="summer",
                players=2,
                bots=names,
                rounds=2,
                concurrency=bots,
            )
            client.create(settings)
            client.start("bench")
        with python("-m", "tests.bench.instant_bots", target, str(tokens)) as playing:
            line(playing)
            time.sleep(2.0)
            return scrapes(web(Path(folder, "serve.json")), seconds)


def web(file: Path) -> str:
    """The address of the metrics."""
    return f"http://127.0.0.1:{json.loads(file.read_text())['web_port']}/metrics"


def scrapes(url: str, seconds: float) -> list[Scrape]:
    """Scrapes every second."""
    made = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        began = time.monotonic()
        with urllib.request.urlopen(url, timeout=30) as answer:
            page = answer.read().decode()
        made.append(Scrape(time.monotonic() - began, page))
        time.sleep(EVERY)
    return made


def summary(made: list[Scrape]) -> dict[str, float]:
    """The figures that people ask for."""
    first, last = numbers(made[0].page), numbers(made[-1].page)

    def grown(name: str, **labels: str) -> float:
        key = (name, tuple(labels.items()))
        return last.get(key, 0.0) - first.get(key, 0.0)

    verdicts = ("accepted", "in_margin", "timed_out", "void")
    of = {v: grown("saurodrome_decisions_total", verdict=v) for v in verdicts}
    return {
        "scrapes": len(made),
        "median_ms": 1e3 * median(scrape.seconds for scrape in made),
        "slowest_ms": 1e3 * max(scrape.seconds for scrape in made),
        "bytes": max(len(scrape.page) for scrape in made),
        "series": len(last),
        "bots": last["saurodrome_sessions", ()],
        "decisions": sum(of.values()),
        "late": of["in_margin"] + of["timed_out"],
        "void": of["void"],
    }


def numbers(page: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """The samples of a page."""
    return {
        (sample.name, tuple(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(page)
        for sample in family.samples
    }


def main() -> int:
    """Prints the figures; gives the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = summary(play(folder, arguments.bots, arguments.seconds))
    if arguments.json:
        print(json.dumps(found))
    else:
        print("\n".join(f"{name:<11}{value:>12,.0f}" for name, value in found.items()))
    well = found["median_ms"] < 1e3 * MAX_SECONDS and found["bytes"] < MAX_BYTES
    return 0 if well and not found["late"] and not found["void"] else 1


if __name__ == "__main__":
    sys.exit(main())
