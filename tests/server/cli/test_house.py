"""The keeper of the house's bots, in the loop that a server runs in."""

import asyncio
import ctypes
import os
import sys
import time
from pathlib import Path

import pytest

from saurodrome.client.tournaments import AsyncTournamentClient
from saurodrome.server import loop
from saurodrome.server.cli import house
from saurodrome.server.cli.house import House

pytestmark = [
    pytest.mark.wire,
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux shows them"),
]


def nobody() -> AsyncTournamentClient:
    raise AssertionError("asked for no client")


@pytest.fixture
def keeper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """Keeps `random`, whose program is `program.py` in the folder."""
    monkeypatch.setattr(house, "example", lambda name: tmp_path / "program.py")
    return House(["random"], tmp_path, nobody, [], lambda line: None)


async def run(keeper: House, folder: Path) -> int:
    code = await keeper._run("random", folder / "random.token")
    await keeper.close()
    return code


def test_a_bot_is_no_fork_of_a_server_with_grpc_in_it(keeper: House, tmp_path: Path) -> None:
    """What gRPC does in a forked process kills it with SIGSEGV while streams come and go."""
    (tmp_path / "program.py").write_text("raise SystemExit(3)")
    forks = []
    noted = ctypes.CFUNCTYPE(None)(lambda: forks.append(1))
    ctypes.CDLL(None).__register_atfork(noted, None, None, None)
    assert loop.run(run(keeper, tmp_path)) == 3
    assert forks == []
    _NOTED.append(noted)


_NOTED: list[object] = []
"""Called at every fork of this process from now on."""


def test_a_bot_ends_with_its_keeper(keeper: House, tmp_path: Path) -> None:
    told = tmp_path / "pid"
    (tmp_path / "program.py").write_text(
        "import os, pathlib, time\n"
        "pathlib.Path('new').write_text(str(os.getpid()))\n"
        "pathlib.Path('new').rename('pid')\n"
        "time.sleep(60)"
    )

    async def leave() -> None:
        task = asyncio.create_task(keeper._run("random", tmp_path / "random.token"))
        for _ in range(1000):
            if told.exists():
                break
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await keeper.close()

    loop.run(leave())
    for _ in range(1000):  # its tether is gone, and takes it along
        if not Path(f"/proc/{told.read_text()}").exists():
            break
        time.sleep(0.01)
    with pytest.raises(ProcessLookupError):
        os.kill(int(told.read_text()), 0)
