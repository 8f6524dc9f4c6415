"""A stream that is closed while a frame is still being written: its status arrives all the same."""

import asyncio
from contextlib import suppress

import grpc
import pytest

from saurodrome.bot.v1 import bot_pb2
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.frames import Transport, Welcome
from saurodrome.server.rpc.play import MAX_STREAMS
from tests.server.rpc.arena import Arena

pytestmark = pytest.mark.wire

HELLO = bot_pb2.PlayRequest(hello=bot_pb2.Hello(sdk="test")).SerializeToString()
REFUSAL = Refused(Kind.WRONG_STATE, "HELLO_TWICE", "A second hello came.", "Play", "send one")


async def ending(call: grpc.aio.StreamStreamCall[bytes, bytes]) -> grpc.StatusCode:
    """Reads all frames, then the status behind them."""
    with suppress(grpc.aio.AioRpcError):
        while await call.read() is not grpc.aio.EOF:
            pass
    return await call.code()


@pytest.mark.parametrize("turns", range(4))
async def test_a_refusal_right_behind_a_frame_reaches_the_peer(arena: Arena, turns: int) -> None:
    async def script(transport: Transport) -> None:
        await transport.recv()
        writing = asyncio.create_task(transport.send(Welcome("ada", 4, (), 0)))
        for _ in range(turns):
            await asyncio.sleep(0)
        transport.close(REFUSAL)
        with suppress(ConnectionError):
            await writing

    arena.gate.script = script
    call = arena.play()
    await call.write(HELLO)
    async with asyncio.timeout(10.0):
        assert await ending(call) == grpc.StatusCode.FAILED_PRECONDITION


async def test_streams_that_end_at_once_leave_none_behind(arena: Arena) -> None:
    async def script(transport: Transport) -> None:
        await transport.recv()
        writing = asyncio.create_task(transport.send(Welcome("ada", 4, (), 0)))
        await asyncio.sleep(0)
        transport.close(None)
        with suppress(ConnectionError):
            await writing

    arena.gate.script = script
    for _ in range(20):
        call = arena.play()
        await call.write(HELLO)
        async with asyncio.timeout(10.0):
            assert await ending(call) == grpc.StatusCode.OK


async def test_one_bot_has_only_so_many_streams_and_others_have_theirs(arena: Arena) -> None:
    async def script(transport: Transport) -> None:
        await transport.recv()
        await transport.recv()

    arena.gate.script = script
    calls = [arena.play() for _ in range(MAX_STREAMS)]
    for call in calls:
        await call.write(HELLO)
    await asyncio.sleep(0.3)
    refused = arena.play()
    async with asyncio.timeout(10.0):
        assert await ending(refused) == grpc.StatusCode.RESOURCE_EXHAUSTED
    for call in calls:
        call.cancel()
    await asyncio.sleep(0.3)
    again = arena.play()
    await again.write(HELLO)
    await again.done_writing()
    async with asyncio.timeout(10.0):
        assert await ending(again) == grpc.StatusCode.OK
