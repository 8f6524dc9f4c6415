"""A bot's file run as a program: its screen, Ctrl-C, exit codes."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from grpc import StatusCode

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client.testing import ScriptedArbiter, ScriptedStream, decision, match

pytestmark = pytest.mark.wire

ROOT = Path(__file__).parents[2]
BOT = """
from saurodrome.client import Decision, run

def choose(d: Decision) -> int:
    {body}

if __name__ == "__main__":
    run(choose)
"""


class Program:
    """A bot's process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    @classmethod
    async def start(
        cls, folder: Path, server: str, *options: str, body: str = "return d.legal_actions[0].id"
    ) -> "Program":
        path = folder / "my_bot.py"
        path.write_text(BOT.format(body=body))
        (folder / ".saurodrome").mkdir(exist_ok=True)
        (folder / ".saurodrome" / "my_bot.token").write_text("srd_bot_k3f9_secret\n")
        sources = [str(ROOT / "proto/src"), str(ROOT / "clients/python/src")]
        return cls(
            await asyncio.create_subprocess_exec(
                sys.executable,
                str(path),
                "--server",
                server,
                *options,
                cwd=folder,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sources)},
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
        )

    async def line(self, text: str) -> str:
        """Reads stderr up to the first line with a text."""
        assert self.process.stderr
        while line := (await self.process.stderr.readline()).decode():
            if text in line:
                return line
        raise AssertionError(f"no line with {text!r}")

    async def end(self) -> tuple[int, str]:
        """Waits for the end; gives exit code and the rest of stderr."""
        async with asyncio.timeout(20):
            _, err = await self.process.communicate()
        assert self.process.returncode is not None
        return self.process.returncode, err.decode()


Start = Callable[..., Awaitable[Program]]


@pytest.fixture
async def start(tmp_path: Path) -> AsyncIterator[Start]:
    """Starts programs in a folder, and lets none survive its test."""
    started: list[Program] = []

    async def start(*arguments: str, **keywords: str) -> Program:
        started.append(await Program.start(tmp_path, *arguments, **keywords))
        return started[-1]

    yield start
    for program in started:
        if program.process.returncode is None:
            program.process.kill()
            await program.process.communicate()


@pytest.fixture
async def arbiter() -> AsyncIterator[ScriptedArbiter]:
    async with ScriptedArbiter() as arbiter:
        yield arbiter


async def in_match(arbiter: ScriptedArbiter) -> ScriptedStream:
    stream = await arbiter.welcome()
    await stream.start(match())
    await stream.ready()
    return stream


async def test_it_plays_and_leaves_after_so_many_matches(
    arbiter: ScriptedArbiter, start: Start
) -> None:
    program = await start(arbiter.address, "--matches", "1")
    stream = await arbiter.welcome()
    assert stream.metadata["authorization"] == "Bearer srd_bot_k3f9_secret"
    await stream.start(match())
    await stream.goodbye()
    await stream.ready()
    await stream.ask(decision())
    await stream.reply()
    await stream.end_match(match())
    stream.finish()

    code, err = await program.end()

    assert code == 0
    assert err.splitlines() == [
        f"connected as bot to {arbiter.address}",
        "plays draftosaurus/summer rules 1",
        err.splitlines()[2],
        err.splitlines()[3],
    ]
    assert err.splitlines()[3].startswith("playing 0   done 1   won 1   late 0   illegal 0   ")


async def test_ctrl_c_finishes_the_open_match(arbiter: ScriptedArbiter, start: Start) -> None:
    program = await start(arbiter.address)
    stream = await in_match(arbiter)

    program.process.send_signal(signal.SIGINT)
    await stream.goodbye()
    await program.line("leaving: 1 open; Ctrl-C again stops at once")
    await stream.ask(decision())
    await stream.reply()
    await stream.end_match(match())
    stream.finish()

    code, err = await program.end()
    assert code == 130
    assert "Traceback" not in err


async def test_a_second_ctrl_c_stops_at_once_also_while_it_thinks(
    arbiter: ScriptedArbiter, start: Start
) -> None:
    body = "import time; time.sleep(60)"
    program = await start(arbiter.address, body=body)
    stream = await in_match(arbiter)
    await stream.ask(decision())

    program.process.send_signal(signal.SIGINT)
    await stream.goodbye()
    program.process.send_signal(signal.SIGINT)

    code, err = await program.end()
    assert code == 130
    assert "Traceback" not in err


async def test_ctrl_c_stops_a_bot_that_waits_for_its_server(start: Start) -> None:
    program = await start("127.0.0.1:1")
    await program.line("warning[UNREACHABLE] nothing answers at 127.0.0.1:1")

    program.process.send_signal(signal.SIGINT)

    code, _ = await program.end()
    assert code == 130


async def test_sigterm_drains_as_ctrl_c_does(arbiter: ScriptedArbiter, start: Start) -> None:
    program = await start(arbiter.address)
    stream = await arbiter.welcome()
    await program.line("connected as bot")

    program.process.send_signal(signal.SIGTERM)
    await stream.goodbye()
    stream.finish()

    code, _ = await program.end()
    assert code == 143


async def test_a_bot_that_was_replaced_says_so_and_stops(
    arbiter: ScriptedArbiter, start: Start
) -> None:
    program = await start(arbiter.address)
    stream = await arbiter.welcome()

    what = "another program took this bot's place."
    stream.refuse(StatusCode.ABORTED, "SUPERSEDED", what, "10.0.0.7", "one token a program")

    code, err = await program.end()
    assert code == 3
    assert err.splitlines()[-3:] == [
        f"error[SUPERSEDED] {what}",
        f"  where  10.0.0.7; server {arbiter.address}",
        "  do     one token a program",
    ]


async def test_a_bot_that_raises_shows_its_own_line_and_goes_on(
    arbiter: ScriptedArbiter, start: Start, tmp_path: Path
) -> None:
    program = await start(arbiter.address, body="return 1 // 0")
    stream = await in_match(arbiter)

    asked = decision(default="S river")
    await stream.ask(asked)
    assert not (await stream.reply()).HasField("choice")
    await stream.judge(bot_pb2.Verdict.KIND_ILLEGAL, asked, replies_left=2)
    assert (await stream.reply()).action_id == 7
    program.process.send_signal(signal.SIGINT)
    await stream.goodbye()
    await stream.end_match(match())
    stream.finish()

    code, err = await program.end()
    assert code == 130
    assert "error[BOT_RAISED] ZeroDivisionError: integer division or modulo by zero" in err
    assert "  where  my_bot.py line 5 in choose: return 1 // 0\n" in err
    assert "--at .saurodrome/last.decision" in err
    assert err.count("error[") == 1
    assert "   illegal 1   " in err
    assert "Traceback" not in err
    assert (tmp_path / ".saurodrome" / "last.decision").is_file()


async def test_strict_stops_at_the_first_fault(arbiter: ScriptedArbiter, start: Start) -> None:
    program = await start(arbiter.address, "--strict", body="return None")
    stream = await in_match(arbiter)

    await stream.ask(decision())
    await stream.hung_up()

    code, err = await program.end()
    assert code == 1
    assert err.count("error[BAD_REPLY] choose() returned None") == 1
    assert "Traceback" not in err
