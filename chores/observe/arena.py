"""A server with good and troublesome bots and a tournament that goes on for long."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from chores.terminal import ROOT
from saurodrome.client.tournaments import TournamentClient

BOTS = {
    "greedy": "greedy_bot.py",
    "greedy-2": "greedy_bot.py",
    "random": "random_bot.py",
    "random-2": "random_bot.py",
    "slow": "demo/slow_bot.py",
    "dropping": "demo/dropping_bot.py",
    "illegal": "demo/illegal_bot.py",
}
"""Who plays, and the example bot that it is."""
TOURNAMENT = "weekend"
EXAMPLES = ROOT / "clients" / "examples"
STARTS_WITHIN = 60.0
COMMAND = (sys.executable, "-m", "saurodrome.server")


class Arena(NamedTuple):
    """Where a server is reached: its pages, its gRPC port, and the file of the admin's token."""

    web: str
    server: str
    token_file: Path


@contextmanager
def playing(
    folder: Path, bots: Mapping[str, str] = BOTS, server: Sequence[str] = COMMAND
) -> Iterator[Arena]:
    """Run it until the end of the block.

    Args:
        folder: The working folder.
        bots: Who plays, and the example bot that it is.
        server: The command of the server.

    Raises:
        RuntimeError: The server does not serve; tells what it said.
    """
    with ExitStack() as stack:
        serve = ["serve", "--house", "none", "--bots-port", "0", "--web-port", "0"]
        program = _start(stack, folder, "serve", [*server, *serve])
        facts = _facts(folder / ".saurodrome" / "serve.json", program, folder)
        address = f"127.0.0.1:{facts['bots_port']}"
        token_file = folder / ".saurodrome" / "admin.token"
        with TournamentClient(server=address, token_file=token_file) as client:
            for bot, file in bots.items():
                token = client.register_bot(bot, owner="observe").token
                mine = {"SAURODROME_SERVER": address, "SAURODROME_TOKEN": token}
                _start(stack, folder, bot, [sys.executable, str(EXAMPLES / file)], mine)
        create = ["tournament", "create", TOURNAMENT, "--bots", ",".join(bots), "--start"]
        options = ["--players", "3", "--rounds", "40", "--time", "300ms"]
        command = [*COMMAND, *create, *options]
        subprocess.run(command, cwd=folder, capture_output=True, check=True)
        yield Arena(f"127.0.0.1:{facts['web_port']}", address, token_file)


def _start(
    stack: ExitStack,
    folder: Path,
    name: str,
    command: list[str],
    environment: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    with (folder / f"{name}.log").open("wb") as log:
        program = subprocess.Popen(
            command,
            cwd=folder,
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **(environment or {})},
        )
    stack.callback(program.wait)
    stack.callback(program.kill)
    return program


def _facts(file: Path, server: subprocess.Popen[bytes], folder: Path) -> dict[str, int]:
    until = time.monotonic() + STARTS_WITHIN
    while not file.exists():
        if server.poll() is not None or time.monotonic() > until:
            said = (folder / "serve.log").read_text()
            raise RuntimeError(f"the server does not serve: {said}")
        time.sleep(0.05)
    facts: dict[str, int] = json.loads(file.read_text())
    return facts
