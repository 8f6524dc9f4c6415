"""Bots that do not come: one wait, then forfeits as matches fall due, until they are back."""

import asyncio

import pytest

from saurodrome.server.store.records import Result, Termination
from tests.sim.bots import Bot, Elsewhere, Silent
from tests.sim.loop import simulated
from tests.sim.world import World

ABSENT, FINISHED = Termination.ABSENT, Termination.FINISHED
JOIN = 3.0
"""The join timeout of these tournaments, in seconds."""


def of(results: tuple[Result, ...], bot: str) -> list[Result]:
    """Return the results of one bot's matches."""
    return [result for result in results if any(seat.bot == bot for seat in result.seats)]


@simulated
async def test_nobody_forfeits_before_the_join_timeout() -> None:
    async with World() as world:
        await world.begin("ann", "bob")
        await asyncio.sleep(JOIN - 0.1)
        assert await world.results() == ()
        progress = await world.organiser.get("cup")
        assert progress.waiting_for == "2 of 2 bots not connected: ann, bob"


@simulated
async def test_a_bot_that_is_here_for_another_game_is_told_apart() -> None:
    async with World() as world:
        here = [Bot(world, "ann"), Elsewhere(world, "bob")]
        await world.begin("ann", "bob")
        await asyncio.sleep(JOIN / 2)
        progress = await world.organiser.get("cup")
        for bot in here:
            bot.stop()
    assert progress.waiting_for == "1 of 2 bots not connected: bob (for another game)"


@pytest.mark.case("P24b")
@simulated
async def test_a_bot_that_never_comes_forfeits_unrated_after_the_join_timeout() -> None:
    async with World() as world:
        await world.begin("ann", "bob")
        ann = Bot(world, "ann")
        await asyncio.sleep(JOIN + 1.5)
        results = await world.results()
        ann.stop()
    assert len(results) == 2
    for result in results:
        assert result.termination is ABSENT
        seats = {seat.bot: seat for seat in result.seats}
        assert (seats["ann"].placement, seats["bob"].placement) == (1, 2)
        assert (seats["ann"].absent, seats["bob"].absent) == (False, True)
        assert not any(seat.rated for seat in result.seats)
        assert all(seat.elo_before == seat.elo_after for seat in result.seats)


@pytest.mark.case("P21")
@simulated
async def test_one_absent_bot_costs_the_others_one_wait_and_no_more() -> None:
    async with World() as world:
        await world.begin("ann", "bob", "cyd", "dan")
        bots = [Bot(world, name) for name in ("ann", "bob", "cyd")]
        begun = world.loop.time()
        await world.over()
        took = world.loop.time() - begun
        results = await world.results()
        for bot in bots:
            bot.stop()
    assert took < JOIN + 3.0
    assert {r.termination for r in of(results, "dan")} == {ABSENT}
    others = [r for r in results if r not in of(results, "dan")]
    assert len(others) == 6
    assert {r.termination for r in others} == {FINISHED}


@simulated
async def test_matches_of_those_who_are_here_go_first() -> None:
    async with World() as world:
        await world.begin("ann", "bob", "cyd")
        bots = [Bot(world, name) for name in ("ann", "bob")]
        await asyncio.sleep(JOIN / 2)
        results = await world.results()
        for bot in bots:
            bot.stop()
    assert {r.termination for r in results} == {FINISHED}
    assert len(results) == 2


@pytest.mark.case("P44")
@simulated
async def test_if_nobody_comes_there_is_no_contest_and_the_tournament_ends() -> None:
    async with World() as world:
        await world.begin("ann", "bob", "cyd", players=3)
        progress = await world.over()
        results = await world.results()
    assert {r.termination for r in results} == {Termination.NO_CONTEST}
    assert progress.done == progress.total == len(results)


@simulated
async def test_a_bot_that_leaves_forfeits_what_falls_due_until_it_returns() -> None:
    async with World() as world:
        world.disk.takes = 0.02  # a forfeit takes no other time
        bots = ("ann", "bob")
        await world.begin(*bots, rounds=40, concurrency=1)
        here = [Bot(world, name) for name in bots]
        await asyncio.sleep(1.0)
        here[1].stop()
        await asyncio.sleep(JOIN + 1.0)
        forfeited = [r for r in await world.results() if r.termination is ABSENT]
        assert forfeited
        here[1] = Bot(world, "bob")
        await asyncio.sleep(1.0)
        later = (await world.results())[-1]
        for bot in here:
            bot.stop()
    assert later.termination is FINISHED


@simulated
async def test_a_short_loss_of_the_connection_forfeits_nothing() -> None:
    async with World() as world:
        bots = ("ann", "bob", "cyd", "dan")
        await world.begin(*bots)
        here = [Bot(world, name) for name in bots]
        await asyncio.sleep(0.3)
        world.cut_all(notice=0.1)
        await world.over()
        results = await world.results()
        for bot in here:
            bot.stop()
    assert {r.termination for r in results} == {FINISHED}


@simulated
async def test_absence_counts_from_the_start_of_the_tournament_and_not_of_the_server() -> None:
    async with World() as world:
        await asyncio.sleep(60.0)
        await world.begin("ann", "bob")
        await asyncio.sleep(JOIN - 0.1)
        assert await world.results() == ()
        await asyncio.sleep(1.5)
        assert len(await world.results()) == 2


@simulated
async def test_after_a_pause_absence_counts_anew() -> None:
    async with World() as world:
        await world.begin("ann", "bob", rounds=5, concurrency=1)
        await world.organiser.pause("cup")
        await asyncio.sleep(60.0)
        await world.organiser.resume("cup")
        await asyncio.sleep(JOIN - 0.1)
        assert await world.results() == ()


@simulated
async def test_a_bot_that_is_here_for_another_game_is_absent() -> None:
    async with World() as world:
        await world.begin("ann", "bob")
        here = [Bot(world, "ann"), Elsewhere(world, "bob")]
        await world.over()
        results = await world.results()
        for bot in here:
            bot.stop()
    assert {r.termination for r in results} == {ABSENT}


class Flapping(Elsewhere):
    """Connects for another game again and again, never long enough to be missed."""

    def come(self) -> None:
        """Come, and go a second later."""
        super().come()
        if self.peer:
            self.later(1.0, self.peer.drop)


@simulated
async def test_streams_for_another_game_do_not_hold_up_the_tournament() -> None:
    async with World() as world:
        await world.begin("ann", "bob")
        here = [Bot(world, "ann"), Flapping(world, "bob")]
        begun = world.loop.time()
        await world.over()
        took = world.loop.time() - begun
        for bot in here:
            bot.stop()
    assert took < JOIN + 2.0


@simulated
async def test_a_silent_bot_is_here_and_loses_by_the_clock() -> None:
    async with World() as world:
        await world.begin("ann", "bob")
        here = [Bot(world, "ann"), Silent(world, "bob")]
        await world.over()
        results = await world.results()
        for bot in here:
            bot.stop()
    assert {r.termination for r in results} == {Termination.FORFEIT}
    assert all(seat.rated for result in results for seat in result.seats)
