"""What a bot may not know changes no byte of its frames before the reveal, nor logs and metrics.

The whole arbiter in virtual time with the codec of the wire: one run with the deal as it is, and
runs in which everything that one bot cannot know is drawn anew: the rival's hand, the bag, and
with them what the rival chooses.
"""

import asyncio
import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
import structlog

from saurodrome.bot.v1 import bot_pb2
from saurodrome.engine import registry
from saurodrome.engine.chance import Chance, FastChance
from saurodrome.engine.game import State
from saurodrome.server.frames import Decision, MatchStarted
from saurodrome.server.log.events import DebugLogObserver
from saurodrome.server.metrics import Metrics
from saurodrome.server.rpc.codec import Codec
from saurodrome.server.rpc.outbound import About, Encoder
from tests.sim.bots import Bot
from tests.sim.heard import Event
from tests.sim.loop import simulate, simulated
from tests.sim.trace import Frame
from tests.sim.transport import Way
from tests.sim.world import World

DEALS = range(1, 4)
encode = Encoder(About("1", 60))


class Wired(Bot):
    """Reads decisions as they are on the wire, and takes the last action after a while."""

    way = Way()

    def thinks(self, decision: Decision) -> float:
        """Return a hundredth of a second, whatever it is."""
        return 0.01

    def answer(self, decision: Decision) -> None:
        """Send the last action."""
        message = bot_pb2.Decision.FromString(decision.payload)
        self.reply(decision, message.legal_actions[-1].id)


class Run(NamedTuple):
    """One run until the first reveal.

    Attributes:
        seat: The seat of the bot that must not know.
        own: The bytes of all its frames.
        rivals: Those of the rival's.
        log: The arbiter's log, at debug.
        metrics: The arbiter's metrics.
    """

    seat: int
    own: list[bytes]
    rivals: list[bytes]
    log: str
    metrics: list[str]


def run(variant: str) -> Run:
    """Play until what was chosen first is shown."""

    async def main() -> Run:
        async with World(seed=5, codec_of=Codec) as world:
            await world.begin("ann", "bob", game=("draftosaurus", variant), concurrency=1)
            bots = [Wired(world, name) for name in ("ann", "bob")]
            await asyncio.sleep(0.1)
            await world.organiser.cancel("cup")
            for bot in bots:
                bot.stop()
            return until_the_reveal(world)

    return simulate(main())


def until_the_reveal(world: World) -> Run:
    """Cut a history where both have been asked a second time."""
    frames: dict[str, list[Any]] = {"ann": [], "bob": []}
    events: list[Event] = []
    asked = 0
    for line in world.trace.lines:
        match line:
            case Frame(_, bot, _, "out", frame):
                asked += isinstance(frame, Decision)
                if asked == 3:
                    break
                frames[bot].append(frame)
            case Event():
                events.append(line)
    seat = next(f.start.seat for f in frames["ann"] if isinstance(f, MatchStarted))
    own, rivals = ([encode(frame) for frame in frames[bot]] for bot in ("ann", "bob"))
    return Run(seat, own, rivals, logged(events), measured(events))


def logged(events: list[Event]) -> str:
    """Return what the log says of events."""
    with structlog.testing.capture_logs() as lines:
        log = DebugLogObserver(clock=lambda: 0.0)
        for event in events:
            if event.name != "restarted":
                getattr(log, event.name)(*event.args)
    return json.dumps(lines, default=repr)


def measured(events: list[Event]) -> list[str]:
    """Return what the metrics say of events, but for the process's own."""
    metrics = Metrics("1", lambda: 0.0)
    for event in events:
        if event.name != "restarted":
            getattr(metrics, event.name)(*event.args)
    lines = metrics.render().decode().splitlines()
    return [line for line in lines if line.startswith("saurodrome_") and "scrape" not in line]


@pytest.fixture
def redeal(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, int], None]:
    """Deal anew what a seat cannot know, from a seed."""
    kind = type(registry.get("draftosaurus"))
    dealt = kind.initial_state

    def use(seat: int, seed: int) -> None:
        def initial(self: Any, variant: str, players: int, chance: Chance, start: int = 0) -> State:
            state: State = dealt(self, variant, players, chance, start)
            return state.resample(seat, FastChance(seed))

        monkeypatch.setattr(kind, "initial_state", initial)

    return use


@pytest.mark.case("HI-02")
@pytest.mark.parametrize("variant", ["summer", "winter"])
def test_a_rivals_hand_and_choice_change_no_byte_no_line_and_no_count_before_the_reveal(
    variant: str, redeal: Callable[[int, int], None]
) -> None:
    as_dealt = run(variant)
    assert sum(b"ann" in frame for frame in as_dealt.own) >= 1
    others = []
    for seed in DEALS:
        redeal(as_dealt.seat, seed)
        others.append(run(variant))
    for other in others:
        assert other.own == as_dealt.own
        assert other.log == as_dealt.log
        assert other.metrics == as_dealt.metrics
    hidden = {tuple(other.rivals) for other in others}
    assert len(hidden) > 1  # the rival did see other hands


@simulated
async def test_decisions_of_a_turn_leave_in_the_same_instant() -> None:
    names = [f"bot-{number}" for number in range(5)]
    async with World(seed=2, codec_of=Codec) as world:
        await world.begin(*names, players=5, concurrency=1)
        bots = [Wired(world, name) for name in names]
        for number, bot in enumerate(bots):
            bot.thinks = lambda decision, number=number: 0.01 * number  # type: ignore[method-assign,misc]
        await asyncio.sleep(1.0)
        await world.organiser.cancel("cup")
        for bot in bots:
            bot.stop()
        frames = world.trace.frames()
    left: dict[str, list[tuple[float, str]]] = {name: [] for name in names}
    for frame in frames:
        if frame.direction == "out" and isinstance(frame.frame, Decision):
            left[frame.bot].append((frame.when, frame.frame.match_id))
    turns = list(zip(*left.values(), strict=False))
    assert len(turns) >= 12
    assert [turn for turn in turns if len(set(turn)) != 1] == []
