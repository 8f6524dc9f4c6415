"""Words for the person at the terminal, and commands run in their name."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[1]


class Refused(Exception):
    """What a chore cannot go on without, in words for the person at the terminal."""


def say(text: str) -> None:
    """Write a line for people; results of chores own the standard output."""
    print(text, file=sys.stderr, flush=True)


def become(python: Path, arguments: Sequence[str]) -> int:
    """Turn this process into a Python command, so that signals and exit codes are its own."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(python, [str(python), *arguments])


def run(*command: str | Path) -> int:
    """Run a command to its end from the repository's root and return its exit code."""
    child = subprocess.Popen([str(part) for part in command], cwd=ROOT)

    def pass_on(number: int, frame: FrameType | None) -> None:
        child.send_signal(number)

    before = signal.signal(signal.SIGTERM, pass_on)
    try:
        while True:
            # Ctrl-C reaches the child too: what it means is the child's to say.
            with contextlib.suppress(KeyboardInterrupt):
                code = child.wait()
                return code if code >= 0 else 128 - code
    finally:
        signal.signal(signal.SIGTERM, before)


def succeeds(command: Sequence[str]) -> bool:
    """Tell whether a command is there and exits with 0, keeping quiet about it."""
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def run_all(commands: Sequence[Sequence[str | Path]]) -> int:
    """Run every command, the later ones also after a failure; return the first failure's code."""
    return next(filter(None, [run(*command) for command in commands]), 0)
