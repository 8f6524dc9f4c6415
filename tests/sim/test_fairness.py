"""Tournaments that share bots: none waits for ever, and one that waits says for what."""

import asyncio
from collections.abc import Sequence

from saurodrome.server.scheduler import PATIENCE
from tests.sim.bots import Bot
from tests.sim.cups import stop
from tests.sim.loop import simulated
from tests.sim.world import World

WAITS = "its bots play in other tournaments"
OPEN = ("one", "two", "three")


class OneAtOnce(Bot):
    """Plays one match at once."""

    hello = Bot.hello._replace(max_concurrent=1)


class Slow(OneAtOnce):
    """Takes long for each answer."""

    def thinks(self, decision: object) -> float:
        """Return how many seconds to think."""
        return 0.1


async def crowded(world: World, bots: Sequence[str]) -> list[Bot]:
    """Begin tournaments that take every place of every bot, and one of the two slow bots."""
    await world.register(*bots)
    for name in OPEN:
        await world.begin(*bots, name=name, rounds=40)
    await world.begin("slow", "slow2", name="closed", rounds=2)
    return [(Slow if name.startswith("slow") else OneAtOnce)(world, name) for name in bots]


@simulated
async def test_a_tournament_whose_bots_play_in_others_has_its_turn_and_says_what_it_waits_for() -> (
    None
):
    async with World() as world:
        bots = await crowded(world, ("slow", "slow2", "ann", "bob", "cyd"))
        await asyncio.sleep(PATIENCE - 1.0)
        waits = await world.organiser.get("closed")
        assert (waits.done, waits.running, waits.waiting_for) == (0, 0, WAITS)
        for name in OPEN:
            assert (await world.organiser.get(name)).waiting_for in ("", WAITS)
        await asyncio.sleep(30.0)
        assert (await world.organiser.get("closed")).done >= 3  # 1 where nothing is kept
        for name in OPEN:
            await world.organiser.cancel(name)
        stop(bots)
