"""A server with good and troublesome bots and a tournament that goes on for long."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from chores.terminal import ROOT

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
COMMAND = [sys.executable, "-m", "saurodrome.server"]


@contextmanager
def playing(folder: Path, decision: str = "300ms") -> Iterator[str]:
    """Run it until the end of the block; gives HOST:PORT of its pages and metrics.

    Raises:
        RuntimeError: A part of it does not work; tells what it said.
    """
    with ExitStack() as stack:
        serve = ["serve", "--house", "none", "--bots-port", "0", "--web-port", "0"]
        program = _start(stack, folder, "serve", [*COMMAND, *serve])
        facts = _facts(folder / ".saurodrome" / "serve.json", program, folder)
        server = f"127.0.0.1:{facts['bots_port']}"
        for bot, file in BOTS.items():
            _run(folder, "bot", "register", bot)
            token = (folder / ".saurodrome" / f"{bot}.token").read_text().strip()
            mine = {"SAURODROME_SERVER": server, "SAURODROME_TOKEN": token}
            _start(stack, folder, bot, [sys.executable, str(EXAMPLES / file)], mine)
        create = ["tournament", "create", TOURNAMENT, "--bots", ",".join(BOTS), "--start"]
        _run(folder, *create, "--players", "3", "--rounds", "40", "--time", decision)
        yield f"127.0.0.1:{facts['web_port']}"


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


def _run(folder: Path, *arguments: str) -> None:
    done = subprocess.run(
        [*COMMAND, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)}: {done.stderr}")
