"""Rounds that are drawn from results, off the event loop, one at a time."""

import asyncio
from collections.abc import Callable

from saurodrome.server.schedule import Draw, Drawn
from saurodrome.server.tournament.course import Course


class Draws:
    """Draws the next round of a tournament; nothing is folded meanwhile."""

    def __init__(self, name: str, failed: Callable[[str, BaseException], None]) -> None:
        """Takes the tournament's name, and who hears of a round that could not be drawn."""
        self._name = name
        self._failed = failed
        self._task: asyncio.Task[None] | None = None
        self.trouble = ""
        """Why the next round cannot be drawn, in words; empty if nothing is in the way."""

    def begin(self, course: Course, then: Callable[[Drawn], None]) -> bool:
        """Whether a round is to be drawn first; begins to, unless that has failed.

        Args:
            course: The log so far.
            then: Takes the round, so that it stands in the course where it would anyway.
        """
        if self._task is None and not self.trouble and (draw := course.draw()):
            loop = asyncio.get_running_loop()
            self._task = loop.create_task(self._draw(draw, then), name=f"draw {self._name}")
        return self._task is not None or bool(self.trouble)

    def again(self) -> None:
        """What was in the way may be gone: an event came."""
        self.trouble = ""

    async def wait(self) -> None:
        """Returns once no round is being drawn."""
        while self._task:
            await asyncio.wait({self._task})

    async def stop(self) -> None:
        """Draws nothing more."""
        if self._task:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _draw(self, draw: Draw, then: Callable[[Drawn], None]) -> None:
        try:
            found = await asyncio.to_thread(draw)
        except Exception as error:  # one tournament's trouble stays in that tournament
            self.trouble = f"its next round cannot be drawn: {error!r}"
            self._failed(f"draw {self._name}", error)
            found = None
        finally:
            self._task = None
        if found is not None:
            then(found)
