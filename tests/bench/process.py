"""CPU time of another process and children that end with their parent: for benches."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple


class Usage(NamedTuple):
    """CPU seconds of a process so far, user and system together."""

    cpu: float


def usage(pid: int) -> Usage:
    """CPU seconds of a process by `/proc`; Linux only."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    return Usage(ticks / os.sysconf("SC_CLK_TCK"))


@contextmanager
def python(*arguments: str, first: Path | None = None) -> Iterator[subprocess.Popen[str]]:
    """A Python process that talks by lines; killed at the end of the block.

    Args:
        arguments: Of the interpreter.
        first: A folder whose modules are taken before all others.
    """
    path = [str(first or ""), os.environ.get("PYTHONPATH", "")]
    process = subprocess.Popen(
        [sys.executable, *arguments],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, path))},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def line(process: subprocess.Popen[str]) -> str:
    """The next line of a process's output.

    Raises:
        RuntimeError: It ended first.
    """
    assert process.stdout is not None
    text = process.stdout.readline()
    if not text:
        raise RuntimeError(f"{process.args!r} ended without an answer")
    return text.strip()


def tell(process: subprocess.Popen[str], text: str) -> None:
    """Sends a line to a process."""
    assert process.stdin is not None
    process.stdin.write(text + "\n")
    process.stdin.flush()
