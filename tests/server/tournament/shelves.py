"""Tournaments that are over, in memory and out of it."""

import asyncio
import gc
from typing import Any
from weakref import ref

from saurodrome.server.tournament.tournament import Tournament
from tests.sim.cups import PAIR, arrive, stop
from tests.sim.world import World

MINUTE = 61.0
"""Seconds after which the rate of a tournament that is over is zero."""


async def drop(world: World, name: str) -> None:
    """Let go of a tournament that nobody has asked for in a while."""
    await asyncio.sleep(0.1)  # until the last answer is on its way
    gone = ref(world.organiser._shelf._at_hand.pop(name))
    assert gone() is None


async def cold(world: World) -> None:
    """See to it that the tournament is not in memory."""
    if world.organiser._shelf.at_hand("cup"):
        await drop(world, "cup")


def in_memory() -> list[str]:
    """Return the names of tournaments that are in memory, whoever holds them."""
    return sorted(thing.name for thing in gc.get_objects() if isinstance(thing, Tournament))


async def played(world: World, *names: str, **options: Any) -> None:
    """Play tournaments of two to their end, one after the other, and wait for a minute."""
    bots = arrive(world, *PAIR)
    for name in names:
        await world.begin(*PAIR, name=name, **options)
        await world.over(name)
    stop(bots)
    await asyncio.sleep(MINUTE)
