"""Streams of bots over a real socket, before a fake gate."""

import asyncio

import grpc
import pytest

from saurodrome.bot.v1 import bot_pb2
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.frames import (
    MAX_FRAME_BYTES,
    Draining,
    Hello,
    Reply,
    Transport,
    Welcome,
)
from saurodrome.server.rpc import play
from tests.server.rpc.arena import Arena, told

pytestmark = pytest.mark.wire

HELLO = bot_pb2.PlayRequest(hello=bot_pb2.Hello(sdk="test")).SerializeToString()
REFUSAL = Refused(Kind.SUPERSEDED, "SUPERSEDED", "A newer stream took over.", "Play", "stop")


def reply(note: int) -> bytes:
    """A reply frame with a note of that many characters."""
    body = bot_pb2.Reply(decision_id="d", action_id=1, note="x" * note)
    return bot_pb2.PlayRequest(reply=body).SerializeToString()


def reply_of(size: int) -> bytes:
    """A reply frame of exactly that many bytes."""
    frame = reply(size - (len(reply(60_000)) - 60_000))
    frame = frame if len(frame) == size else reply(size - (len(reply(3_000_000)) - 3_000_000))
    assert len(frame) == size
    return frame


async def test_frames_go_both_ways_under_the_name_that_the_token_has(arena: Arena) -> None:
    seen: list[object] = []

    async def script(transport: Transport) -> None:
        seen.append(await transport.recv())
        await transport.send(Welcome("ada", 4, (), 0))
        seen.append(await transport.recv())
        seen.append(await transport.recv())

    arena.gate.script = script
    call = arena.play()
    await call.write(HELLO)
    answer = bot_pb2.PlayResponse.FromString(await call.read())
    await call.done_writing()
    assert await call.code() == grpc.StatusCode.OK
    assert seen == [Hello(sdk="test"), None, None]
    assert arena.gate.bots == ["ada"]
    assert answer.welcome.bot == "ada"
    assert answer.welcome.server_version == "1.2.3"
    assert answer.welcome.limits.max_frame_bytes == 65_536
    assert answer.welcome.limits.max_surplus_frames == 60


@pytest.mark.case("PA-02", "P47")
@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xff\xff\xff\xff",
        reply(100)[:-2],
        b"\x1a\x04\x0a\x02\xff\xfe",  # reply with a decision id that is no UTF-8
        b"\x0b" * 1000,
    ],
    ids=["garbage", "truncated", "bad UTF-8", "nested"],
)
async def test_malformed_bytes_end_the_stream_without_any_name_of_python(
    arena: Arena, data: bytes
) -> None:
    call = arena.play()
    await call.write(data)
    end = await told(call)
    assert (end.code, end.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")
    assert not any(word in end.details for word in ("Error", "class", "google", "Exception"))
    assert arena.observer.codes == ["MALFORMED"]


@pytest.mark.case("PA-02")
@pytest.mark.parametrize("data", [b"", b"\xa2\x06\x01x"], ids=["empty", "unknown field"])
async def test_a_message_without_a_frame_is_refused(arena: Arena, data: bytes) -> None:
    call = arena.play()
    await call.write(data)
    end = await told(call)
    assert (end.code, end.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "EMPTY_FRAME")


@pytest.mark.case("PA-01", "P65")
@pytest.mark.parametrize("size", [MAX_FRAME_BYTES + 1, 5 * 1024 * 1024])
async def test_a_frame_above_the_limit_ends_its_own_stream_alone(arena: Arena, size: int) -> None:
    other = arena.play()
    await other.write(HELLO)
    call = arena.play()
    await call.write(reply_of(size))
    assert await call.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
    await other.done_writing()
    assert await other.code() == grpc.StatusCode.OK


@pytest.mark.case("PA-01")
async def test_a_frame_at_the_limit_is_taken_and_its_note_cut(arena: Arena) -> None:
    got: list[object] = []

    async def script(transport: Transport) -> None:
        got.append(await transport.recv())

    arena.gate.script = script
    call = arena.play()
    await call.write(reply_of(MAX_FRAME_BYTES))
    assert await call.code() == grpc.StatusCode.OK
    assert got == [Reply("d", 1, "x" * 2000)]


@pytest.mark.parametrize("raised", [False, True], ids=["closed", "raised"])
async def test_a_refusal_arrives_with_its_reason_and_what_to_do(arena: Arena, raised: bool) -> None:
    async def script(transport: Transport) -> None:
        await transport.recv()
        if raised:
            raise REFUSAL
        transport.close(REFUSAL)
        transport.close(None)
        assert await transport.recv() is None
        with pytest.raises(ConnectionError):
            await transport.send(Draining(1.0, ""))

    arena.gate.script = script
    call = arena.play()
    await call.write(HELLO)
    end = await told(call)
    assert end.code == grpc.StatusCode.ABORTED
    assert (end.reason, end.domain) == ("SUPERSEDED", "saurodrome")
    assert (end.where, end.do) == ("Play", "stop")
    assert arena.observer.codes == ["SUPERSEDED"]


async def test_a_mistake_of_the_server_shows_an_id_and_nothing_else(
    arena: Arena, capsys: pytest.CaptureFixture[str]
) -> None:
    async def script(transport: Transport) -> None:
        raise ValueError("the secret of the deal")

    arena.gate.script = script
    end = await told(arena.play())
    assert (end.code, end.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
    assert "secret" not in end.details
    incident = end.details.split("id ")[1][:8]
    assert incident in capsys.readouterr().out


@pytest.mark.parametrize("how", ["cancelled", "half-closed"])
async def test_a_peer_that_goes_is_the_end_for_reader_and_writer(arena: Arena, how: str) -> None:
    ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def script(transport: Transport) -> None:
        assert isinstance(await transport.recv(), Hello)
        await transport.send(Draining(1.0, ""))
        assert await transport.recv() is None
        assert await transport.recv() is None
        if how == "cancelled":
            with pytest.raises(ConnectionError):
                await transport.send(Draining(1.0, ""))
        ended.set_result("well")

    arena.gate.script = script
    call = arena.play()
    await call.write(HELLO)
    await call.read()
    if how == "cancelled":
        call.cancel()
    else:
        await call.done_writing()
    assert await asyncio.wait_for(ended, 5) == "well"


async def test_closing_frees_a_reader_at_once_and_the_call_soon_after(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The peer never reads, so a write blocks and the status cannot leave either."""
    monkeypatch.setattr(play, "CLOSE_LIMIT", 0.1)
    freed: asyncio.Future[object] = asyncio.get_running_loop().create_future()

    async def fill(transport: Transport) -> None:
        while True:
            await transport.send(Draining(1.0, "x" * 60_000))

    async def script(transport: Transport) -> None:
        writer = asyncio.create_task(fill(transport))
        asyncio.get_running_loop().call_later(0.5, transport.close, REFUSAL)
        frame = await transport.recv()
        assert not writer.done()
        assert not arena.gate.handlers[0].done()
        writer.cancel()
        freed.set_result(frame)

    arena.gate.script = script
    call = arena.play()
    assert await asyncio.wait_for(freed, 5) is None
    await asyncio.sleep(0.5)
    assert arena.gate.handlers[0].done()
    call.cancel()


async def test_a_task_cancelled_from_outside_stays_cancelled(arena: Arena) -> None:
    outcome: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    async def script(transport: Transport) -> None:
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().call_soon(task.cancel)
        try:
            await transport.recv()
        finally:
            outcome.set_result(task.cancelling() > 0)

    arena.gate.script = script
    arena.play()
    assert await asyncio.wait_for(outcome, 5) is True
