"""Whether the search bot keeps a tight limit through a whole arbiter, over the wire.

    python tests/bench/deadline.py [MATCHES] [--limit 400ms] [--game duelosaur]

Plays the search bot against the greedy bot of the house as `saurodrome bot try` does: an arbiter
and every bot in a process of its own. A dry run ends at the first late decision, and this
with 1. A machine with more
busy processes than cores lets a process wait, so read the slowest answer beside its load.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

BOT = Path(__file__).parents[2] / "clients" / "examples" / "search_bot.py"
GREEDY = {"draftosaurus": "greedy", "duelosaur": "duelist"}


def tried(game: str, matches: int, limit: str) -> dict[str, Any]:
    """Return what a dry run of the search bot came to.

    Raises:
        SystemExit: It came to nothing; what it said was shown.
    """
    command = [sys.executable, "-m", "saurodrome.server", "bot", "try", str(BOT), "--json"]
    command += ["--game", game, "--matches", str(matches), "--limit", limit]
    command += ["--against", GREEDY[game]]
    with tempfile.TemporaryDirectory(prefix="saurodrome-deadline-") as folder:
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=False)
    if not done.stdout:
        sys.exit(done.returncode or 1)
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def main() -> None:
    """Play and print a line for each game."""
    parser = argparse.ArgumentParser(description="Search at a tight limit.")
    parser.add_argument("matches", nargs="?", type=int, default=50)
    parser.add_argument("--limit", default="400ms", help="for a decision")
    parser.add_argument("--game", choices=sorted(GREEDY), action="append")
    wish = parser.parse_args()
    kept = True
    for game in wish.game or sorted(GREEDY):
        said = tried(game, wish.matches, wish.limit)
        print(game, wish.limit, json.dumps(said), f"load {os.getloadavg()[0]:.0f}", flush=True)
        kept = kept and said["ok"]
    sys.exit(not kept)


if __name__ == "__main__":
    main()
