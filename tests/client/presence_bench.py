"""A presence on the bench: streams led by a test, in a world where only waiting takes time."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client import (
    Decision,
    Event,
    ServerError,
    Status,
    strategy_of,
)
from saurodrome.client._presence import Presence
from saurodrome.client._session import Session
from saurodrome.client.testing import match
from saurodrome.client.testing._arbiter import ended


class Pipe:
    """A stream whose server side is led by the test."""

    def __init__(self) -> None:
        self.down: asyncio.Queue[bot_pb2.PlayResponse | ServerError | None] = asyncio.Queue()
        self.up: asyncio.Queue[bot_pb2.PlayRequest] = asyncio.Queue()
        self.closed = False

    async def recv(self) -> bot_pb2.PlayResponse | None:
        item = await self.down.get()
        if isinstance(item, ServerError):
            raise item
        return item

    async def send(self, frame: bot_pb2.PlayRequest, /) -> None:
        self.up.put_nowait(frame)

    async def close(self) -> None:
        self.closed = True

    def welcome(self, open_matches: int = 0) -> None:
        welcome = bot_pb2.Welcome(bot="rex", open_matches=open_matches)
        self.down.put_nowait(bot_pb2.PlayResponse(welcome=welcome))

    def start(self) -> None:
        self.down.put_nowait(bot_pb2.PlayResponse(match_started=match().message))

    def ask(self, asked: Decision) -> None:
        self.down.put_nowait(bot_pb2.PlayResponse(decision=asked.message))

    def end_match(self) -> None:
        self.down.put_nowait(bot_pb2.PlayResponse(match_ended=ended(match(), (1, 2))))

    def end(self, error: ServerError | None = None) -> None:
        self.down.put_nowait(error)

    async def sent(self) -> bot_pb2.PlayRequest:
        return await self.up.get()


class World:
    """A presence in a world where time passes only when it waits."""

    def __init__(
        self,
        choose: Callable[[Decision], object] = lambda d: 3,
        *,
        give_up_after: float | None = None,
        strict: bool = False,
        matches: int | None = None,
        explained: ServerError | None = None,
    ) -> None:
        self.now = 0.0
        self.waits: list[float] = []
        self.events: list[Event] = []
        self.connected: list[bool] = []
        self.pipes: asyncio.Queue[Pipe] = asyncio.Queue()
        self.explained = explained
        self.presence = Presence(
            strategy_of(choose),
            lambda host: Session(
                host, bot_pb2.Hello(), server="arena:7741", matches=matches, strict=strict
            ),
            self._connect,
            workers=1,
            explain=self._explain,
            on_event=self._told,
            last_decision=Path("last.decision"),
            give_up_after=give_up_after,
            clock=lambda: self.now,
            sleep=self._sleep,
        )

    def _connect(self) -> Pipe:
        pipe = Pipe()
        self.pipes.put_nowait(pipe)
        return pipe

    async def _explain(self, error: ServerError) -> ServerError:
        return self.explained or error

    def _told(self, event: Event, status: Status) -> None:
        self.events.append(event)
        self.connected.append(status.connected)

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)
