"""Calls are counted by how they truly ended, and frames pass by untouched."""

import asyncio
import sys
from typing import Any

import grpc
import pytest

from saurodrome.server.observer import Observer
from saurodrome.server.rpc.meter import UNKNOWN, Meter
from tests.server.rpc.arena import BOT_TOKEN, Arena, bearer, refusal

PLAY = ("bidi_stream", "saurodrome.bot.v1.BotService", "Play")
GAMES = ("unary", "saurodrome.bot.v1.BotService", "ListGames")


class Calls(Observer):
    """Remembers calls."""

    def __init__(self) -> None:
        self.began: list[tuple[str, str, str]] = []
        self.ended: list[tuple[tuple[str, str, str], str]] = []
        self.first, self.all = asyncio.Event(), asyncio.Event()

    def call_began(self, method: tuple[str, str, str]) -> None:
        self.began.append(method)
        self.first.set()
        self.all.clear()

    def call_ended(self, method: tuple[str, str, str], status: str, seconds: float) -> None:
        assert seconds >= 0
        self.ended.append((method, status))
        if len(self.ended) == len(self.began):
            self.all.set()

    async def all_ended(self) -> list[tuple[tuple[str, str, str], str]]:
        """The calls, once as many have ended as began."""
        async with asyncio.timeout(10):
            await self.all.wait()
        return self.ended


@pytest.fixture
def calls(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Who hears of the arena's calls."""
    heard = Calls()
    for event in ("call_began", "call_ended"):
        monkeypatch.setattr(arena.observer, event, getattr(heard, event))
    return heard


async def test_an_answer_is_ok_and_a_refusal_has_its_status(arena: Arena, calls: Calls) -> None:
    await arena.unary("bot.v1.BotService/ListGames", token=BOT_TOKEN)
    await refusal(arena.unary("bot.v1.BotService/ListGames", token="wrong"))
    assert await calls.all_ended() == [(GAMES, "OK"), (GAMES, "UNAUTHENTICATED")]


async def test_a_mistake_of_the_server_is_internal(
    arena: Arena, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(arena.gate, "script", broken)
    stream = arena.play()
    assert await stream.code() == grpc.StatusCode.INTERNAL
    assert await calls.all_ended() == [(PLAY, "INTERNAL")]


async def test_names_of_methods_that_do_not_exist_are_not_kept(arena: Arena, calls: Calls) -> None:
    await refusal(arena.unary("bot.v1.BotService/Cheat"))
    await refusal(arena.unary("bot.v1.Evil/Cheat2"))
    assert await calls.all_ended() == [(UNKNOWN, "UNIMPLEMENTED")] * 2


async def test_a_stream_that_its_caller_ends_in_order_is_ok(arena: Arena, calls: Calls) -> None:
    stream = arena.play()
    await stream.done_writing()
    assert await stream.code() == grpc.StatusCode.OK
    assert await calls.all_ended() == [(PLAY, "OK")]


@pytest.mark.parametrize("how", ["cancel", "close"])
async def test_a_caller_that_lets_go_is_not_ok(arena: Arena, calls: Calls, how: str) -> None:
    channel = arena.connect()
    stream: Any = channel.stream_stream("/saurodrome.bot.v1.BotService/Play")(
        metadata=bearer(BOT_TOKEN)
    )
    await stream.wait_for_connection()
    await calls.first.wait()
    if how == "cancel":
        stream.cancel()
    await channel.close()
    assert await calls.all_ended() == [(PLAY, "CANCELLED")]


@pytest.mark.wire
async def test_a_caller_that_is_killed_is_not_ok(arena: Arena, calls: Calls) -> None:
    program = (
        "import asyncio, grpc, sys\n"
        "async def main():\n"
        "    async with grpc.aio.insecure_channel(sys.argv[1]) as channel:\n"
        "        play = channel.stream_stream('/saurodrome.bot.v1.BotService/Play')\n"
        "        await play(metadata=(('authorization', sys.argv[2]),)).read()\n"
        "asyncio.run(main())\n"
    )
    address = f"127.0.0.1:{arena.server.port}"
    command = [sys.executable, "-c", program, address, f"Bearer {BOT_TOKEN}"]
    bot = await asyncio.create_subprocess_exec(*command)
    async with asyncio.timeout(30):
        await calls.first.wait()
    bot.kill()
    assert await calls.all_ended() == [(PLAY, "CANCELLED")]
    await bot.wait()


async def test_a_handler_gets_its_own_frames_and_context() -> None:
    passed: list[object] = []

    async def play(request: Any, context: Any) -> None:
        passed.extend((request, context))

    class Context:
        def code(self) -> int:
            return 0

    async def find(_: object) -> Any:
        return grpc.stream_stream_rpc_method_handler(play)

    details: Any = type("Details", (), {"method": "/saurodrome.bot.v1.BotService/Play"})()
    handler: Any = await Meter(Calls()).intercept_service(find, details)
    frames, context = object(), Context()
    await handler.stream_stream(frames, context)
    assert passed == [frames, context]
