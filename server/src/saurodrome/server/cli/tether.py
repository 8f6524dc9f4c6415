"""Runs a program on a tether: it ends when whoever started it ends, however that ended.

The standard input is a pipe whose other end the starter holds. If the starter is gone, even by
SIGKILL, the pipe closes, and so does the program.
"""

import os
import runpy
import sys
import threading
from collections.abc import Sequence


def tethered(*command: str) -> list[str]:
    """Gives the command line that runs a script or `-m module` on a tether."""
    return [sys.executable, "-m", "saurodrome.server.cli.tether", *command]


def end_with_starter() -> None:
    """Waits for the end of the standard input, then ends the process on the spot."""
    while os.read(0, 4096):
        pass
    os._exit(1)


def main(arguments: Sequence[str]) -> None:
    """Runs `FILE ARGUMENTS` or `-m MODULE ARGUMENTS`."""
    threading.Thread(target=end_with_starter, name="tether", daemon=True).start()
    if arguments[0] == "-m":
        sys.argv[:] = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv[:] = arguments
        sys.path.insert(0, os.path.dirname(os.path.abspath(arguments[0])))
        runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
