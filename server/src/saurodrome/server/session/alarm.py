"""One timer for decisions that follow each other."""

import asyncio
from collections.abc import Callable


class Alarm:
    """Calls back at a time that is set again and again, nearly always before it comes.

    Most decisions are answered long before their limit, and to make and cancel a timer for each
    would cost more than to judge it. So a timer that runs is left alone: it may go off too
    early, sees that, and is set to the rest.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Is not set."""
        self._loop = loop
        self._due = 0.0
        self._call: Callable[[], None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._rings = 0.0

    def set(self, due: float, call: Callable[[], None]) -> None:
        """Calls `call` at a loop time; what was set before is forgotten."""
        self._due, self._call = due, call
        if self._timer is None:
            self._start()
        elif self._rings > due:
            self._timer.cancel()
            self._start()

    def clear(self) -> None:
        """Calls nothing."""
        self._call = None

    def stop(self) -> None:
        """Calls nothing, and leaves no timer."""
        self._call = None
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _start(self) -> None:
        self._rings = self._due
        self._timer = self._loop.call_at(self._due, self._ring)

    def _ring(self) -> None:
        self._timer = None
        call = self._call
        if call is None:
            return
        if self._due > self._rings:
            self._start()
        else:
            self._call = None
            call()
