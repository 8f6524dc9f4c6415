"""Bots that speak the protocol without any client, for tests of what happens on the wire."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

import grpc

from saurodrome.bot.v1 import bot_pb2, bot_pb2_grpc
from saurodrome.client.tournaments import AsyncTournamentClient, Fault, Match, TournamentSettings
from tests.e2e.processes import ServerProcess

OPTIONS = (("grpc.use_local_subchannel_pool", 1),)
BACK_AFTER = 0.05


class Seen(NamedTuple):
    """A decision as a bot saw it: the loop time of its arrival, its id, the seconds left."""

    when: float
    decision_id: str
    remaining: float


class WireBot:
    """Answers at once with the middle one of the legal actions, and comes back after any end.

    Attributes:
        seen: Every decision that came.
        ends: How each stream ended that was not dropped.
        results: Terminations of matches that ended while it was here, or before.
        streams: How many streams were welcomed.
        thinks: Seconds to think, by the number of the decision.
        reads_until: Decisions after which it reads no more.
    """

    def __init__(
        self,
        address: str,
        token: str,
        *,
        concurrency: int = 1,
        options: Sequence[tuple[str, Any]] = (),
        thinks: Callable[[int], float] = lambda number: 0.0,
    ) -> None:
        """Does not come yet.

        Args:
            address: The server.
            token: The bot's.
            concurrency: Matches at once.
            options: Of the channel, beyond the usual ones.
            thinks: Seconds to think, by the number of the decision.
        """
        self.address = address
        self.seen: list[Seen] = []
        self.ends: list[grpc.StatusCode] = []
        self.results: list[int] = []
        self.streams = 0
        self.welcomed = asyncio.Event()
        self.asked = asyncio.Event()
        self.reads_until = sys.maxsize
        self._token = token
        self._hello = bot_pb2.Hello(bot_version="1", sdk="test", max_concurrent_matches=concurrency)
        self._options = (*OPTIONS, *options)
        self.thinks = thinks
        self._task: asyncio.Task[None] | None = None
        self._current: asyncio.Task[None] | None = None
        self._thoughts: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        """Comes, and waits until it is welcome."""
        self.come()
        await self.welcomed.wait()
        return self

    def come(self) -> None:
        """Comes, without waiting."""
        self._task = asyncio.create_task(self._stay())

    async def __aexit__(self, *_: object) -> None:
        """Goes."""
        for task in (self._task, *self._thoughts):
            if task is not None:
                task.cancel()
        await asyncio.gather(self._task, *self._thoughts, return_exceptions=True)  # type: ignore[arg-type]

    def drop(self) -> None:
        """Breaks the present connection; it comes back by itself."""
        if self._current is not None:
            self._current.cancel()

    async def _stay(self) -> None:
        while True:
            async with grpc.aio.insecure_channel(self.address, options=self._options) as channel:
                stub = bot_pb2_grpc.BotServiceStub(channel)
                self._current = asyncio.create_task(self._stream(stub))
                try:
                    await asyncio.wait({self._current})
                finally:
                    self._current.cancel()
            await asyncio.sleep(BACK_AFTER)

    async def _stream(self, stub: bot_pb2_grpc.BotServiceStub) -> None:
        call = stub.Play(metadata=(("authorization", f"Bearer {self._token}"),))
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await call.write(bot_pb2.PlayRequest(hello=self._hello))
            async for frame in call:
                await self._take(call, frame)
                if len(self.seen) >= self.reads_until:
                    await asyncio.Event().wait()
        self.ends.append(await call.code())

    async def _take(self, call: Any, frame: bot_pb2.PlayResponse) -> None:
        match frame.WhichOneof("frame"):
            case "welcome":
                self.streams += 1
                self.welcomed.set()
                self.results += [end.termination for end in frame.welcome.missed_results]
            case "match_started" if not frame.match_started.ready:
                started = frame.match_started
                ready = bot_pb2.Ready(match_id=started.match_id, attempt=started.attempt)
                await call.write(bot_pb2.PlayRequest(ready=ready))
            case "match_ended":
                self.results.append(frame.match_ended.termination)
            case "decision":
                await self._decide(call, frame.decision)

    async def _decide(self, call: Any, decision: bot_pb2.Decision) -> None:
        now = asyncio.get_running_loop().time()
        left = decision.remaining.ToNanoseconds() / 1e9
        thought = self.thinks(len(self.seen))
        self.seen.append(Seen(now, decision.decision_id, left))
        self.asked.set()
        if thought:
            task = asyncio.create_task(self._later(thought, call, decision))
            self._thoughts.add(task)
            task.add_done_callback(self._thoughts.discard)
        else:
            await self._answer(call, decision)

    async def _later(self, seconds: float, call: Any, decision: bot_pb2.Decision) -> None:
        await asyncio.sleep(seconds)
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await self._answer(call, decision)

    async def _answer(self, call: Any, decision: bot_pb2.Decision) -> None:
        legal = decision.legal_actions
        reply = bot_pb2.Reply(decision_id=decision.decision_id, action_id=legal[len(legal) // 2].id)
        await call.write(bot_pb2.PlayRequest(reply=reply))


class Cup:
    """A tournament on a server in a process of its own."""

    def __init__(self, server: ServerProcess) -> None:
        """Has nobody registered yet."""
        self._server = server
        self.tokens: dict[str, str] = {}

    def client(self) -> AsyncTournamentClient:
        """An organiser's client."""
        return AsyncTournamentClient(
            server=self._server.address, token_file=self._server.admin_token
        )

    async def begin(
        self, *bots: str, name: str = "cup", limit: float = 1.0, margin: float = 0.05, **more: Any
    ) -> None:
        """Registers the bots, makes a tournament for tables of two, and starts it."""
        settings = TournamentSettings(
            name=name, game="draftosaurus", variant="summer", players=2, bots=bots, **more
        )
        settings.decision_time.FromNanoseconds(round(limit * 1e9))
        settings.margin.FromNanoseconds(round(margin * 1e9))
        async with self.client() as client:
            for bot in bots:
                if bot not in self.tokens:
                    self.tokens[bot] = (await client.register_bot(bot)).token
            await client.create(settings)
            await client.start(name)

    async def over(self, name: str = "cup") -> list[Match]:
        """Waits for the end; gives the results."""
        async with self.client() as client:
            async for _ in client.watch(name):
                pass
            return [match async for match in client.matches(name)]

    async def faults(self, name: str = "cup") -> list[Fault]:
        """The faults of the tournament so far."""
        async with self.client() as client:
            return [fault async for fault in client.faults(name)]


def memory(pid: int) -> float:
    """MiB of a process in memory; Linux only."""
    text = Path(f"/proc/{pid}/status").read_text()
    return int(text.partition("VmRSS:")[2].split()[0]) / 1024


def descriptors(pid: int) -> int:
    """How many descriptors a process has open; Linux only."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))
