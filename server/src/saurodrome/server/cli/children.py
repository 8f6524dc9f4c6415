"""Programs that a command starts: on a tether, in a group of their own, ended with it."""

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from saurodrome.server.cli.offspring import end, offspring
from saurodrome.server.cli.tether import tethered

GRACE = 5.0
"""Seconds between a polite and a hard end."""


def how_it_ended(code: int) -> str:
    """Says how a process ended: by itself, or killed by a signal, with the code of a shell.

    Args:
        code: As `subprocess` gives it: the negative number of a signal.
    """
    if code >= 0:
        return f"ended with {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    want = ", often for want of memory" if code == -signal.SIGKILL else ""
    return f"was killed by {name} ({128 - code}{want})"


class Child:
    """A program on a tether.

    Attributes:
        name: What it is called in messages.
        log: The file that its output goes to.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        log: Path,
        environment: Mapping[str, str] | None = None,
        grace: float = GRACE,
        folder: Path | None = None,
    ) -> None:
        """Starts it.

        Args:
            name: What it is called in messages.
            command: A script with its arguments, or `-m` and a module with its arguments.
            log: Takes all that it writes.
            environment: What its environment has beyond ours.
            grace: Seconds between a polite and a hard end.
            folder: Where it runs, and keeps what it writes; None means here.
        """
        self.name = name
        self.log = log
        self._grace = grace
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                tethered(*command),
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                cwd=folder,
                env={**os.environ, **(environment or {})},
                # Ctrl-C is for us: we end them in order.
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code; None while it runs."""
        return self._process.poll()

    def said(self, lines: int = 5) -> str:
        """Gives the last lines of what it wrote."""
        with suppress(OSError):
            return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])
        return ""

    def ask_to_end(self) -> None:
        """Asks it to end, without waiting."""
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)

    def end(self) -> None:
        """Ends it for sure: politely, after its grace hard; and then all that it started."""
        family = offspring(self.pid)
        self.ask_to_end()
        try:
            self._process.wait(self._grace)
        except subprocess.TimeoutExpired:
            family |= offspring(self.pid)
            self._process.kill()
            self._process.wait()
        finally:
            end(family)
            if self._process.stdin is not None:
                self._process.stdin.close()


class Children:
    """All programs that a command started; leaving the block ends them, last started first."""

    def __init__(self) -> None:
        """Starts with none."""
        self._all: list[Child] = []

    def start(
        self,
        name: str,
        command: Sequence[str],
        log: Path,
        environment: Mapping[str, str] | None = None,
        grace: float = GRACE,
        folder: Path | None = None,
    ) -> Child:
        """Starts one more; arguments as for `Child`."""
        child = Child(name, command, log, environment, grace, folder)
        self._all.append(child)
        return child

    def __iter__(self) -> Iterator[Child]:
        """Goes over all of them."""
        return iter(self._all)

    def __enter__(self) -> "Children":
        """Gives itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Ends all of them, also while more Ctrl-C come in."""
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            for child in self._all[1:]:
                child.ask_to_end()
            for child in reversed(self._all):
                child.end()
        finally:
            signal.signal(signal.SIGINT, before)
