"""What a restart makes of tournaments, planned, running, paused or over."""

import asyncio
from dataclasses import replace

import pytest

from saurodrome.server.errors import Refused
from saurodrome.server.settings import Format
from saurodrome.server.store.records import TournamentState
from tests.sim.cups import (
    CANCELLED,
    FINISHED,
    PAIR,
    PAUSED,
    PLANNED,
    RUNNING,
    arrive,
    brought_to,
    rewrite,
    state,
    stop,
)
from tests.sim.loop import simulated
from tests.sim.world import World


@simulated
async def test_a_tournament_that_runs_goes_on_by_itself_after_a_restart() -> None:
    async with World() as world:
        await world.begin(*PAIR, rounds=5, concurrency=1)
        bots = arrive(world, *PAIR)
        await asyncio.sleep(0.5)
        await world.restart()
        assert (await world.over()).done == 10
        stop(bots)


@pytest.mark.parametrize("goal", [PLANNED, PAUSED, CANCELLED])
@simulated
async def test_a_tournament_that_does_not_run_stays_as_it_is_after_a_restart(
    goal: TournamentState,
) -> None:
    async with World() as world:
        await brought_to(world, goal)
        before = await world.organiser.get("cup")
        await world.crash()
        assert await world.organiser.get("cup") == before
        await asyncio.sleep(5.0)
        assert await world.results() == ()


@pytest.mark.parametrize("goal", [RUNNING, PAUSED])
@simulated
async def test_one_that_was_over_but_for_its_state_is_finished_by_a_restart(
    goal: TournamentState,
) -> None:
    async with World() as world:
        await world.begin(*PAIR)
        bots = arrive(world, *PAIR)
        await world.over()
        await world.disk.store.set_state("cup", goal, 0.0)
        await world.restart()
        assert state(await world.organiser.get("cup")) is FINISHED
        stop(bots)


@simulated
async def test_a_tournament_under_other_rules_is_not_continued() -> None:
    async with World() as world:
        await world.begin(*PAIR)
        old = (await world.disk.store.tournaments())[0]
        rewrite(world, old._replace(rules_version=old.rules_version + 1))
        await world.organiser.pause("cup")
        await world.restart()
        with pytest.raises(Refused) as refusal:
            await world.organiser.resume("cup")
        assert refusal.value.code == "RULES_CHANGED"


@simulated
async def test_one_that_ran_under_other_rules_says_so_and_can_be_cancelled() -> None:
    async with World() as world:
        await world.begin(*PAIR)
        old = (await world.disk.store.tournaments())[0]
        rewrite(world, old._replace(rules_version=old.rules_version + 1))
        await world.restart()
        blocked = await world.organiser.get("cup")
        assert blocked.tournament.state is TournamentState.RUNNING
        assert "begun under rules" in blocked.waiting_for
        cancelled = await world.organiser.cancel("cup")
        assert cancelled.tournament.state is TournamentState.CANCELLED


@simulated
async def test_one_whose_log_cannot_be_followed_says_so_and_can_be_cancelled() -> None:
    async with World() as world:
        await world.begin(*PAIR, "cyd", format=Format.SWISS, rounds=2)
        bots = arrive(world, *PAIR, "cyd")
        await world.over()
        stop(bots)
        await world.disk.store.set_state("cup", RUNNING, 0.0)
        old = (await world.disk.store.tournaments())[0]
        settings = replace(old.settings, seeds=("nobody",))  # as of a server with other formats
        rewrite(world, old._replace(settings=settings, ended=None))
        await world.restart()
        blocked = await world.organiser.get("cup")
        assert "cannot follow the log" in blocked.waiting_for
        await world.organiser.pause("cup")
        with pytest.raises(Refused) as refusal:
            await world.organiser.resume("cup")
        assert refusal.value.code == "LOG_UNREADABLE"
        cancelled = await world.organiser.cancel("cup")
        assert cancelled.tournament.state is TournamentState.CANCELLED
