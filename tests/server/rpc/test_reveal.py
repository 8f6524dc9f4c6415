"""Reveals over a real socket: all seats hear of a turn at nearly the same time."""

import asyncio
from pathlib import Path

import pytest

from saurodrome.bot.v1 import bot_pb2
from saurodrome.server.config import Config
from saurodrome.server.port import TimeControl
from tests.server.rpc.test_sealed_build import Stream
from tests.server.rpc.whole import Whole

pytestmark = pytest.mark.wire

SPREAD = 0.020
"""Seconds between the first and the last seat that hears of a turn, on an idle machine."""
WIDER = 5.0
NAMES = ("ann", "bob")


class Timed(Stream):
    """Notes when each decision arrives."""

    async def asked(self, decision: bot_pb2.Decision) -> None:
        """Note it, and answer."""
        self.arrived.append(asyncio.get_running_loop().time())
        await super().asked(decision)

    @property
    def arrived(self) -> list[float]:
        """Loop times."""
        times: list[float] = self.__dict__.setdefault("times", [])
        return times


@pytest.mark.case("HI-02")
async def test_both_seats_hear_of_a_turn_within_the_spread() -> None:
    async with Whole(Config(data=Path(), bots_port=0), seed=3) as whole:
        tokens = await whole.register(*NAMES)
        time = TimeControl(decision=5.0)
        await whole.begin("cup", "draftosaurus", "summer", *NAMES, time=time, concurrency=1)
        bots = [Timed(whole, tokens[name]) for name in NAMES]
        playing = [asyncio.create_task(bot.play()) for bot in bots]
        await asyncio.wait(playing)
        await whole.organiser.cancel("cup")
    turns = list(zip(*(bot.arrived for bot in bots), strict=False))
    spreads = sorted(max(turn) - min(turn) for turn in turns)
    print(f"{len(spreads)} turns, spread at most {1000 * spreads[-1]:.1f} ms")
    assert len(spreads) >= 20
    assert spreads[int(0.95 * len(spreads))] <= SPREAD * WIDER
