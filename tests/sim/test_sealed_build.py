"""Build of Duelosaur Island over the arbiter: until the reveal nothing tells of the opponent.

Frames are compared as the bytes that go over the wire, with the times at which they arrive.
"""

import asyncio
from collections.abc import Callable

import pytest

from saurodrome.bot.v1 import bot_pb2
from saurodrome.games.duelosaur.v1 import duelosaur_pb2 as pb
from saurodrome.server.frames import Decision, Ended, Hello, Outbound, Reply
from saurodrome.server.port import TimeControl
from saurodrome.server.rpc.codec import Codec
from saurodrome.server.rpc.outbound import About, Encoder
from tests.sim.bots import Bot
from tests.sim.loop import simulate
from tests.sim.world import World

GAME = ("duelosaur", "short")
TIME = TimeControl(ready=2.0, decision=0.2, margin=0.02, sealed=1.0)
Heard = list[tuple[float, bytes]]
ENCODE = Encoder(About("1", 60))


def asked(decision: Decision) -> bot_pb2.Decision:
    """Return what a decision's payload says."""
    return bot_pb2.Decision.FromString(decision.payload)


def builds(decision: Decision) -> bool:
    """Tell whether a decision is a step of the first Build."""
    seen = asked(decision).duelosaur
    return seen.phase == pb.PHASE_BUILD and seen.round == 1


class Builder(Bot):
    """Always takes the last action, which in Build is a step for as long as there is one."""

    hello = Hello("1", "sim", {}, 1)

    def answer(self, decision: Decision) -> None:
        """Send the last action."""
        self.reply(decision, asked(decision).legal_actions[-1].id)


class Listener(Builder):
    """Writes down, as bytes, all frames of its match until the first Build is revealed."""

    def __init__(self, world: World, name: str) -> None:
        """Begin to listen."""
        self.heard: Heard = []
        self.revealed = asyncio.Event()
        self.build_frames = 0
        super().__init__(world, name)

    def hears(self, frame: Outbound) -> None:
        """Write it down."""
        shown = isinstance(frame, Decision) and asked(frame).duelosaur.scripts
        if shown or isinstance(frame, Ended):
            self.revealed.set()
        if not self.revealed.is_set():
            self.heard.append((round(self.world.loop.time(), 9), ENCODE(frame)))
            self.build_frames += isinstance(frame, Decision) and builds(frame)
        super().hears(frame)


class Rival(Builder):
    """Plays as the listener does, but builds in its own way."""

    def __init__(self, world: World, name: str, way: "Way") -> None:
        """Take a way to build."""
        self.way_to_build = way
        self.steps: set[str] = set()
        super().__init__(world, name)

    def asked(self, decision: Decision) -> None:
        """Answer, in the first Build by its way; steps that come again are no new ones."""
        if not builds(decision):
            super().asked(decision)
        elif decision.decision_id not in self.steps:
            self.steps.add(decision.decision_id)
            self.way_to_build(self, decision)

    def done(self, decision: Decision) -> None:
        """End its Build; a colour that is asked for comes first."""
        self.reply(decision, asked(decision).legal_actions[0].id)

    def one_step(self, decision: Decision) -> None:
        """Do the last step there is, then end."""
        (self.answer if len(self.steps) == 1 else self.done)(decision)

    def blunder(self, decision: Decision) -> None:
        """Send an illegal reply before the last step."""
        self.send(Reply(decision.decision_id, 10**6))
        self.later(0.02, self.answer, decision)

    def drop(self, decision: Decision) -> None:
        """Break the connection once, and answer what comes then."""
        if len(self.steps) > 1 or not self.peer:
            self.answer(decision)
            return
        self.steps.clear()
        self.returns_after = 0.05
        self.way_to_build = Rival.answer
        self.peer.drop(0.01)


Way = Callable[[Rival, Decision], None]

WAYS: dict[str, Way] = {
    "every step": Rival.answer,
    "done at once": Rival.done,
    "one step": Rival.one_step,
    "slowly": lambda bot, decision: bot.later(0.1, bot.answer, decision),
    "blunders": Rival.blunder,
    "only illegal": lambda bot, decision: bot.send(*[Reply(decision.decision_id, -1)] * 3),
    "silent": lambda bot, decision: None,
    "drops": Rival.drop,
}


def listen(way: str) -> tuple[Heard, int, float, int]:
    """Return what one hears until the reveal, its steps, the time of the reveal, their steps."""

    async def main() -> tuple[Heard, int, float, int]:
        async with World(seed=3, codec_of=Codec) as world:
            await world.begin("ann", "bob", game=GAME, concurrency=1, time=TIME)
            ann, bob = Listener(world, "ann"), Rival(world, "bob", WAYS[way])
            await ann.revealed.wait()
            revealed = world.loop.time()
            await world.organiser.cancel("cup")
            for bot in (ann, bob):
                bot.stop()
            return ann.heard, ann.build_frames, revealed, len(bob.steps)

    return simulate(main())


@pytest.fixture(scope="module")
def usual() -> tuple[Heard, int, float, int]:
    return listen("every step")


@pytest.mark.parametrize("way", list(WAYS)[1:])
def test_no_byte_count_order_or_time_tells_how_the_opponent_builds(
    way: str, usual: tuple[Heard, int, float, int]
) -> None:
    heard, steps, _, _ = listen(way)
    assert steps == usual[1] >= 3
    assert heard == usual[0]


def test_the_ways_to_build_differ_in_what_they_do_and_how_long_they_take(
    usual: tuple[Heard, int, float, int],
) -> None:
    _, _, revealed, steps = usual
    assert steps >= 3
    assert listen("done at once")[3] == 1
    assert listen("slowly")[2] > revealed + 0.1
    # A silent one is done when its time for the whole phase is over, and not step by step.
    _, _, late, asked_once = listen("silent")
    assert asked_once == 1
    assert late == pytest.approx(revealed + TIME.sealed + TIME.margin, abs=0.3)
