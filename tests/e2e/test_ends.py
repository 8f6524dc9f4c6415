"""How commands end: Ctrl-C once and twice, SIGKILL, and nobody left behind."""

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.arena import STARTS_WITHIN
from tests.e2e.shell import COMMAND, environment, saurodrome

pytestmark = pytest.mark.wire


class Running:
    """A command that goes on, whose children can be counted."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._log = folder / "out.log"
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [*COMMAND, *arguments],
                cwd=folder,
                env=environment({"SAURODROME_TEST_MARK": str(folder)}),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._mark = f"SAURODROME_TEST_MARK={folder}".encode()

    def wait_for(self, text: str) -> None:
        self.wait_until(lambda: text in self.printed)

    def wait_until(self, done: Callable[[], bool]) -> None:
        until = time.monotonic() + STARTS_WITHIN
        while not done():
            assert time.monotonic() < until, self.printed
            time.sleep(0.05)

    @property
    def printed(self) -> str:
        return self._log.read_text()

    def family(self) -> list[int]:
        """Gives every process that descends from the command, by what it inherited."""
        found = []
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and self._mark in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
        return found

    def all_gone(self, within: float = 5.0) -> bool:
        until = time.monotonic() + within
        while self.family():
            if time.monotonic() > until:
                return False
            time.sleep(0.05)
        return True


@pytest.mark.case("P63")
@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_server_leaves_no_house_bot_behind(tmp_path: Path, kind: signal.Signals) -> None:
    running = Running(tmp_path, "serve", "--bots-port", "0", "--web-port", "0")
    running.wait_for("house ")
    assert len(running.family()) == 3
    running.process.send_signal(kind)
    assert running.process.wait(15) == (-9 if kind == signal.SIGKILL else 0)
    assert running.all_gone()


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGKILL])
def test_the_demo_leaves_nobody_behind(tmp_path: Path, kind: signal.Signals) -> None:
    running = Running(tmp_path, "demo")
    running.wait_for(" of 90 matches")
    assert len(running.family()) == 8
    running.process.send_signal(kind)
    assert running.process.wait(15) == (-9 if kind == signal.SIGKILL else 130)
    assert running.all_gone()


DAEMON = """
import os, time
from pathlib import Path

if not Path("daemon").exists() and os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        Path("daemon").write_text(str(os.getpid()))
        time.sleep(600)
    os._exit(0)

from saurodrome.client import run


def choose(d):
    time.sleep(0.1)
    return d.default.id


if __name__ == "__main__":
    run(choose)
"""
"""A bot whose helper leaves for a session of its own, and whose parent there is soon gone."""


@pytest.mark.case("P63")
@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_of_a_bot_that_forks_and_leaves_its_session(
    tmp_path: Path, kind: signal.Signals
) -> None:
    (tmp_path / "forking.py").write_text(DAEMON)
    running = Running(tmp_path, "check", "localhost:0", "--run", f"{sys.executable} forking.py")
    running.wait_until((tmp_path / "daemon").exists)
    running.process.send_signal(kind)
    running.process.wait(15)
    assert running.all_gone()


SLEEPER = "import time\n\n\ndef choose(d):\n    time.sleep(60)\n"


@pytest.mark.case("CR-01")
def test_a_second_ctrl_c_ends_a_server_at_once_with_130(tmp_path: Path) -> None:
    serve = ("serve", "--bots-port", "0", "--web-port", "0", "--house", "random")
    server = Running(tmp_path, *serve)
    server.wait_for("house ")
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    assert saurodrome("bot", "register", "sleeper", cwd=tmp_path).code == 0
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / ".saurodrome").symlink_to(tmp_path / ".saurodrome")
    bot = Running(folder, "bot", "run", "../sleeper.py")
    bot.wait_for("connected")
    create = ("tournament", "create", "t", "--bots", "sleeper,random", "--time", "30s")
    assert saurodrome(*create, "--start", cwd=tmp_path).code == 0
    bot.wait_for("plays draftosaurus")
    time.sleep(0.5)  # the match has begun
    server.process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert server.process.poll() is None  # it lets the match end
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(7) == 130
    bot.process.kill()
    bot.process.wait()


def test_a_killed_server_says_what_it_recovered_and_plays_on(tmp_path: Path) -> None:
    serve = ("serve", "--bots-port", "0", "--web-port", "0")
    first = Running(tmp_path, *serve)
    first.wait_for("house ")
    create = ("tournament", "create", "t", "--bots", "greedy,random", "--rounds", "100")
    assert saurodrome(*create, "--start", cwd=tmp_path).code == 0
    until = time.monotonic() + 20
    while (before := position(tmp_path)) < 5:
        assert time.monotonic() < until
        time.sleep(0.05)
    first.process.kill()
    first.process.wait()
    again = Running(tmp_path, *serve)
    again.wait_for("house ")
    told = re.search(
        r"recovered  t at log position (\d+): (\d+) of 200 matches done", again.printed
    )
    assert told is not None, again.printed
    assert int(told[1]) == int(told[2]) >= before
    assert saurodrome("tournament", "watch", "t", cwd=tmp_path).code == 0
    assert position(tmp_path) == 200
    again.process.kill()
    again.process.wait()


def position(folder: Path) -> int:
    """Gives the position of the tournament `t` in its log."""
    listed = json.loads(saurodrome("tournament", "list", "--json", cwd=folder).out)
    return int(listed[0]["log_position"])


def test_ctrl_c_ends_a_running_bot_with_130(tmp_path: Path) -> None:
    (tmp_path / ".saurodrome").mkdir()
    (tmp_path / ".saurodrome" / "lone.token").write_text("srd_bot_abcdefgh_" + "a" * 32)
    (tmp_path / "lone.py").write_text("def choose(d):\n    return d.legal_actions[0].id\n")
    running = Running(tmp_path, "bot", "run", "lone.py", "--server", "localhost:1")
    running.wait_for("UNREACHABLE")
    running.process.send_signal(signal.SIGINT)
    assert running.process.wait(10) == 130


def test_ctrl_c_ends_the_watching_not_the_tournament(tmp_path: Path) -> None:
    server = Running(tmp_path, "serve", "--bots-port", "0", "--web-port", "0", "--house", "none")
    server.wait_for("serving")
    try:
        for name in ("a", "b"):
            subprocess.run(
                [*COMMAND, "bot", "register", name], cwd=tmp_path, env=environment(), check=True
            )
        watching = tmp_path / "watching"
        watching.mkdir()
        (watching / ".saurodrome").symlink_to(tmp_path / ".saurodrome")
        watch = Running(watching, "tournament", "create", "t", "--bots", "a,b", "--watch")
        watch.wait_for("0 of 120")
        watch.process.send_signal(signal.SIGINT)
        assert watch.process.wait(10) == 130
        listed = subprocess.run(
            [*COMMAND, "tournament", "list"],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            check=True,
        )
        assert b"RUNNING" in listed.stdout
    finally:
        server.process.kill()
        server.process.wait()
