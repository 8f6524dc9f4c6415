"""A decision's clock starts behind encoding and stops before decoding: those are the arbiter's."""

import asyncio
import time
from typing import Any

import pytest

from saurodrome.bot.v1 import bot_pb2
from saurodrome.server.frames import Draining, Inbound, Outbound
from saurodrome.server.rpc import inbound
from saurodrome.server.rpc.transport import GrpcTransport

WORK = 0.02


class Call:
    """A gRPC call whose peer has sent one frame."""

    def __init__(self) -> None:
        self.written_at = 0.0
        self.asked_at = 0.0

    async def read(self) -> bytes:
        self.asked_at = asyncio.get_running_loop().time()
        reply = bot_pb2.Reply(decision_id="d", action_id=1, thought_us=2_500)
        return bot_pb2.PlayRequest(reply=reply).SerializeToString()

    async def write(self, data: bytes) -> None:
        self.written_at = asyncio.get_running_loop().time()


class Decision:
    """What is stamped."""

    written: float | None = None


def encode_slowly(frame: Outbound) -> bytes:
    time.sleep(WORK)
    return b""


def transport(call: Any) -> GrpcTransport:
    return GrpcTransport(call, encode_slowly)  # type: ignore[arg-type]


async def test_the_write_is_stamped_when_the_bytes_are_made() -> None:
    call, decision = Call(), Decision()
    begun = asyncio.get_running_loop().time()
    await transport(call).send(Draining(1.0, ""), decision)
    assert decision.written is not None
    assert begun + WORK <= decision.written <= call.written_at


async def test_a_write_that_was_stamped_is_not_stamped_again() -> None:
    decision = Decision()
    decision.written = 5.0
    await transport(Call()).send(Draining(1.0, ""), decision)
    assert decision.written == 5.0


async def test_the_read_is_stamped_before_the_bytes_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parse = inbound.parse

    def parse_slowly(data: bytes) -> Inbound:
        time.sleep(WORK)
        return parse(data)

    monkeypatch.setattr(inbound, "parse", parse_slowly)
    call = Call()
    stream = transport(call)
    frame = await stream.recv()
    now = asyncio.get_running_loop().time()
    assert call.asked_at <= stream.read_at <= now - WORK
    assert frame is not None
    assert getattr(frame, "thought", None) == 0.0025
