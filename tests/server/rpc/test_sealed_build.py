"""Build over a real socket: the frames of one bot until the reveal, whatever the other does.

Raw streams, no client library. Of a bot's own frames only its own times differ from run to run,
so these are blanked; that times tell nothing either is shown in virtual time, in tests/sim.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from saurodrome.bot.v1 import bot_pb2
from saurodrome.games.duelosaur.v1 import duelosaur_pb2 as pb
from saurodrome.server.config import Config
from saurodrome.server.port import TimeControl
from tests.server.rpc.arena import bearer
from tests.server.rpc.whole import Whole

pytestmark = pytest.mark.wire

TIME = TimeControl(ready=5.0, decision=5.0, margin=0.5, sealed=5.0)
SHORT = TIME._replace(sealed=0.4, margin=0.1)
"""For a rival that lets the whole phase go by."""


class Stream:
    """A bot in plain gRPC that always takes the last action."""

    def __init__(self, whole: Whole, token: str) -> None:
        """Connect and say hello."""
        self._channel = whole.channel()
        method: Any = self._channel.stream_stream("/saurodrome.bot.v1.BotService/Play")
        self.call = method(metadata=bearer(token))
        self.frames: list[bytes] = []

    async def play(self) -> None:
        """Answer until the match is over."""
        await self.send(hello=bot_pb2.Hello(sdk="raw"))
        async for data in self.call:
            self.frames.append(data)
            frame = bot_pb2.PlayResponse.FromString(data)
            if frame.HasField("match_started"):
                started = frame.match_started
                ready = bot_pb2.Ready(match_id=started.match_id, attempt=started.attempt)
                await self.send(ready=ready)
            elif frame.HasField("decision"):
                await self.asked(frame.decision)
            elif frame.HasField("match_ended"):
                break
        self.call.cancel()
        await self._channel.close()

    async def asked(self, decision: bot_pb2.Decision) -> None:
        """Take the last action."""
        await self.reply(decision, decision.legal_actions[-1].id)

    async def reply(self, decision: bot_pb2.Decision, action: int) -> None:
        """Answer."""
        said = bot_pb2.Reply(decision_id=decision.decision_id, action_id=action)
        await self.send(reply=said)

    async def send(self, **frame: Any) -> None:
        """Send a frame."""
        await self.call.write(bot_pb2.PlayRequest(**frame).SerializeToString())


Way = Callable[[Stream, bot_pb2.Decision], Awaitable[None]]


async def every_step(bot: Stream, decision: bot_pb2.Decision) -> None:
    await bot.reply(decision, decision.legal_actions[-1].id)


async def done(bot: Stream, decision: bot_pb2.Decision) -> None:
    await bot.reply(decision, decision.legal_actions[0].id)


async def slowly(bot: Stream, decision: bot_pb2.Decision) -> None:
    await asyncio.sleep(0.05)
    await every_step(bot, decision)


async def illegal(bot: Stream, decision: bot_pb2.Decision) -> None:
    for _ in range(3):
        await bot.reply(decision, 10**6)


async def silent(bot: Stream, decision: bot_pb2.Decision) -> None:
    pass


class Rival(Stream):
    """Builds in its own way, and takes the last action of everything else."""

    def __init__(self, whole: Whole, token: str, way: Way) -> None:
        """Take a way to build."""
        super().__init__(whole, token)
        self.way = way

    async def asked(self, decision: bot_pb2.Decision) -> None:
        """Answer."""
        first_build = decision.duelosaur.phase == pb.PHASE_BUILD and decision.duelosaur.round == 1
        await (self.way if first_build else every_step)(self, decision)


async def until_the_reveal(way: Way, time: TimeControl) -> list[bytes]:
    """What one bot hears until both Builds of round 1 are shown, its own times blanked."""
    async with Whole(Config(data=Path(), bots_port=0), seed=3) as whole:
        tokens = await whole.register("ann", "bob")
        await whole.begin("cup", "duelosaur", "short", "ann", "bob", time=time, concurrency=1)
        ann, bob = Stream(whole, tokens["ann"]), Rival(whole, tokens["bob"], way)
        playing = [asyncio.create_task(bot.play()) for bot in (ann, bob)]
        await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)
        await whole.organiser.cancel("cup")
        await asyncio.wait(playing)
        return blanked(ann.frames)


def blanked(frames: list[bytes]) -> list[bytes]:
    """Frames until the first that shows scripts, without the bot's own times."""
    kept = []
    for data in frames:
        frame = bot_pb2.PlayResponse.FromString(data)
        if frame.HasField("match_ended") or frame.decision.duelosaur.scripts:
            break
        if frame.HasField("decision"):
            frame.decision.ClearField("remaining")
            frame.decision.previous.ClearField("charged")
        kept.append(frame.SerializeToString(deterministic=True))
    return kept


@pytest.mark.parametrize(
    ("way", "time"),
    [(done, TIME), (slowly, TIME), (illegal, TIME), (silent, SHORT)],
    ids=["done at once", "slowly", "only illegal", "silent"],
)
async def test_what_a_bot_hears_until_the_reveal_is_the_same(way: Way, time: TimeControl) -> None:
    usual = await until_the_reveal(every_step, time)
    steps = [f for f in usual if bot_pb2.PlayResponse.FromString(f).decision.duelosaur.work.script]
    assert len(steps) >= 2
    assert await until_the_reveal(way, time) == usual
