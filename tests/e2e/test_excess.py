"""Too much of something: bytes, pings, logins, connections. The server stays, others play on."""

import asyncio
import json
import resource
import socket
import time
from collections import Counter
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import grpc
import pytest

from saurodrome.bot.v1 import bot_pb2
from tests.e2e.processes import ServerProcess
from tests.e2e.wirebots import OPTIONS, Cup, WireBot, descriptors, memory

pytestmark = pytest.mark.wire

PLAY = "/saurodrome.bot.v1.BotService/Play"
LIST = "/saurodrome.bot.v1.BotService/ListGames"


ENDS = {
    # 5 MiB in one frame
    bot_pb2.PlayRequest(
        reply=bot_pb2.Reply(note="x" * 5 * 2**20)
    ).SerializeToString(): grpc.StatusCode.RESOURCE_EXHAUSTED,
    b"\xff" * 100: grpc.StatusCode.INVALID_ARGUMENT,
    # thirty thousand empty replies in one frame, of which the last counts: an unknown decision
    b"\x1a\x00" * 30_000: grpc.StatusCode.OK,
}
"""How a stream ends on which such bytes are sent."""


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)


async def end_of(channel: grpc.aio.Channel, token: str, data: bytes) -> grpc.StatusCode:
    """How a stream ends on which some bytes are sent after the hello."""
    call: Any = channel.stream_stream(PLAY)(metadata=bearer(token))
    with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
        hello = bot_pb2.PlayRequest(hello=bot_pb2.Hello())
        await call.write(hello.SerializeToString())
        await call.write(data)
        await call.done_writing()
        while await call.read() is not grpc.aio.EOF:
            pass
    code: grpc.StatusCode = await call.code()
    return code


@pytest.mark.case("PA-01", "PA-02", "PA-09")
async def test_floods_and_garbage_cost_little_memory_and_no_other_bot(tmp_path: Path) -> None:
    options = [*OPTIONS, ("grpc.max_send_message_length", -1)]
    with ServerProcess(tmp_path / "data") as server:
        cup = Cup(server)
        await cup.begin("ann", "bob", limit=2.0, rounds=2)
        async with cup.client() as client:
            evil = (await client.register_bot("evil")).token
        async with (
            WireBot(server.address, cup.tokens["ann"]),
            WireBot(server.address, cup.tokens["bob"]),
        ):
            before = memory(server.pid)
            for data in (*ENDS,) * 3:
                async with grpc.aio.insecure_channel(server.address, options=options) as channel:
                    async with asyncio.timeout(10.0):
                        code = await end_of(channel, evil, data)
                    assert code is ENDS[data]
            grown = memory(server.pid) - before
            matches = await cup.over()
        print(f"{grown:.1f} MiB more in memory")
        assert grown < 16.0
        assert {match.termination for match in matches} == {"finished"}
        assert await cup.faults() == []


async def alive_for(server: ServerProcess, token: str, ping_ms: int, seconds: float) -> float:
    """Seconds until an idle bot that pings so often is cut; at most those given."""
    options = [
        *OPTIONS,
        ("grpc.keepalive_time_ms", ping_ms),
        ("grpc.keepalive_timeout_ms", 5_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
    ]
    begun = time.monotonic()
    async with grpc.aio.insecure_channel(server.address, options=options) as channel:
        call: Any = channel.stream_stream(PLAY)(metadata=bearer(token))
        await call.write(bot_pb2.PlayRequest(hello=bot_pb2.Hello()).SerializeToString())
        with suppress(grpc.aio.AioRpcError, TimeoutError):
            async with asyncio.timeout(seconds):
                while await call.read() is not grpc.aio.EOF:
                    pass
                assert "too many pings" in str(await call.details()).lower()
    return time.monotonic() - begun


@pytest.mark.slow
@pytest.mark.case("PA-08")
async def test_a_bot_that_pings_all_the_time_is_cut_and_one_that_pings_now_and_then_is_not(
    tmp_path: Path,
) -> None:
    with ServerProcess(tmp_path / "data") as server:
        cup = Cup(server)
        async with cup.client() as client:
            tokens = [(await client.register_bot(name)).token for name in ("hasty", "calm")]
        hasty, calm = await asyncio.gather(
            alive_for(server, tokens[0], 100, 40.0), alive_for(server, tokens[1], 10_000, 40.0)
        )
    print(f"cut after {hasty:.1f} s")
    assert hasty < 35.0
    assert calm >= 40.0


@pytest.mark.slow
@pytest.mark.case("P66")
async def test_ten_thousand_bad_logins_are_counted_and_fill_no_disk(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data") as server:
        cup = Cup(server)
        await cup.begin("ann", "bob", limit=2.0)
        async with (
            WireBot(server.address, cup.tokens["ann"]),
            WireBot(server.address, cup.tokens["bob"]),
            grpc.aio.insecure_channel(server.address, options=OPTIONS) as channel,
        ):
            codes: list[grpc.StatusCode] = []
            list_games: Any = channel.unary_unary(LIST)
            for _ in range(100):
                calls = [list_games(b"", metadata=bearer("x")) for _ in range(100)]
                codes += [await call.code() for call in calls]
            matches = await cup.over()
        log = tmp_path / "data" / "saurodrome.log"
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        size = sum(path.stat().st_size for path in (tmp_path / "data").iterdir())
    assert codes.count(grpc.StatusCode.UNAUTHENTICATED) < 100
    print(Counter(codes))  # some are refused by gRPC itself, before the guard sees them
    assert grpc.StatusCode.OK not in codes
    assert codes.count(grpc.StatusCode.RESOURCE_EXHAUSTED) > 2_000
    assert sum(line.get("code") == "LOGIN_ATTEMPTS" for line in lines) < 50
    assert size < 10 * 2**20
    assert {match.termination for match in matches} == {"finished"}


@pytest.mark.slow
@pytest.mark.case("LS-04")
async def test_more_connections_than_descriptors_end_no_match(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data") as server:
        cup = Cup(server)
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (96, 96))
        await cup.begin("ann", "bob", limit=5.0, rounds=8)
        host, _, port = server.address.rpartition(":")
        async with (
            WireBot(server.address, cup.tokens["ann"]) as ann,
            WireBot(server.address, cup.tokens["bob"]) as bob,
        ):
            ann.thinks = bob.thinks = lambda number: 0.005
            with ExitStack() as crowd:
                for _ in range(150):
                    one = crowd.enter_context(socket.socket())
                    one.setblocking(False)
                    with suppress(OSError):
                        one.connect((host, int(port)))
                await asyncio.sleep(1.0)
                print(f"{descriptors(server.pid)} of 96 descriptors in use")
                await asyncio.sleep(2.0)
            matches = await cup.over()
            begun = time.monotonic()
            ann.drop()
            while ann.streams < 2:
                assert time.monotonic() - begun < 3.0 * 5
                await asyncio.sleep(0.05)
        assert {match.termination for match in matches} == {"finished"}
        assert await cup.faults() == []
