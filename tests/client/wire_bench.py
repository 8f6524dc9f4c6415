"""A bot that plays at a scripted arbiter, with what it tells."""

import asyncio
from typing import Any

from saurodrome.client import (
    Decision,
    Event,
    Status,
    play,
)
from saurodrome.client.testing import ScriptedArbiter, ScriptedStream, match


def first(d: Decision) -> object:
    return d.legal_actions[0]


class Running:
    """A bot that plays at an arbiter, with what it told."""

    def __init__(self, arbiter: ScriptedArbiter, choose: Any = first, **arguments: Any) -> None:
        self.events: list[Event] = []
        self._news = asyncio.Event()
        arguments.setdefault("token", "srd_bot_k3f9_secret")
        arguments.setdefault("server", arbiter.address)
        self.task: asyncio.Task[Status] = asyncio.create_task(
            play(choose, on_event=self._tell, **arguments)
        )

    def _tell(self, event: Event, _status: Status) -> None:
        self.events.append(event)
        self._news.set()

    async def until(self, kind: type[Event]) -> Any:
        """Waits for the first event of a kind."""
        while not self.told(kind):
            self._news.clear()
            await self._news.wait()
        return self.told(kind)[0]

    def told(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    async def stop(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


async def in_match(arbiter: ScriptedArbiter, **arguments: Any) -> ScriptedStream:
    """Comes as far as a match that is played."""
    stream = await arbiter.welcome()
    await stream.start(match(**arguments))
    await stream.ready()
    return stream
