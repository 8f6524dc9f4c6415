"""The way to the arbiter that checks: it passes bytes on, breaks, freezes, closes and opens."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from saurodrome.server.cli.check.road import Road
from saurodrome.server.errors import Refused

pytestmark = pytest.mark.wire

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]
BRIEFLY = 0.2


@pytest.fixture
async def road() -> AsyncIterator[Road]:
    """A road to a server that says everything again."""

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(100):
            writer.write(piece)
        writer.close()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    made = Road("127.0.0.1", 0)
    await made.open(server.sockets[0].getsockname()[1])
    yield made
    await made.close()
    server.close()
    await asyncio.sleep(0.05)


async def enter(road: Road) -> Ends:
    return await asyncio.open_connection("127.0.0.1", road.port)


async def said_again(ends: Ends, text: bytes) -> bytes:
    """What comes back; nothing if the connection is broken."""
    reader, writer = ends
    try:
        writer.write(text)
        async with asyncio.timeout(5.0):
            return await reader.read(100)
    except ConnectionError:
        return b""


async def test_bytes_go_both_ways(road: Road) -> None:
    ends = await enter(road)
    assert await said_again(ends, b"hello") == b"hello"
    ends[1].close()


async def test_a_cut_ends_every_connection_and_new_ones_are_let_in(road: Road) -> None:
    old = await enter(road)
    assert await said_again(old, b"one") == b"one"
    road.cut()
    assert await said_again(old, b"two") == b""
    new = await enter(road)
    assert await said_again(new, b"three") == b"three"
    new[1].close()


async def test_a_frozen_connection_stays_open_and_carries_nothing(road: Road) -> None:
    old = await enter(road)
    assert await said_again(old, b"one") == b"one"
    road.freeze()
    old[1].write(b"two")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(BRIEFLY):
            await old[0].read(100)
    new = await enter(road)
    assert await said_again(new, b"three") == b"three"
    for _, writer in (old, new):
        writer.close()


async def test_a_closed_road_lets_nobody_in_until_it_is_opened_on_the_same_port(
    road: Road,
) -> None:
    port = road.port
    await road.close()
    with pytest.raises(ConnectionRefusedError):
        await enter(road)
    await road.open_again()
    assert road.port == port
    ends = await enter(road)
    assert await said_again(ends, b"back") == b"back"
    ends[1].close()


def test_a_port_that_somebody_has_is_refused(road: Road) -> None:
    with pytest.raises(Refused, match="PORT_IN_USE"):
        Road("127.0.0.1", road.port)
