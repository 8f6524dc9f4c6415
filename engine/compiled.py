"""Makes the compiled form of the engine: python compiled.py FOLDER.

FOLDER gets a copy of the sources and beside them the extension modules, so PYTHONPATH=FOLDER uses
them. Needs mypy, setuptools and a C compiler; `hatch_build.py` calls it for wheels.
"""

import sys
from pathlib import Path

# `chores` is at the root; a source distribution has a copy of its own.
sys.path.extend(map(str, Path(__file__).resolve().parents[:2]))

from chores.compiling.extensions import main

RULES = "saurodrome/engine/games/draftosaurus"
MODULES = (
    "saurodrome/engine/chance.py",
    "saurodrome/engine/memo.py",
    "saurodrome/engine/xorshift.py",
    "saurodrome/engine/playthrough/record.py",
    "saurodrome/engine/playthrough/text.py",
    f"{RULES}/bits.py",
    f"{RULES}/pens.py",
    f"{RULES}/board.py",
    f"{RULES}/boards.py",
    f"{RULES}/lines.py",
    f"{RULES}/kernel.py",
    f"{RULES}/lanes.py",
    f"{RULES}/nodes.py",
    f"{RULES}/plots.py",
    f"{RULES}/position.py",
    f"{RULES}/turns.py",
    f"{RULES}/playout.py",
    f"{RULES}/knowledge.py",
    f"{RULES}/scoring.py",
    f"{RULES}/text.py",
    f"{RULES}/state.py",
    f"{RULES}/wire.py",
    "saurodrome/engine/search/bandit.py",
    "saurodrome/engine/search/draftosaurus.py",
    "saurodrome/engine/search/duelosaur/search.py",
)
"""What is compiled, together: they call each other without a detour through Python."""

if __name__ == "__main__":
    main(Path(__file__).resolve().parent, MODULES, "saurodrome_engine")
