"""Bots one after another, and an organiser beside them, in one process: no words of gRPC's own."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.shell import environment

pytestmark = pytest.mark.wire

PROGRAM = """
from pathlib import Path

from saurodrome.client import Bot, BotFault, strategy_of
from saurodrome.client.tournaments import TournamentSettings
from saurodrome.server.cli.arbiter import private_arbiter
from saurodrome.server.cli.children import Children


def choose(d):
    raise ValueError("x")


with Children() as children, private_arbiter(children, Path("data"), "random") as arbiter:
    token = arbiter.client.register_bot("me").token
    cup = TournamentSettings(name="t", game="draftosaurus", variant="summer", players=2, rounds=50)
    cup.bots.extend(["me", "random"])
    arbiter.client.create(cup)
    arbiter.client.start("t")
    watching = arbiter.client.watch("t")
    next(watching)
    for _ in range(6):
        bot = Bot(strategy_of(choose), server=arbiter.running.address, token=token, strict=True)
        try:
            bot.run()
        except BotFault as fault:
            print(fault.code)
"""


def test_event_loops_that_follow_each_other_print_nothing(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "data").mkdir()
    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["BOT_RAISED"] * 6
    assert done.stderr == ""
