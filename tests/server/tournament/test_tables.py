"""Tables of this moment and of earlier ones, each made once."""

import asyncio

import pytest

from saurodrome.server.contracts import Table, TournamentAct
from saurodrome.server.errors import Refused
from saurodrome.server.store.records import EventKind
from tests.sim.cups import arrive, stop
from tests.sim.loop import simulated
from tests.sim.world import World


@simulated
async def test_a_table_of_an_earlier_position_is_as_it_was_published() -> None:
    async with World() as world:
        await world.begin("ann", "bob", "cyd", rounds=4)
        bots = arrive(world, "ann", "bob", "cyd")
        published: dict[int, Table] = {}
        while not published or max(published) < 12:
            table = await world.organiser.standings("cup")
            published[table.progress.position] = table
            await asyncio.sleep(0.05)
        await world.over()
        stop(bots)
        assert len(published) > 3
        for position, table in published.items():
            again = await world.organiser.standings("cup", position)
            assert again._replace(progress=table.progress) == table
            assert again.progress.position == position
            twice = await world.organiser.standings("cup", position)
            assert twice.rows is again.rows


@simulated
async def test_an_event_makes_another_table_of_the_same_position() -> None:
    async with World() as world:
        await world.begin("ann", "bob", "cyd", rounds=2)
        bots = arrive(world, "ann", "bob", "cyd")
        await world.over()
        stop(bots)
        before = await world.organiser.standings("cup")
        position = before.progress.position
        act = TournamentAct(EventKind.DISQUALIFIED, "cyd", reason="x", who="olga")
        await world.organiser.act("cup", act)
        after = await world.organiser.standings("cup")
        assert (before.event, after.event) == (1, 2)
        assert before.rows != after.rows
        for event, table in [(1, before), (2, after), (None, after)]:
            again = await world.organiser.standings("cup", position, event)
            assert again.rows == table.rows


@simulated
async def test_what_is_behind_the_end_of_the_log_is_refused() -> None:
    async with World() as world:
        await world.begin("ann", "bob")
        for position, event in [(1, None), (0, 2)]:
            with pytest.raises(Refused) as refusal:
                await world.organiser.standings("cup", position, event)
            assert refusal.value.code == "UNKNOWN_POSITION"
