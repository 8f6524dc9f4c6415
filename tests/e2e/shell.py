"""The command `saurodrome` as a user has it: in a shell, piped or in a terminal of 80 x 24."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from saurodrome.server.cli.root import main

ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[@-Z\\-_])")
LIMIT = 60.0
"""Seconds that a command may take."""
COMMAND = (sys.executable, "-m", "saurodrome.server")


class Result(NamedTuple):
    """How a command ended; in a terminal both outputs are one, in `out`."""

    code: int
    out: str
    err: str

    @property
    def text(self) -> str:
        """All that was printed."""
        return self.out + self.err


def environment(changes: Mapping[str, str] | None = None) -> dict[str, str]:
    """Gives an environment without settings of the person who runs the tests."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("SAURODROME_", "LC_"))}
    kept.pop("NO_COLOR", None)
    return kept | {"LANG": "C.UTF-8", "TERM": "xterm-256color"} | dict(changes or {})


def saurodrome(
    *arguments: str, cwd: Path, env: Mapping[str, str] | None = None, limit: float = LIMIT
) -> Result:
    """Runs a command with its outputs in pipes."""
    done = subprocess.run(
        [*COMMAND, *arguments],
        cwd=cwd,
        env=environment(env),
        capture_output=True,
        timeout=limit,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


def here(capsys: pytest.CaptureFixture[str], *arguments: str) -> Result:
    """Runs a command in this process and directory: the same, without the start of a Python."""
    code = main(arguments)
    return Result(code, *capsys.readouterr())


def in_terminal(
    *arguments: str, cwd: Path, env: Mapping[str, str] | None = None, limit: float = LIMIT
) -> Result:
    """Runs a command in a terminal of 80 x 24."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=cwd,
        env=environment(env),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    out = _read(ours, time.monotonic() + limit, arguments)
    os.close(ours)
    return Result(process.wait(5), out, "")


def _read(terminal: int, until: float, arguments: Sequence[str]) -> str:
    """Reads a terminal until the program has closed it."""
    read = b""
    while True:
        ready, _, _ = select.select([terminal], [], [], until - time.monotonic())
        if not ready:
            raise TimeoutError(f"{' '.join(arguments)}: {read.decode(errors='replace')}")
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # what Linux says where others give the end of the file
            piece = b""
        if not piece:
            return read.decode(errors="replace")
        read += piece


def plain_lines(text: str) -> list[str]:
    """Gives the lines that a terminal showed, one after another, without escape codes."""
    return re.split(r"[\r\n]+", ESCAPE.sub("", text))
