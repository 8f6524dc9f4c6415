"""A working folder as an author and organiser has it: a server, bots, a finished tournament."""

import subprocess
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from tests.e2e.shell import COMMAND, Result, environment, saurodrome

LATE_BOT = """
import itertools, time

turns = itertools.count(1)


def choose(d):
    if next(turns) % 5 == 0:
        time.sleep(3 * d.match.time.decision)
    return d.legal_actions[0].id
"""
STARTS_WITHIN = 20.0


class Workshop:
    """A working folder whose commands find the server that runs in it by themselves.

    Attributes:
        folder: The working folder.
    """

    def __init__(self, folder: Path) -> None:
        """Starts nothing yet."""
        self.folder = folder
        self._stack = ExitStack()
        self._seen: dict[tuple[str, ...], Result] = {}

    def __enter__(self) -> Self:
        """Starts nothing yet, either."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends everything that was started."""
        self._stack.close()

    def serve(self, house: str = "greedy,random") -> None:
        """Starts a server on free ports and waits for its bots of the house."""
        self.start("serve", "--bots-port", "0", "--web-port", "0", "--house", house)
        self.wait_for("token " if house == "none" else "house ")

    def run(self, *arguments: str) -> str:
        """Runs a command that must work, and gives its results."""
        done = saurodrome(*arguments, cwd=self.folder)
        assert done.code == 0, done.text
        return done.out

    def piped(self, *arguments: str) -> Result:
        """Runs a command with its outputs in pipes; the same one again is not run again."""
        if arguments not in self._seen:
            self._seen[arguments] = saurodrome(*arguments, cwd=self.folder)
        return self._seen[arguments]

    def start(self, *arguments: str) -> None:
        """Starts a command that goes on; it is killed in the end."""
        log = (self.folder / "out.log").open("ab")
        process = subprocess.Popen(
            [*COMMAND, *arguments],
            cwd=self.folder,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        self._stack.callback(log.close)

    def wait_for(self, text: str) -> None:
        """Waits until a started command has printed something."""
        until = time.monotonic() + STARTS_WITHIN
        while text not in (printed := (self.folder / "out.log").read_text()):
            assert time.monotonic() < until, printed
            time.sleep(0.05)


class Arena(Workshop):
    """A server in the folder's `.saurodrome`, with a bot named `late` and a finished tournament."""

    def __enter__(self) -> Self:
        """Starts the server and plays the tournament `troubles`."""
        self.serve()
        (self.folder / "late.py").write_text(LATE_BOT)
        self.run("bot", "register", "late", "--display-name", "恐" * 30, "--owner", "ada")
        self.start("bot", "run", "late.py")
        self.run(
            *("tournament", "create", "troubles", "--bots", "late,greedy,random"),
            *("--rounds", "1", "--time", "100ms", "--watch"),
        )
        self.run("tournament", "export", "troubles", "--to", "out")
        return self
