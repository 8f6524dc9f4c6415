"""A bot whose connection breaks every few seconds; it comes back and loses nothing by it."""

import asyncio
import random

from saurodrome.client import Bot, Decision
from saurodrome.client import strategy_of as brain

PLAYS = 2.0
"""Seconds from one loss of the connection to the next."""
AWAY = 0.1
"""Seconds without a connection."""


def choose(d: Decision) -> int:
    """Plays at random."""
    return random.choice(d.legal_actions).id


async def come_and_go() -> None:
    """Plays, drops everything in the middle of its matches, comes back, for ever."""
    while True:
        bot = Bot(brain(choose), max_concurrent=4)
        playing = asyncio.create_task(bot.play())
        await asyncio.sleep(PLAYS)
        bot.stop()
        await playing
        await asyncio.sleep(AWAY)


if __name__ == "__main__":
    asyncio.run(come_and_go())
