"""Runs a program on a tether: it ends when whoever started it ends, however that ended.

The standard input is a pipe whose other end the starter holds. If the starter is gone, even by
SIGKILL, the pipe closes, and the program ends with all that it started.
"""

import os
import runpy
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence

from saurodrome.server.cli.offspring import adopt, end_all_of_mine


def tethered(*command: str) -> list[str]:
    """Gives the command line that runs a script, `-m module` or `-- command` on a tether."""
    return [sys.executable, "-m", "saurodrome.server.cli.tether", *command]


def end_with_starter() -> None:
    """Waits for the end of the standard input, then ends the process and its offspring at once."""
    while os.read(0, 4096):
        pass
    end_all_of_mine()
    os._exit(1)


def run(command: Sequence[str]) -> None:
    """Runs a command to its end, and ends as it did."""
    code = subprocess.Popen(command, stdin=subprocess.DEVNULL).wait()
    end_all_of_mine()
    if code < 0:
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.exit(code)


def main(arguments: Sequence[str]) -> None:
    """Runs `FILE ARGUMENTS`, `-m MODULE ARGUMENTS` or `-- COMMAND ARGUMENTS`."""
    adopt()
    threading.Thread(target=end_with_starter, name="tether", daemon=True).start()
    if arguments[0] == "--":
        run(arguments[1:])
    elif arguments[0] == "-m":
        sys.argv[:] = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv[:] = arguments
        sys.path.insert(0, os.path.dirname(os.path.abspath(arguments[0])))
        runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
