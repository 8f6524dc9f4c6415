"""Measures when the event loop stood still, so that no bot pays for the arbiter."""

import asyncio
from collections import deque
from collections.abc import Iterator

from saurodrome.server.observer import Observer

TICK = 0.005
"""Seconds between two looks at the clock."""
STALL = 0.005
"""A look that comes later than this many seconds after its time is a stall."""
_KEPT = 1024


class StallMeter:
    """A ticking timer that notes the intervals in which the loop ran nothing."""

    def __init__(self, observer: Observer) -> None:
        """Waits for `start`."""
        self._observer = observer
        self._stalls: deque[tuple[float, float]] = deque(maxlen=_KEPT)
        self._due = 0.0
        self._handle: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begins to tick in the running loop."""
        self._loop = asyncio.get_running_loop()
        self._due = self._loop.time() + TICK
        self._handle = self._loop.call_at(self._due, self._tick)

    def stop(self) -> None:
        """Ticks no more."""
        if self._handle:
            self._handle.cancel()
            self._handle = None

    def within(self, start: float, end: float) -> float:
        """Seconds of stalls between two points of loop time; `end` is now or in the past.

        A stall that is not over counts up to `end`: callbacks that the loop runs right after
        one may come before the tick that notes it.
        """
        if end - self._due <= STALL and (not self._stalls or self._stalls[-1][1] <= start):
            return 0.0
        return sum(self._parts(start, end))

    def longest(self, start: float, end: float) -> float:
        """Seconds of the longest stall between two points of loop time, as far as inside."""
        return max(self._parts(start, end), default=0.0)

    def _parts(self, start: float, end: float) -> Iterator[float]:
        if self._handle and end - self._due > STALL:
            yield max(0.0, end - max(self._due, start))
        for begun, over in reversed(self._stalls):
            if over <= start:
                return
            yield max(0.0, min(over, end) - max(begun, start))

    def _tick(self) -> None:
        now = self._loop.time()
        if now - self._due > STALL:
            self._stalls.append((self._due, now))
            self._observer.loop_stalled(now - self._due)
        self._due = now + TICK
        self._handle = self._loop.call_at(self._due, self._tick)
