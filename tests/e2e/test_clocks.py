"""No bot pays for the arbiter, its machine, its wall clock or its disk; nor for a slow line."""

import asyncio
import os
import signal
from contextlib import AsyncExitStack
from itertools import cycle
from pathlib import Path

import pytest

from saurodrome.engine import playthrough
from saurodrome.server import ledger
from tests.bench.process import python
from tests.e2e.processes import ServerProcess
from tests.e2e.slow_link import slow_link
from tests.e2e.wirebots import Cup, WireBot

pytestmark = pytest.mark.wire

FAKETIME = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
"""The library that sets the wall clock of one process, where it is installed."""


@pytest.mark.case("P1")
async def test_an_arbiter_that_stood_still_for_two_seconds_costs_no_bot_anything(
    tmp_path: Path,
) -> None:
    """Stopped twice in the middle of matches with 200 ms a decision."""
    with ServerProcess(tmp_path / "data") as server:
        cup = Cup(server)
        await cup.begin("ann", "bob", "cyd", "dan", limit=0.2, margin=0.0)
        async with AsyncExitStack() as stack:
            for bot, token in cup.tokens.items():
                made = WireBot(server.address, token)
                if bot == "ann":
                    made.thinks = lambda number: 0.02
                await stack.enter_async_context(made)
            for _ in range(2):
                await asyncio.sleep(0.2)
                os.kill(server.pid, signal.SIGSTOP)
                await asyncio.sleep(2.0)
                os.kill(server.pid, signal.SIGCONT)
            matches = await cup.over()
        assert {match.termination for match in matches} == {"finished"}
        charged = [f for f in await cup.faults() if f.charged_to == "bot"]
        assert charged == []


@pytest.mark.slow
@pytest.mark.case("TO-05")
@pytest.mark.skipif(FAKETIME is None, reason="needs libfaketime: apt-get install faketime")
async def test_a_wall_clock_that_jumps_changes_no_verdict_and_no_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wall = tmp_path / "wall"
    wall.write_text("+0")
    with monkeypatch.context() as changed:
        changed.setenv("LD_PRELOAD", str(FAKETIME))
        changed.setenv("FAKETIME_TIMESTAMP_FILE", str(wall))
        changed.setenv("FAKETIME_CACHE_DURATION", "1")
        changed.setenv("FAKETIME_DONT_FAKE_MONOTONIC", "1")
        server = ServerProcess(tmp_path / "data")
        server.start()
    try:
        cup = Cup(server)
        await cup.begin("ann", "bob", "cyd", "dan", limit=1.0, rounds=2)
        async with AsyncExitStack() as stack:
            for token in cup.tokens.values():
                bot = WireBot(server.address, token, thinks=lambda number: 0.02)
                await stack.enter_async_context(bot)
            over = asyncio.create_task(cup.over())
            for jump in cycle(("+3600", "-7200", "+1800")):
                wall.write_text(jump)
                done, _ = await asyncio.wait({over}, timeout=1.5)
                if done:
                    break
            matches = over.result()
            async with cup.client() as client:
                records = [(await client.record(match.match_id)).decode() for match in matches]
        assert {match.termination for match in matches} == {"finished"}
        assert [match.log_position for match in matches] == list(range(1, len(matches) + 1))
        assert len({match.ended.seconds // 1800 for match in matches}) > 1  # it did jump
        assert await cup.faults() == []
        notes = [c.note for r in records for s in playthrough.loads(r).steps for c in s.choices]
        entries = [ledger.read(note) for note in notes]
        assert all(entry and 0.0 <= entry.charged < 1.0 for entry in entries)
    finally:
        server.kill()


@pytest.mark.slow
@pytest.mark.case("P67")
async def test_programs_that_burn_the_processor_cost_an_honest_bot_nothing(
    tmp_path: Path,
) -> None:
    burn = "while True: pass"
    with ServerProcess(tmp_path / "data") as server:
        cup = Cup(server)
        await cup.begin("ann", "bob", "cyd", "dan", limit=1.0, margin=0.0, rounds=4)
        async with AsyncExitStack() as stack:
            for _ in range(os.cpu_count() or 1):
                stack.enter_context(python("-c", burn))
            for token in cup.tokens.values():
                await stack.enter_async_context(WireBot(server.address, token))
            matches = await cup.over()
        assert {match.termination for match in matches} == {"finished"}
        assert await cup.faults() == []


@pytest.mark.slow
@pytest.mark.case("RE-06")
async def test_a_slow_line_with_jitter_costs_time_and_nothing_else(tmp_path: Path) -> None:
    """100 ms each way, up to 100 ms of jitter, 8,000 bytes a second, a second a decision."""
    with ServerProcess(tmp_path / "data") as server:
        cup = Cup(server)
        await cup.begin("ann", "bob", limit=1.0, margin=0.0, concurrency=1)
        async with (
            slow_link(server.address, latency=0.1, jitter=0.1, rate=8_000) as address,
            WireBot(address, cup.tokens["ann"]) as ann,
            WireBot(server.address, cup.tokens["bob"]),
        ):
            matches = await cup.over()
        assert {match.termination for match in matches} == {"finished"}
        assert await cup.faults() == []
        assert ann.streams == 1
        assert len(ann.seen) >= 24
