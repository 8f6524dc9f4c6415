"""Prints digests of what happens in an arbiter, to compare its two forms.

python tests/server/form_digest.py
"""

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))  # run as a script, and found from there

from saurodrome.engine.games.draftosaurus.state import GAME
from saurodrome.server.form import FORM
from tests.server.cli.recorded import recorded
from tests.sim.scenes import run

SEEDS = range(16)
"""Scenes with all kinds of bots, faults, crashes, formats and deals among them."""


def texts() -> Iterator[tuple[str, str]]:
    """Give match records, and whole histories: each frame, event, question and result."""
    for players in GAME.player_counts("winter"):
        for forfeits in (False, True):
            yield f"record {players} {forfeits}", recorded("winter", players, forfeits)
    for seed in SEEDS:
        yield f"scene {seed}", run(seed)


def main() -> None:
    """Print which form this is, and one line for each text."""
    print(FORM)
    for name, text in texts():
        print(name, len(text), hashlib.sha256(text.encode()).hexdigest())


if __name__ == "__main__":
    main()
