"""Every tournament ends, whatever its bots are like, and each end has its own label."""

import asyncio

import pytest

from saurodrome.server.frames import Decision, Hello
from saurodrome.server.port import TimeControl
from saurodrome.server.store.records import Termination
from tests.sim import invariants
from tests.sim.bots import (
    HABITS,
    Bot,
    Elsewhere,
    Illegal,
    Late,
    NeverReady,
    Silent,
)
from tests.sim.cups import stop
from tests.sim.loop import simulated
from tests.sim.world import TIME, World

PAIR = ("ann", "bob")


@pytest.mark.parametrize("kind", HABITS, ids=lambda kind: kind.__name__)
@simulated
async def test_a_tournament_ends_with_every_kind_of_bot_in_it(kind: type[Bot]) -> None:
    async with World() as world:
        cup = await world.begin(*PAIR, rounds=4)
        bots = [Bot(world, "ann"), kind(world, "bob")]
        progress = await world.over()
        stop(bots)
        await asyncio.sleep(5.0)
        await invariants.check(world, cup)
    assert progress.done == progress.total == 8


@pytest.mark.parametrize("kind", HABITS, ids=lambda kind: kind.__name__)
@simulated
async def test_a_tournament_ends_with_nothing_but_one_kind_of_bot(kind: type[Bot]) -> None:
    async with World() as world:
        names = ("ann", "bob", "cyd")
        cup = await world.begin(*names, players=3)
        bots = [kind(world, name) for name in names]
        await world.over()
        stop(bots)
        await asyncio.sleep(5.0)
        await invariants.check(world, cup)


class Stubborn(Illegal):
    """Gives nothing but illegal answers."""

    def answer(self, decision: Decision) -> None:
        """Give as many as are taken."""
        for _ in range(3):
            self.reply(decision, None)


class Forgetful(NeverReady):
    """Never gets ready at all."""

    def now_and_then(self, share: float) -> bool:
        """Never."""
        return False


class AlwaysLate(Late):
    """Answers a moment too late."""

    def thinks(self, decision: Decision) -> float:
        """Return a little more than there is."""
        return TIME.decision + TIME.margin + 0.01


LABELS = {
    Bot: (Termination.FINISHED, None),
    Silent: (Termination.FORFEIT, "TIMED_OUT"),
    AlwaysLate: (Termination.FORFEIT, "TIMED_OUT"),
    Stubborn: (Termination.FORFEIT, "ILLEGAL"),
    Forgetful: (Termination.ABSENT, "NOT_READY"),
    Elsewhere: (Termination.ABSENT, "ABSENT"),
}


@pytest.mark.parametrize("kind", LABELS, ids=lambda kind: kind.__name__)
@simulated
async def test_each_end_has_its_own_label_and_is_charged_to_its_owner(kind: type[Bot]) -> None:
    termination, fault_kind = LABELS[kind]
    async with World() as world:
        await world.begin(*PAIR, concurrency=1)
        bots = [Bot(world, "ann"), kind(world, "bob")]
        await world.over()
        stop(bots)
        results = await world.results()
        faults = [fault for _, fault in await world.disk.store.faults("cup")]
    assert {result.termination for result in results} == {termination}
    assert {fault.kind for fault in faults} == ({fault_kind} if fault_kind else set())
    assert {fault.bot for fault in faults} <= {"bob"}
    for fault in faults:
        assert fault.took >= fault.limit or fault.kind == "ILLEGAL"
        assert fault.counted_as
    if termination is not Termination.FINISHED:
        for result in results:
            assert {s.bot: s.placement for s in result.seats} == {"ann": 1, "bob": 2}


@pytest.mark.case("TO-01", "P8")
@simulated
async def test_no_decision_of_a_silent_bot_waits_longer_than_its_limit_and_margin() -> None:
    async with World() as world:
        await world.begin(*PAIR, concurrency=1)
        bots = [Bot(world, "ann"), Silent(world, "bob")]
        begun = world.loop.time()
        await world.over()
        took = world.loop.time() - begun
        stop(bots)
    matches, decisions = 2, 3
    assert took <= matches * decisions * (TIME.decision + TIME.margin) + 1.0


@pytest.mark.case("RE-05")
@simulated
async def test_a_storm_of_reconnects_costs_nobody_a_match_when_there_is_time() -> None:
    names = tuple(f"bot-{number}" for number in range(16))
    async with World() as world:
        time = TimeControl(ready=20.0, decision=5.0)
        cup = await world.begin(*names, matches=64, time=time, join_timeout=30.0)
        bots = [Bot(world, name) for name in names]
        for _ in range(5):
            await asyncio.sleep(0.05)
            world.cut_all(notice=0.1)
        await world.over()
        stop(bots)
        results = await world.results()
        await asyncio.sleep(1.0)
        await invariants.check(world, cup)
    assert {result.termination for result in results} == {Termination.FINISHED}
    assert sum(seat.timeouts for result in results for seat in result.seats) == 0


@pytest.mark.case("P18")
@simulated
async def test_thinking_for_a_minute_without_a_frame_is_nobodys_loss() -> None:
    async with World() as world:
        time = TimeControl(decision=90.0)
        await world.begin(*PAIR, time=time, matches=0, concurrency=2)
        bots = [Bot(world, name) for name in PAIR]
        thought = iter([60.0])
        bots[0].hello = Hello("1", "sim", {}, 2)
        bots[0].thinks = lambda decision: next(thought, 0.001)  # type: ignore[method-assign]
        await world.over()
        stop(bots)
        results = await world.results()
    assert {result.termination for result in results} == {Termination.FINISHED}
    assert sum(seat.timeouts for result in results for seat in result.seats) == 0


@pytest.mark.case("P20")
@simulated
async def test_a_rivals_clock_does_not_feel_a_lost_connection() -> None:
    """Simultaneous choice: one bot drops and returns, the other is charged what it took."""
    async with World() as world:
        await world.begin(*PAIR, concurrency=1)
        ann, bob = bots = [Bot(world, name) for name in PAIR]
        bob.thinks = lambda decision: 0.15  # type: ignore[method-assign]
        ann.way = bob.way = ann.way._replace(slowest=0.0)
        await asyncio.sleep(0.05)
        assert ann.peer is not None
        ann.peer.drop(0.01)
        await world.over()
        stop(bots)
        closed = world.trace.all("decision_closed")
    charges = [answer.charged for bot, _, _, answer, _ in closed if bot == "bob"]
    assert charges == [pytest.approx(0.15)] * len(charges)
    assert len(charges) > 5
