"""Attempts: void by the arbiter's fault, played again with a new deal, given up after three."""

import asyncio
from collections import Counter

import pytest

from saurodrome.engine.game import Observation
from saurodrome.server.frames import Ended, MatchStarted
from saurodrome.server.port import FaultRule, TimeControl
from saurodrome.server.store.records import Attempts, Termination
from saurodrome.server.tournament.tournament import MAX_ATTEMPTS
from tests.sim.bots import Bot, Silent
from tests.sim.loop import simulated
from tests.sim.ports import PlainCodec
from tests.sim.world import World


class Brittle(PlainCodec):
    """A codec that fails now and then: a fault of the arbiter."""

    def __init__(self, *failures: int) -> None:
        """Fail at these calls, counted from 1."""
        self._failures = failures
        self._calls = 0

    def public(self, observation: Observation) -> bytes:
        """Encode, or fail."""
        self._calls += 1
        if self._calls in self._failures:
            raise ZeroDivisionError("a bug in a codec")
        return super().public(observation)


def brittle(*failures: int) -> World:
    """Return a world whose codec fails at these calls."""
    codec = Brittle(*failures)
    return World(codec_of=lambda game, variant: codec)


async def played_out(world: World, *names: str, rounds: int = 1, concurrency: int = 1) -> None:
    """Play a tournament of honest bots to its end."""
    await world.begin(*names, rounds=rounds, concurrency=concurrency)
    bots = [Bot(world, name) for name in names]
    await world.over()
    for bot in bots:
        bot.stop()


@simulated
async def test_a_void_attempt_is_followed_by_another_with_a_new_deal() -> None:
    async with brittle(3) as world:
        await played_out(world, "ann", "bob")
        results = await world.results()
        progress = await world.organiser.get("cup")
    assert [r.termination for r in results] == [Termination.FINISHED] * 2
    assert sorted(r.attempt for r in results) == [1, 2]
    assert (progress.void, progress.abandoned, progress.done) == (1, 0, 2)
    again = next(r for r in results if r.attempt == 2)
    started = [
        (frame.start.attempt, frame.start.commitment)
        for line in world.trace.frames()
        if isinstance(frame := line.frame, MatchStarted)
        if frame.start.match_id == again.match_id
    ]
    assert len(set(started)) == 2
    assert len({commitment for _, commitment in started}) == 2


@simulated
async def test_bots_are_told_that_a_try_was_void_and_why() -> None:
    async with brittle(1) as world:
        await played_out(world, "ann", "bob")
        told = [
            (line.bot, line.frame.end.termination, line.frame.end.reason)
            for line in world.trace.frames()
            if isinstance(line.frame, Ended)
            if line.frame.end.termination == "void"
        ]
    reason = "error in the arbiter: ZeroDivisionError"
    assert sorted(told) == [("ann", "void", reason), ("bob", "void", reason)]
    assert len(world.trace.all("match_void")) == 1
    assert len(world.trace.all("error")) == 1


@simulated
async def test_after_three_void_attempts_a_match_is_abandoned_and_the_tournament_ends() -> None:
    async with brittle(1, 2, 3) as world:
        await played_out(world, "ann", "bob")
        results = await world.results()
        progress = await world.organiser.get("cup")
        table = await world.organiser.standings("cup")
    assert MAX_ATTEMPTS == 3
    terminations = Counter(r.termination for r in results)
    assert terminations == {Termination.ABANDONED: 1, Termination.FINISHED: 1}
    assert (progress.void, progress.abandoned, progress.done, progress.running) == (3, 1, 2, 0)
    given_up = next(r for r in results if r.termination is Termination.ABANDONED)
    assert all(s.elo_before == s.elo_after and not s.rated for s in given_up.seats)
    assert table.progress.abandoned == 1
    assert sum(row.matches for row in table.rows) == 2


@simulated
async def test_what_is_to_be_given_up_while_it_is_cancelled_is_not_played_for_ever() -> None:
    async with brittle(1, 2, 3) as world:
        await world.begin("ann", "bob", concurrency=1)
        bots = [Bot(world, name) for name in ("ann", "bob")]
        for _ in range(10_000):
            if len(world.trace.all("match_started")) == MAX_ATTEMPTS:
                break
            await asyncio.sleep(0.0005)
        await world.organiser.pause("cup")
        await asyncio.sleep(5.0)
        paused = await world.organiser.get("cup")
        assert (paused.void, paused.running, paused.abandoned) == (3, 1, 0)  # decided once it runs
        assert (await world.organiser.cancel("cup")).running == 0
        await asyncio.sleep(100.0)
        assert world.organiser.latest(1)[0].running == 0
        for bot in bots:
            bot.stop()


@simulated
async def test_two_void_attempts_are_forgiven() -> None:
    async with brittle(1, 2) as world:
        await played_out(world, "ann", "bob")
        assert {r.termination for r in await world.results()} == {Termination.FINISHED}


@simulated
async def test_the_arbiters_long_stalls_make_a_match_void_and_charge_nobody() -> None:
    """A silent bot would time out; but the loop stands still in its decision, twice."""
    async with World() as world:
        time = TimeControl(ready=2.0, decision=0.5, margin=0.0)
        faults = FaultRule(strikes_in_a_row=1)
        await world.begin("ann", "bob", time=time, faults=faults, concurrency=1)
        begun = world.loop.time()
        bots = [Bot(world, "ann"), Silent(world, "bob")]
        for when in (0.2, 0.8):
            world.loop.stall_at(begun + when, 0.3)
        await world.over()
        results = await world.results()
        for bot in bots:
            bot.stop()
        reasons = [reason for *_, reason in world.trace.all("match_void")]
    assert len(reasons) == 1
    assert "stood still" in reasons[0]
    assert sorted(r.attempt for r in results) == [1, 2]
    assert {r.termination for r in results} == {Termination.FORFEIT}


@simulated
async def test_the_places_of_a_void_match_are_free_again() -> None:
    async with brittle(1, 5, 9, 14) as world:
        await played_out(world, "ann", "bob", "cyd", rounds=2)
        assert [world.lobby.playing(bot) for bot in ("ann", "bob", "cyd")] == [0, 0, 0]
        assert len(await world.results()) == 12


# restarts


@pytest.mark.case("CR-04")
@simulated
async def test_a_restart_makes_what_was_in_flight_void_and_deals_anew() -> None:
    async with World() as world:
        names = ("ann", "bob")
        await world.begin(*names, rounds=3, concurrency=1, time=TimeControl(decision=1.0))
        bots = [Bot(world, name) for name in names]
        bots[0].thinks = lambda decision: 0.1  # type: ignore[method-assign]
        await asyncio.sleep(0.5)
        assert await world.disk.store.attempts("cup") == {flying(world): Attempts(1, 0)}
        match_id = flying(world)
        await world.crash()
        assert await world.disk.store.attempts("cup") == {match_id: Attempts(1, 1)}
        await world.over()
        results = await world.results()
        for bot in bots:
            bot.stop()
    assert [r.termination for r in results] == [Termination.FINISHED] * 6
    assert {r.match_id: r.attempt for r in results}[match_id] == 2
    deals = [world.played[match_id, 2].deal, world.trace.dealt[match_id, 1]]
    assert deals[0].secret != deals[1].secret


def flying(world: World) -> str:
    """Return the id of the match that began last."""
    return str(world.trace.all("match_started")[-1][1])


@simulated
async def test_finished_matches_are_kept_by_a_crash_and_none_is_played_twice() -> None:
    async with World() as world:
        names = ("ann", "bob", "cyd")
        await world.begin(*names, rounds=5, concurrency=2)
        bots = [Bot(world, name) for name in names]
        for _ in range(6):
            await asyncio.sleep(0.25)
            before = await world.results()
            await world.crash()
            assert (await world.results())[: len(before)] == before
        await world.over()
        results = await world.results()
        for bot in bots:
            bot.stop()
    assert len(results) == len({r.match_id for r in results}) == 30
    assert [r.position for r in results] == list(range(1, 31))
    begun = [(m, a) for _, m, a, _ in world.trace.all("match_started")]
    assert len(begun) == len(set(begun))


@simulated
async def test_after_a_restart_bots_have_their_ready_budget_again() -> None:
    async with World() as world:
        names = ("ann", "bob")
        await world.begin(*names, time=TimeControl(ready=5.0, decision=0.5), join_timeout=30.0)
        bots = [Bot(world, name) for name in names]
        for bot in bots:
            bot.loads = 4.0
        await asyncio.sleep(3.0)
        await world.crash()
        await world.over()
        results = await world.results()
        for bot in bots:
            bot.stop()
    assert {r.termination for r in results} == {Termination.FINISHED}
    assert {r.attempt for r in results} <= {1, 2}


@simulated
async def test_a_restart_in_order_lets_matches_end() -> None:
    async with World() as world:
        names = ("ann", "bob")
        await world.begin(*names, rounds=4, concurrency=1)
        bots = [Bot(world, name) for name in names]
        await asyncio.sleep(0.35)
        await world.restart()
        await world.over()
        results = await world.results()
        for bot in bots:
            bot.stop()
    assert world.trace.all("match_void") == []
    assert {r.attempt for r in results} == {1}


@simulated
async def test_restarts_are_no_reason_to_give_a_match_up() -> None:
    async with World() as world:
        names = ("ann", "bob")
        await world.begin(*names, time=TimeControl(ready=60.0), join_timeout=600.0)
        bots = [Bot(world, name) for name in names]
        for bot in bots:
            bot.loads = 2.0
        for _ in range(2 * MAX_ATTEMPTS):
            await asyncio.sleep(1.0)
            await world.crash()
        await world.over()
        results = await world.results()
        for bot in bots:
            bot.stop()
    assert {r.termination for r in results} == {Termination.FINISHED}
    assert max(r.attempt for r in results) > MAX_ATTEMPTS
