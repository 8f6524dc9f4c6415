"""A server in a process of its own, for a command that needs one for a while."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from saurodrome.client.tournaments import TournamentClient
from saurodrome.server.cli.children import Child, Children
from saurodrome.server.cli.failures import OwnTrouble
from saurodrome.server.cli.home import RunningServer, running_server
from saurodrome.server.cli.house import parse

T = TypeVar("T")

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
def private_arbiter(children: Children, data: Path, house: str = "none") -> Iterator[Arbiter]:
    """Starts a server on free ports and gives it once it serves.

    It is killed in the end, without a grace for matches: whoever wants their results waits.

    Args:
        children: Ends it, in the end.
        data: Its data directory; what it writes goes to `serve.log` there.
        house: The bots of the house, as for `serve --house`.

    Raises:
        OwnTrouble: It does not start.
    """
    command = ["-m", "saurodrome.server", "serve", "--data", str(data), "--house", house]
    ports = ["--bots-port", "0", "--web-port", "0"]
    child = children.start("arbiter", [*command, *ports], data / "serve.log", grace=0.0)
    arbiter = Arbiter(data, wait_until_it_serves(child, data))
    try:
        wait_for_house(arbiter, child, parse(house))
        yield arbiter
    finally:
        arbiter.client.close()


def wait_until_it_serves(child: Child, data: Path) -> RunningServer:
    """Waits for a server to say where it serves.

    Raises:
        OwnTrouble: It ended, or takes too long.
    """
    return wait_for(child, lambda: running_server(data))


def wait_for_house(arbiter: Arbiter, child: Child, names: Sequence[str]) -> None:
    """Waits until the bots of the house are registered.

    Raises:
        OwnTrouble: The server ended, or it takes too long.
    """

    def registered() -> bool | None:
        return {bot.name for bot in arbiter.client.list_bots()}.issuperset(names) or None

    wait_for(child, registered)


def wait_for(child: Child, look: Callable[[], T | None]) -> T:
    """Waits until there is something to see at a server that starts.

    Raises:
        OwnTrouble: The server ended, or it takes too long.
    """
    until = time.monotonic() + STARTS_WITHIN
    while child.exit_code is None and time.monotonic() < until:
        seen = look()
        if seen is not None:
            return seen
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
