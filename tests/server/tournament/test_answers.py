"""Nobody can tell from any answer whether a tournament that is over is in memory."""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from saurodrome.server.contracts import TournamentAct
from saurodrome.server.settings import Deals, Format, Publish
from saurodrome.server.store.records import EventKind
from tests.server.tournament.answers import answers
from tests.server.tournament.shelves import MINUTE, cold, drop, in_memory
from tests.sim.bots import Illegal, Silent
from tests.sim.cups import arrive, stop
from tests.sim.loop import simulated
from tests.sim.world import World

pytestmark = pytest.mark.usefixtures("others_out_of_sight")
FOUR = ("ann", "bob", "cyd", "dan")


async def disqualified(world: World) -> None:
    """Disqualify a bot."""
    act = TournamentAct(EventKind.DISQUALIFIED, "dan", reason="looked into cards", who="olga")
    await world.organiser.act("cup", act)


async def voided(world: World) -> None:
    """Void the first result."""
    first = (await world.results())[0].match_id
    act = TournamentAct(EventKind.VOIDED, match_id=first, reason="clock", who="olga")
    await world.organiser.act("cup", act)


async def cancelled(world: World) -> None:
    """Cancel it while matches are played."""
    await world.organiser.cancel("cup")


async def restarted(world: World) -> None:
    """Stop and start the arbiter; what is played is void."""
    await world.restart()


STORIES: dict[str, tuple[dict[str, Any], tuple[Callable[[World], Awaitable[None]], ...]]] = {
    "round robin": ({"rounds": 2}, (voided, restarted, disqualified)),
    "duplicate deals": ({"deals": Deals.DUPLICATE, "trusted": True, "rounds": 2}, (restarted,)),
    "duplicate, cancelled": ({"deals": Deals.DUPLICATE, "trusted": True}, (cancelled,)),
    "swiss": ({"format": Format.SWISS, "rounds": 3}, (restarted, disqualified)),
    "knockout": ({"format": Format.KNOCKOUT, "games": 2}, ()),
    "ladder, cancelled": ({"format": Format.LADDER}, (restarted, cancelled)),
    "held back and blind": ({"publish_table": Publish.END, "blind": True}, ()),
}


@pytest.mark.parametrize("story", STORIES)
@simulated
async def test_every_answer_is_the_same_before_and_after_it_has_left_memory(story: str) -> None:
    options, happens = STORIES[story]
    async with World() as world:
        await world.begin(*FOUR, **options)
        bots = [*arrive(world, *FOUR[:2]), Illegal(world, "cyd"), Silent(world, "dan")]
        for happening in happens:
            await asyncio.sleep(1.5)
            await happening(world)
        await world.over()
        stop(bots)
        await asyncio.sleep(MINUTE)
        before = await answers(world, "cup")
        await drop(world, "cup")
        gc.collect()  # of the process before
        assert in_memory() == []
        assert await answers(world, "cup", lambda: cold(world)) == before
        await world.restart()
        assert await answers(world, "cup", lambda: cold(world)) == before
    assert len(before) > 12
