"""A server in a process of its own, for a command that needs one for a while."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from saurodrome.client.tournaments import TournamentClient
from saurodrome.server.cli.children import Child, Children
from saurodrome.server.cli.failures import OwnTrouble
from saurodrome.server.cli.home import RunningServer, running_server

STARTS_WITHIN = 30.0
"""Seconds that a server may take until it serves, on a busy machine."""
LOOK_EVERY = 0.05


class Arbiter:
    """A private server: its data, its address and a client of it.

    Attributes:
        data: Its data directory.
        running: Where it is reached.
        client: An organiser's client.
    """

    def __init__(self, data: Path, running: RunningServer) -> None:
        """Connects to a server that runs."""
        self.data = data
        self.running = running
        self.client = TournamentClient(
            server=running.address, token_file=data / "admin.token", data_dir=data
        )

    @property
    def web(self) -> str:
        """The address of its pages and metrics."""
        return f"http://localhost:{self.running.web_port}"


@contextmanager
def private_arbiter(
    children: Children, data: Path, house: str = "none", log: Path | None = None
) -> Iterator[Arbiter]:
    """Starts a server on free ports and gives it once it serves.

    Args:
        children: Ends it, in the end.
        data: Its data directory.
        house: The bots of the house, as for `serve --house`.
        log: Takes what it writes; else `serve.log` in its data directory.

    Raises:
        OwnTrouble: It does not start.
    """
    command = ["-m", "saurodrome.server", "serve", "--data", str(data), "--house", house]
    ports = ["--bots-port", "0", "--web-port", "0"]
    child = children.start("arbiter", [*command, *ports], log or data / "serve.log")
    arbiter = Arbiter(data, wait_until_it_serves(child, data))
    try:
        yield arbiter
    finally:
        arbiter.client.close()


def wait_until_it_serves(child: Child, data: Path) -> RunningServer:
    """Waits for a server to say where it serves.

    Raises:
        OwnTrouble: It ended, or takes too long.
    """
    until = time.monotonic() + STARTS_WITHIN
    while child.exit_code is None and time.monotonic() < until:
        running = running_server(data)
        if running is not None:
            return running
        time.sleep(LOOK_EVERY)
    ended = child.exit_code is not None
    raise OwnTrouble(
        "ARBITER_DID_NOT_START",
        f"the private arbiter ended with {child.exit_code}."
        if ended
        else f"the private arbiter does not serve after {STARTS_WITHIN:.0f} s.",
        where=f"{child.log}\n{child.said()}",
        do="read its last words above",
    )
