"""Makes the compiled form of the arbiter: python compiled.py FOLDER.

FOLDER gets a copy of the sources and beside them the extension modules, so PYTHONPATH=FOLDER uses
them. Needs mypy, setuptools and a C compiler; `hatch_build.py` calls it for wheels.
"""

import sys
from pathlib import Path

# `chores` is at the root; a source distribution has a copy of its own.
sys.path.extend(map(str, Path(__file__).resolve().parents[:2]))

from chores.compiling.extensions import main

MODULES = tuple(
    f"saurodrome/server/{module}.py"
    for module in (
        "allowance",
        "deals",
        "driver",
        "form",
        "frames",
        "ledger",
        "lobby",
        "match",
        "metrics/observed",
        "metrics/tallies",
        "port",
        "record",
        "rpc/codec",
        "rpc/durations",
        "rpc/encoding",
        "rpc/inbound",
        "rpc/outbound",
        "rpc/transport",
        "session/alarm",
        "session/budget",
        "session/decision",
        "session/gate",
        "session/seat",
        "session/session",
        "session/stalls",
        "session/stream",
        "strikes",
    )
)
"""What every decision walks through. The rest stays as it is: it is not asked that often."""

if __name__ == "__main__":
    main(Path(__file__).resolve().parent, MODULES, "saurodrome_server")
