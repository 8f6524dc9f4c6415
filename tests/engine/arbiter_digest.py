"""Prints a digest of what an arbiter records, to compare two forms of the engine.

python tests/engine/arbiter_digest.py
"""

import hashlib
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))  # run as a script, and found from there

from saurodrome.engine.games.draftosaurus import bits
from saurodrome.engine.games.draftosaurus.state import GAME
from tests.server.cli.recorded import recorded


def main() -> None:
    """Print which form this is, and one line for each kind of match."""
    print("compiled" if bits.COMPILED else "plain")
    for variant in GAME.variants:
        for players in GAME.player_counts(variant):
            for forfeits in (False, True):
                text = recorded(variant, players, forfeits)
                print(variant, players, forfeits, hashlib.sha256(text.encode()).hexdigest())


if __name__ == "__main__":
    main()
