"""Clients that misuse connections: silence, garbage, bombs. The others must not notice."""

import asyncio
import os
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.server.rpc.arena import BOT_TOKEN, Arena, bearer

pytestmark = pytest.mark.wire

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def descriptors() -> int:
    """How many descriptors this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


async def ended(arena: Arena, data: bytes) -> float:
    """Seconds until the server ends a connection that sends only these bytes."""
    loop = asyncio.get_running_loop()
    reader, writer = await asyncio.open_connection("127.0.0.1", arena.server.port)
    start = loop.time()
    writer.write(data)
    with suppress(ConnectionError):
        while await reader.read(65_536):
            pass
    seconds = loop.time() - start
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()
    return seconds


@pytest.mark.case("PA-08")
@pytest.mark.slow
async def test_connections_that_say_nothing_are_ended_soon_and_leave_nothing(arena: Arena) -> None:
    await arena.channel.channel_ready()
    before = descriptors()
    kinds = [b""] * 40 + [PREFACE] * 10
    async with asyncio.timeout(30):
        took = await asyncio.gather(*(ended(arena, data) for data in kinds))
    assert max(took) <= 6
    await asyncio.sleep(2)
    assert descriptors() <= before


@pytest.mark.case("PA-08")
async def test_garbage_is_cut_at_once_and_bots_play_on(arena: Arena) -> None:
    async with asyncio.timeout(10):
        took = await asyncio.gather(*(ended(arena, os.urandom(200)) for _ in range(20)))
    assert max(took) < 5
    answer = await arena.unary("bot.v1.BotService/ListGames", token=BOT_TOKEN)
    assert answer


@pytest.mark.case("PA-09")
async def test_a_compression_bomb_is_refused(arena: Arena) -> None:
    bomb = b"\0" * 20_000_000
    assert len(zlib.compress(bomb)) < 65_536
    call: Any = arena.channel.stream_stream("/saurodrome.bot.v1.BotService/Play")
    made = call(metadata=bearer(BOT_TOKEN), compression=grpc.Compression.Gzip)
    with suppress(grpc.aio.AioRpcError):
        await made.write(bomb)
    assert await made.code() == grpc.StatusCode.RESOURCE_EXHAUSTED


@pytest.mark.case("PA-09")
async def test_a_flood_of_metadata_is_refused(arena: Arena) -> None:
    many = (*bearer(BOT_TOKEN), *((f"x-{n}", "value") for n in range(2_000)))
    made = arena.raw("stream_stream", "/saurodrome.bot.v1.BotService/Play")(metadata=many)
    assert await made.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
