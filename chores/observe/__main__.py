"""Runs a tournament, lets Prometheus look at it, and draws every dashboard as a PNG file."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from chores.observe import arena, pictures, prometheus
from chores.observe.queries import dashboards
from chores.terminal import ROOT, say

RULES = ROOT / "deploy" / "prometheus" / "rules" / "saurodrome.yml"
STEPS = 120
"""Points of a line."""


def main() -> int:
    """Run everything, and name the pictures on the standard output."""
    parser = argparse.ArgumentParser("run.py observe", description=__doc__)
    parser.add_argument("prometheus", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to look [60]")
    parser.add_argument("--to", type=Path, default=ROOT / ".observe", help="folder [.observe]")
    parser.add_argument("--stay", action="store_true", help="go on until Ctrl-C, drawing again")
    chosen = parser.parse_args()
    chosen.to.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="saurodrome-observe-") as place,
        arena.playing(Path(place)) as played,
        prometheus.running(
            chosen.prometheus, Path(place) / "prometheus", played.web, RULES
        ) as asked,
    ):
        say(f"The tournament's page is http://{played.web}, Prometheus is {asked.url}")
        began = time.time()
        while True:
            _watch(chosen.seconds)
            for file in draw(asked, began, chosen.to):
                print(file, flush=True)
            if not chosen.stay:
                return 0


def draw(asked: prometheus.Prometheus, began: float, folder: Path) -> list[Path]:
    """Draw all dashboards as they look now; gives the files."""
    end = time.time()
    drawn = []
    for dashboard in dashboards():
        values = {
            "__rate_interval": "10s",
            "__range": f"{max(10, round(end - began))}s",
            "instance": ".*",
            "tournament": arena.TOURNAMENT,
            "bot": "greedy",
        }
        span = pictures.Span(began, end, max(1.0, (end - began) / STEPS))
        file = folder / f"{dashboard.name}.png"
        pictures.draw(dashboard, asked, values, span, file)
        drawn.append(file)
    return drawn


def _watch(seconds: float) -> None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        say(f"drawing in {left:.0f} s")
        time.sleep(min(left, 15.0))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RuntimeError as error:
        say(f"error: {error}")
        sys.exit(4)
    except KeyboardInterrupt:
        sys.exit(130)
