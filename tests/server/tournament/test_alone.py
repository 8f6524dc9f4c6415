"""Tournaments in which bots play alone, against the game itself: a ladder without ratings."""

import asyncio
from dataclasses import replace

import pytest

from saurodrome.engine import registry
from saurodrome.server.errors import Refused
from saurodrome.server.recorder import START
from saurodrome.server.store.records import Termination
from tests.sim import invariants
from tests.sim.bots import Bot
from tests.sim.cups import arrive, rewrite, stop
from tests.sim.loop import simulated
from tests.sim.world import World

SOLO = ("duelosaur", "solo-sima-saurus")


class Silent(Bot):
    """Never answers."""

    def asked(self, decision: object) -> None:
        """Says nothing."""


@simulated
async def test_every_bot_plays_each_match_alone_and_none_is_rated() -> None:
    async with World() as world:
        cup = await world.begin("ann", "bob", "cyd", game=SOLO, players=1, rounds=4)
        bots = arrive(world, "ann", "bob", "cyd")
        assert (await world.over()).done == 12
        stop(bots)
        results = await world.results()
        await invariants.check(world, cup)
        table = await world.organiser.standings("cup")
    assert {len(result.seats) for result in results} == {1}
    for result in results:
        seat = result.seats[0]
        assert result.termination is Termination.FINISHED
        assert seat.placement in (1, 2)
        assert (seat.rated, seat.elo_before, seat.elo_after) == (False, START, START)
        assert result.has_record
    for row in table.rows:
        own = [result.seats[0] for result in results if result.seats[0].bot == row.bot]
        assert (row.matches, row.shared) == (4, 0)
        assert row.won == sum(seat.placement == 1 for seat in own)
        assert row.score == row.won / 4
        assert row.mean_points == sum(seat.points for seat in own) / 4
        assert (row.rating, row.elo_live) == (None, START)


@simulated
async def test_who_never_answers_forfeits_and_has_lost() -> None:
    async with World() as world:
        await world.begin("ann", game=SOLO, players=1)
        bots: list[Bot] = [Silent(world, "ann")]
        await world.over()
        stop(bots)
        result = (await world.results())[0]
        row = (await world.organiser.standings("cup")).rows[0]
    assert result.termination is Termination.FORFEIT
    assert (result.seats[0].placement, result.seats[0].forfeited) == (2, True)
    assert (row.won, row.lost, row.forfeits) == (0, 1, 1)


@simulated
async def test_a_bot_that_does_not_come_has_no_contest() -> None:
    async with World() as world:
        await world.begin("ann", "bob", game=SOLO, players=1)
        bots = arrive(world, "bob")
        await world.over()
        stop(bots)
        results = {result.seats[0].bot: result for result in await world.results()}
        rows = (await world.organiser.standings("cup")).rows
    assert results["ann"].termination is Termination.NO_CONTEST
    assert results["bob"].termination is Termination.FINISHED
    assert {row.bot: row.matches for row in rows} == {"ann": 0, "bob": 1}


@simulated
async def test_a_tournament_pins_the_component_values_that_it_was_created_with() -> None:
    game = registry.get("duelosaur")
    async with World() as world:
        await world.begin("ann", game=SOLO, players=1)
        await world.organiser.pause("cup")
        old = (await world.disk.store.tournaments())[0]
        assert (old.settings.ruleset, old.settings.ruleset_hash) == (
            game.ruleset,
            game.ruleset_hash,
        )
        other = old._replace(settings=replace(old.settings, ruleset="mine-1", ruleset_hash="ff"))
        rewrite(world, other)
        await world.restart()
        with pytest.raises(Refused) as refusal:
            await world.organiser.resume("cup")
        await asyncio.sleep(1.0)
        assert await world.results() == ()
    assert refusal.value.code == "RULESET_CHANGED"
    assert "mine-1" in refusal.value.what
    assert game.ruleset in refusal.value.what
