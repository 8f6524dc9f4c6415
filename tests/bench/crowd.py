"""Bots in a process of their own, for benches of one server: neighbours, idlers, attackers.

    python -m tests.bench.crowd KIND HOST:PORT TOKENS [ATTACK]

KIND is `play` (they answer at once), `idle` (they stay and do nothing) or `attack`. Prints
`here` once all are connected, then one JSON line for every line on standard input.
"""

import asyncio
import contextlib
import itertools
import json
import os
import socket
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc

from saurodrome.bot.v1 import bot_pb2, bot_pb2_grpc
from saurodrome.server.observer import Observer
from saurodrome.server.session.stalls import StallMeter

OPTIONS = (("grpc.use_local_subchannel_pool", 1),)


class Seat:
    """A bot that answers at once and keeps its own time of everything.

    Attributes:
        turns: Seconds from each reply to the decision behind it.
        late: Of decisions that timed out, the seconds from arrival to reply by this bot's clock
            (None where it had not replied when it was told), and the longest time for which this
            process stood still in the half second before.
    """

    def __init__(self, stalls: StallMeter) -> None:
        """Has seen nothing."""
        self._stalls = stalls
        self.turns: list[float] = []
        self.late: list[tuple[float | None, float]] = []
        self.decisions = 0
        self.here = asyncio.Event()
        self._replied: dict[str, float] = {}
        self._last: dict[str, float] = {}

    async def play(self, address: str, token: str) -> None:
        """Plays until the stream ends."""
        now = asyncio.get_running_loop().time
        async with grpc.aio.insecure_channel(address, options=OPTIONS) as channel:
            call = await hello(channel, token)
            async for frame in call:
                arrived = now()
                kind = frame.WhichOneof("frame")
                if kind == "decision":
                    await self._answer(call, frame.decision, arrived, now)
                elif kind == "match_started":
                    ready = bot_pb2.Ready(
                        match_id=frame.match_started.match_id, attempt=frame.match_started.attempt
                    )
                    await call.write(bot_pb2.PlayRequest(ready=ready))
                elif kind == "verdict" and frame.verdict.kind == bot_pb2.Verdict.KIND_TIMED_OUT:
                    stood = self._stalls.longest(arrived - 0.5, arrived)
                    self.late.append((self._replied.get(frame.verdict.decision_id), stood))
                elif kind == "welcome":
                    self.here.set()

    async def _answer(
        self, call: Any, decision: bot_pb2.Decision, arrived: float, now: Callable[[], float]
    ) -> None:
        self.decisions += 1
        if decision.match_id in self._last:
            self.turns.append(arrived - self._last[decision.match_id])
        legal = decision.legal_actions
        took = now() - arrived
        reply = bot_pb2.Reply(
            decision_id=decision.decision_id,
            action_id=legal[len(legal) // 2].id,
            thought_us=max(1, round(took * 1e6)),
        )
        self._replied[decision.decision_id] = took
        if len(self._replied) > 64:
            del self._replied[next(iter(self._replied))]
        self._last = {decision.match_id: now()}
        await call.write(bot_pb2.PlayRequest(reply=reply))


async def hello(channel: grpc.aio.Channel, token: str) -> Any:
    """Opens a stream and says hello."""
    stub = bot_pb2_grpc.BotServiceStub(channel)
    call = stub.Play(metadata=(("authorization", f"Bearer {token}"),))
    await call.write(bot_pb2.PlayRequest(hello=bot_pb2.Hello(bot_version="1", sdk="bench")))
    return call


async def idle(address: str, token: str, here: asyncio.Event) -> None:
    """Stays and does nothing."""
    async with grpc.aio.insecure_channel(address, options=OPTIONS) as channel:
        async for _ in await hello(channel, token):
            here.set()


# attacks: each does one round, again and again


async def surplus(address: str, token: str) -> None:
    """Replies to decisions that never were, until the stream is cut."""
    async with grpc.aio.insecure_channel(address, options=OPTIONS) as channel:
        call = await hello(channel, token)
        for number in range(200):
            reply = bot_pb2.Reply(decision_id=f"{number:016x}", note="x" * 2_000)
            await call.write(bot_pb2.PlayRequest(reply=reply))


async def reopen(address: str, token: str) -> None:
    """Opens a stream and leaves it."""
    async with grpc.aio.insecure_channel(address, options=OPTIONS) as channel:
        (await hello(channel, token)).cancel()


async def garbage(address: str, token: str) -> None:
    """Sends a whole frame of bytes that are no message."""
    async with grpc.aio.insecure_channel(address, options=OPTIONS) as channel:
        call: Any = channel.stream_stream("/saurodrome.bot.v1.BotService/Play")(
            metadata=(("authorization", f"Bearer {token}"),)
        )
        await call.write(b"\xff" * 65_000)
        await call.read()


async def logins(address: str, token: str) -> None:
    """Calls with a wrong token."""
    async with grpc.aio.insecure_channel(address, options=OPTIONS) as channel:
        call: Any = channel.unary_unary("/saurodrome.bot.v1.BotService/ListGames")
        for _ in range(50):
            await call(b"", metadata=(("authorization", "Bearer wrong"),)).code()


async def calls(address: str, token: str) -> None:
    """Asks for the list of games."""
    async with grpc.aio.insecure_channel(address, options=OPTIONS) as channel:
        call: Any = channel.unary_unary("/saurodrome.bot.v1.BotService/ListGames")
        for _ in range(50):
            await call(b"", metadata=(("authorization", f"Bearer {token}"),)).code()


async def connects(address: str, token: str) -> None:
    """Opens connections and says nothing on them."""
    host, _, port = address.rpartition(":")
    with contextlib.ExitStack() as crowd:
        for _ in range(50):
            one = crowd.enter_context(socket.socket())
            one.setblocking(False)
            with contextlib.suppress(OSError):
                one.connect((host, int(port)))
        await asyncio.sleep(0.05)


ATTACKS: dict[str, Callable[[str, str], Awaitable[None]]] = {
    "surplus": surplus,
    "reopen": reopen,
    "garbage": garbage,
    "logins": logins,
    "calls": calls,
    "connects": connects,
}


async def attack(name: str, address: str, token: str, counter: "itertools.count[int]") -> None:
    """Attacks for ever; counts its rounds."""
    while True:
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError, TimeoutError):
            async with asyncio.timeout(2.0):
                await ATTACKS[name](address, token)
        next(counter)


async def main(kind: str, address: str, tokens: list[str], name: str = "") -> None:
    """Runs all of them until standard input ends."""
    seats: list[Seat] = []
    tasks: list[asyncio.Task[None]] = []
    rounds = itertools.count()
    stalls = StallMeter(Observer())
    stalls.start()
    for token in tokens:
        here = asyncio.Event()
        if kind == "play":
            seats.append(Seat(stalls))
            here = seats[-1].here
            tasks.append(asyncio.create_task(seats[-1].play(address, token)))
        elif kind == "idle":
            tasks.append(asyncio.create_task(idle(address, token, here)))
        else:
            tasks.append(asyncio.create_task(attack(name, address, token, rounds)))
            here.set()
        if len(tasks) % 50 == 0 or token is tokens[-1]:
            await here.wait()
    print("here", flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        turns = [turn for seat in seats for turn in seat.turns]
        late = [one for seat in seats for one in seat.late]
        told = {
            "decisions": sum(seat.decisions for seat in seats),
            "turns": turns,
            "late": late,
            "rounds": next(rounds),
        }
        for seat in seats:
            seat.turns.clear()
        print(json.dumps(told), flush=True)
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(
        main(sys.argv[1], sys.argv[2], Path(sys.argv[3]).read_text().split(), *sys.argv[4:])
    )
