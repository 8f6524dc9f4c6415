"""Real servers in processes of their own, for end-to-end tests."""

import json
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

START_LIMIT = 20.0
"""Seconds in which a server must serve; five times what a slow machine needs."""


def free_port() -> int:
    """A port that nobody has at the moment, and that no outgoing connection is given by chance.

    A server that is killed and started again finds its port taken otherwise, now and then: by
    any program's connection, even by that of a bot that tries to connect to this very port.
    """
    first = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        port = random.SystemRandom().randrange(10_000, first)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class ServerProcess:
    """`saurodrome serve` without bots of the house; killed at the end of the block."""

    def __init__(self, data: Path, port: int = 0, *options: str) -> None:
        """Starts nothing yet; port 0 takes a free one at each start."""
        self.data = data
        self._port = port
        self._options = options
        self.output: int | None = None
        """A descriptor that takes what it prints; a file beside the data unless set."""
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        """Starts the server and waits until it serves."""
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Kills it."""
        self.kill()

    def start(self) -> None:
        """Starts the server and waits until it serves.

        Raises:
            RuntimeError: It ended, or did not serve in time; tells what it printed.
        """
        output = self.start_under(())
        self.wait_until_it_serves(output)

    def wait_until_it_serves(self, output: Path) -> None:
        """Waits for it; `output` is where it prints to.

        Raises:
            RuntimeError: It ended, or did not serve in time; tells what it printed.
        """
        until = time.monotonic() + START_LIMIT
        while not self._told.exists():
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"the server does not serve: {output.read_text()}")
            time.sleep(0.02)

    def start_under(self, command: Sequence[str]) -> Path:
        """Starts the server under a command, and waits for nothing; gives where it prints to."""
        self._told.unlink(missing_ok=True)
        arguments = [
            *("serve", "--data", str(self.data), "--house", "none"),
            *("--bots-port", str(self._port), "--web-port", "0", *self._options),
        ]
        output = self.data.with_suffix(".out")
        with output.open("ab") as out:
            self._process = subprocess.Popen(
                [*command, sys.executable, "-m", "saurodrome.server", *arguments],
                stdout=self.output or out,
                stderr=self.output or out,
                stdin=subprocess.DEVNULL,
            )
        return output

    def dies(self, within: float = START_LIMIT) -> int:
        """Waits until it has ended by itself; gives the exit code."""
        return self.process.wait(within)

    def kill(self) -> None:
        """SIGKILL, and waits for the end."""
        if self._process:
            self._process.kill()
            self._process.wait()

    def signal(self, number: signal.Signals) -> None:
        """Sends a signal."""
        self.process.send_signal(number)

    def terminate(self) -> int:
        """SIGTERM; gives the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=START_LIMIT)

    @property
    def process(self) -> subprocess.Popen[bytes]:
        """The process."""
        assert self._process
        return self._process

    @property
    def pid(self) -> int:
        """The process id."""
        return self.process.pid

    @property
    def address(self) -> str:
        """HOST:PORT of bots and organisers."""
        return f"127.0.0.1:{self._facts()['bots_port']}"

    @property
    def web(self) -> str:
        """The address of pages and metrics."""
        return f"http://127.0.0.1:{self._facts()['web_port']}"

    @property
    def admin_token(self) -> Path:
        """The file of the administrator's token."""
        return self.data / "admin.token"

    @property
    def _told(self) -> Path:
        return self.data / "serve.json"

    def _facts(self) -> dict[str, object]:
        facts: dict[str, object] = json.loads(self._told.read_text())
        return facts
