"""All that a program started, also in sessions of their own: found and ended with it, on Linux.

A process that becomes the parent of orphans below it keeps the whole family in one tree, however
often somebody in it forked and whatever session or group it left for.
"""

import ctypes
import os
import signal
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_PROC = Path("/proc")
_SET_CHILD_SUBREAPER = 36  # prctl(2)
_STATE, _PARENT, _STARTED = 0, 1, 19  # proc_pid_stat(5), counted from the field after the name
_ROUNDS = 20


class Process(NamedTuple):
    """One process; numbers come again, a number with its start does not.

    Attributes:
        pid: Its number.
        started: When it started, in ticks since the machine did.
    """

    pid: int
    started: int


def adopt() -> None:
    """Becomes the parent of orphans among what this process started; elsewhere than on Linux no."""
    if _PROC.exists():
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def offspring(pid: int) -> set[Process]:
    """Gives all that descend from a process and have not ended; empty elsewhere than on Linux."""
    children: dict[int, list[Process]] = {}
    for entry in _PROC.glob("[0-9]*"):
        if (read := _read(int(entry.name))) is not None:
            process, parent = read
            children.setdefault(parent, []).append(process)
    found: set[Process] = set()
    waiting = [pid]
    while waiting:
        for child in children.get(waiting.pop(), ()):
            found.add(child)
            waiting.append(child.pid)
    return found


def end(processes: Iterable[Process]) -> None:
    """Kills processes, if they are still those."""
    for process in processes:
        if (read := _read(process.pid)) is not None and read[0] == process:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process.pid, signal.SIGKILL)


def end_all_of_mine() -> None:
    """Kills all that descend from this process, those too that start meanwhile."""
    for _ in range(_ROUNDS):
        found = offspring(os.getpid())
        if not found:
            return
        end(found)


def _read(pid: int) -> tuple[Process, int] | None:
    """Gives a process and its parent; None if it has ended."""
    try:
        text = (_PROC / str(pid) / "stat").read_text(errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    if fields[_STATE] in ("Z", "X"):
        return None
    return Process(pid, int(fields[_STARTED])), int(fields[_PARENT])
