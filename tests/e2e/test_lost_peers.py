"""Peers that die, freeze, stop reading or come back all at once, over real connections."""

import asyncio
import os
import random
import signal
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import grpc
import pytest

from saurodrome.bot.v1 import bot_pb2
from saurodrome.server.cli.check.road import Road
from tests.bench.process import line, python
from tests.e2e.processes import ServerProcess, free_port
from tests.e2e.wirebots import Cup, WireBot, memory

pytestmark = pytest.mark.wire

CHILD = """
import asyncio, sys
from tests.e2e.wirebots import WireBot

async def main(address, token, thinks):
    async with WireBot(address, token, thinks=lambda number: float(thinks)) as bot:
        told = 0
        while True:
            await bot.asked.wait()
            bot.asked.clear()
            for seen in bot.seen[told:]:
                print(seen.decision_id, seen.remaining, flush=True)
            told = len(bot.seen)

asyncio.run(main(*sys.argv[1:]))
"""
WIDER = 5.0
"""How much wider bounds are here than those that hold under virtual time."""
FINISHED = {"finished"}


@contextmanager
def child(server: ServerProcess, token: str, thinks: float) -> Iterator["Child"]:
    """A bot in a process of its own, which tells every decision that it sees."""
    with python("-c", CHILD, server.address, token, str(thinks)) as process:
        yield Child(process)


class Child:
    """A bot's process."""

    def __init__(self, process: object) -> None:
        self._process = process
        self.pid: int = process.pid  # type: ignore[attr-defined]

    async def decision(self) -> tuple[str, float]:
        """Waits for the next decision; gives its id, and the seconds left for it."""
        said = await asyncio.to_thread(line, self._process)  # type: ignore[arg-type]
        decision_id, remaining = said.split()
        return decision_id, float(remaining)


async def until_away(cup: Cup, bot: str) -> float:
    """Waits until a bot is not connected any more; gives the seconds that this took."""
    begun = time.monotonic()
    async with cup.client() as client:
        while any(known.name == bot and known.connected for known in await client.list_bots()):
            assert time.monotonic() - begun < 60.0
            await asyncio.sleep(0.01)
    return time.monotonic() - begun


@pytest.mark.case("RE-01", "P13", "P14")
async def test_a_bot_that_is_killed_and_started_again_gets_its_decision_with_what_is_left(
    tmp_path: Path,
) -> None:
    with ServerProcess(tmp_path / "data") as server:
        cup = Cup(server)
        await cup.begin("ann", "bob", limit=20.0, concurrency=1)
        async with WireBot(server.address, cup.tokens["bob"]):
            with child(server, cup.tokens["ann"], thinks=60.0) as first:
                asked, _ = await first.decision()
                begun = time.monotonic()
                os.kill(first.pid, signal.SIGKILL)
                assert await until_away(cup, "ann") < 1.0 * WIDER
            gone = time.monotonic() - begun  # at least; the decision was open before
            with child(server, cup.tokens["ann"], thinks=0.0) as second:
                again, left = await second.decision()
                assert again == asked
                assert 0.0 < left <= 20.0 - gone
                matches = await cup.over()
        assert {match.termination for match in matches} == FINISHED
        assert await cup.faults() == []


@pytest.mark.slow
@pytest.mark.case("RE-02")
async def test_a_frozen_bot_loses_by_the_clock_is_noticed_and_may_come_back(
    tmp_path: Path,
) -> None:
    with ServerProcess(tmp_path / "data") as server:
        cup = Cup(server)
        await cup.begin("ann", "bob", limit=0.5, matches=2, concurrency=1)
        async with WireBot(server.address, cup.tokens["bob"]) as bob:
            with child(server, cup.tokens["ann"], thinks=0.0) as ann:
                await ann.decision()
                os.kill(ann.pid, signal.SIGSTOP)
                frozen = time.monotonic()
                while not bob.results:  # the match went on without it
                    assert time.monotonic() - frozen < 5.0 * WIDER
                    await asyncio.sleep(0.05)
                await until_away(cup, "ann")
                assert time.monotonic() - frozen <= 16.0 + 4.0
                os.kill(ann.pid, signal.SIGCONT)
                matches = await cup.over()
        assert {match.termination for match in matches} <= {"forfeit", "finished", "absent"}
        assert {fault.bot for fault in await cup.faults()} == {"ann"}


@pytest.mark.slow
async def test_a_bot_that_answers_no_ping_while_it_thinks_loses_streams_but_no_decision(
    tmp_path: Path,
) -> None:
    """Stopped for 18 s, as a program whose network waits for its thinking."""
    with ServerProcess(tmp_path / "data") as server:
        cup = Cup(server)
        await cup.begin("ann", "bob", limit=60.0, concurrency=1)
        async with WireBot(server.address, cup.tokens["bob"]):
            with child(server, cup.tokens["ann"], thinks=0.1) as ann:
                asked, _ = await ann.decision()
                os.kill(ann.pid, signal.SIGSTOP)
                await until_away(cup, "ann")
                os.kill(ann.pid, signal.SIGCONT)
                seen = {asked}
                while len(seen) < 3:
                    seen.add((await ann.decision())[0])
                matches = await cup.over()
        assert {match.termination for match in matches} == FINISHED
        assert await cup.faults() == []


@pytest.mark.slow
@pytest.mark.case("RE-02")
async def test_a_connection_that_the_network_swallows_is_left_by_both_sides(
    tmp_path: Path,
) -> None:
    """Nothing gets through any more, and nobody says so: pings tell the bot and the server."""
    keepalive = (
        ("grpc.keepalive_time_ms", 10_000),
        ("grpc.keepalive_timeout_ms", 5_000),
        ("grpc.http2.ping_timeout_ms", 5_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
    )
    road = Road("127.0.0.1", 0)
    with ServerProcess(tmp_path / "data") as server:
        await road.open(int(server.address.rpartition(":")[2]))
        cup = Cup(server)
        await cup.begin("ann", "bob", limit=60.0, concurrency=1)
        address = f"127.0.0.1:{road.port}"
        ann = WireBot(address, cup.tokens["ann"], options=keepalive, thinks=lambda number: 1.0)
        async with ann, WireBot(server.address, cup.tokens["bob"]):
            await ann.asked.wait()
            road.freeze()
            frozen = time.monotonic()
            while ann.streams < 2:
                assert time.monotonic() - frozen <= 16.0 + 10.0
                await asyncio.sleep(0.1)
            print(f"back after {time.monotonic() - frozen:.1f} s")
            ann.thinks = lambda number: 0.0
            matches = await cup.over()
        assert {match.termination for match in matches} == FINISHED
        assert await cup.faults() == []
        await road.close()


@asynccontextmanager
async def many(
    cup: Cup, server: ServerProcess, *names: str, thinks: float = 0.0
) -> AsyncIterator[list[WireBot]]:
    """Bots that are all here, and think for some seconds at each decision."""
    async with AsyncExitStack() as stack:
        bots = [
            WireBot(server.address, cup.tokens[name], thinks=lambda number: thinks)
            for name in names
        ]
        for bot in bots:
            await stack.enter_async_context(bot)
        yield bots


@pytest.mark.slow
@pytest.mark.case("P23", "RE-05")
async def test_five_hundred_reconnects_in_ten_seconds_forfeit_nothing(tmp_path: Path) -> None:
    names = [f"bot-{number:02}" for number in range(32)]
    chance = random.Random(7)
    with ServerProcess(tmp_path / "data") as server:
        cup = Cup(server)
        await cup.begin(*names, limit=10.0, matches=64, concurrency=16)
        async with many(cup, server, *names, thinks=0.2) as bots:
            begun = time.monotonic()
            for number in range(500):
                chance.choice(bots).drop()
                await asyncio.sleep(max(0.0, begun + number * 0.02 - time.monotonic()))
            took = time.monotonic() - begun
            for bot in bots:
                bot.thinks = lambda number: 0.0
            matches = await cup.over()
        print(f"500 reconnects in {took:.1f} s, {sum(bot.streams for bot in bots)} streams")
        assert sum(bot.streams for bot in bots) >= 400
        assert {match.termination for match in matches} == FINISHED
        assert await cup.faults() == []


@pytest.mark.slow
@pytest.mark.case("SE-08")
async def test_twenty_programs_with_one_token_are_one_bot_and_its_match_goes_on(
    tmp_path: Path,
) -> None:
    with ServerProcess(tmp_path / "data") as server:
        cup = Cup(server)
        await cup.begin("ann", "bob", limit=5.0, concurrency=1)
        crowd = [WireBot(server.address, cup.tokens["ann"]) for _ in range(20)]
        async with AsyncExitStack() as stack:
            for bot in crowd:  # all at once: they race for the place, again and again
                stack.push_async_exit(bot)
                bot.come()
            await stack.enter_async_context(WireBot(server.address, cup.tokens["bob"]))
            matches = await cup.over()
            async with cup.client() as client:
                here = [bot.name for bot in await client.list_bots() if bot.connected]
        ends = {code for bot in crowd for code in bot.ends}
        assert {match.termination for match in matches} == FINISHED
        assert here == ["ann", "bob"]
        assert sum(bot.streams for bot in crowd) <= 1 + 3 + 3  # takeovers of a minute, and some
        assert ends <= {grpc.StatusCode.ABORTED, grpc.StatusCode.RESOURCE_EXHAUSTED}


@pytest.mark.slow
@pytest.mark.case("TO-06")
async def test_bots_that_never_read_cost_memory_within_bounds_and_nobody_else_anything(
    tmp_path: Path,
) -> None:
    deaf = [f"deaf-{number}" for number in range(6)]
    good = [f"good-{number}" for number in range(4)]
    with ServerProcess(tmp_path / "data") as server:
        cup = Cup(server)
        await cup.begin(*deaf, *good, limit=0.3, concurrency=32, join_timeout={"seconds": 2})
        async with AsyncExitStack() as stack:
            for name in (*deaf, *good):
                bot = WireBot(server.address, cup.tokens[name], concurrency=8)
                bot.reads_until = 20 if name in deaf else sys.maxsize
                await stack.enter_async_context(bot)
            before = memory(server.pid)
            matches = await cup.over()
            grown = memory(server.pid) - before
        print(f"6 bots that do not read: {grown:.1f} MiB more in memory")
        assert grown <= 6 * 1.0 + 24.0  # the tournament's own matches included
        faults = await cup.faults()
        assert {fault.bot for fault in faults} <= set(deaf)
        among = [m for m in matches if not {seat.bot for seat in m.seats} & set(deaf)]
        assert {match.termination for match in among} == FINISHED


@pytest.mark.case("CR-01", "P64")
async def test_a_clean_shutdown_does_not_wait_for_a_client_that_never_reads(
    tmp_path: Path,
) -> None:
    names = [f"bot-{number:02}" for number in range(20)]
    with ServerProcess(tmp_path / "data") as server:
        cup = Cup(server)
        await cup.begin(*names, rounds=1)
        async with many(cup, server, *names) as bots:
            bots[0].reads_until = 0
            begun = time.monotonic()
            assert await asyncio.to_thread(server.terminate) == 0
            took = time.monotonic() - begun
    print(f"exit after {took:.1f} s")
    assert took <= 10.0


@pytest.mark.slow
@pytest.mark.case("CR-01", "P64")
async def test_matches_that_do_not_end_are_void_within_ten_seconds_and_played_again(
    tmp_path: Path,
) -> None:
    with ServerProcess(tmp_path / "data", free_port(), "--drain", "8") as server:
        cup = Cup(server)
        await cup.begin("ann", "bob", limit=60.0, concurrency=1)
        async with many(cup, server, "ann", "bob", thinks=50.0) as (ann, bob):
            await ann.asked.wait()
            begun = time.monotonic()
            assert await asyncio.to_thread(server.terminate) == 0
            took = time.monotonic() - begun
            ann.thinks = bob.thinks = lambda number: 0.0
            await asyncio.to_thread(server.start)
            matches = await cup.over()
    print(f"exit after {took:.1f} s")
    assert 8.0 <= took <= 10.0 + 1.0
    assert [(match.termination, match.attempt) for match in matches] == [
        ("finished", 2),
        ("finished", 1),
    ]
    assert bot_pb2.TERMINATION_VOID in ann.results
