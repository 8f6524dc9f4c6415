"""The alarm rings when it was set to, however often it was set before, with one timer."""

import asyncio

from saurodrome.server.session.alarm import Alarm
from tests.sim.loop import simulated, virtual


class Bell:
    """An alarm, and the times since the start at which it rang."""

    def __init__(self) -> None:
        self.loop = virtual()
        self.alarm = Alarm(self.loop)
        self.rang: list[float] = []
        self._begun = self.loop.time()

    def set(self, after: float) -> None:
        """Set it to a time after the start."""
        self.alarm.set(self._begun + after, self._ring)

    async def until(self, after: float) -> list[float]:
        """Wait until a time after the start, and give when it rang up to then."""
        await asyncio.sleep(self._begun + after - self.loop.time())
        return [round(when, 6) for when in self.rang]

    def _ring(self) -> None:
        self.rang.append(self.loop.time() - self._begun)


@simulated
async def test_it_rings_once_at_its_time() -> None:
    bell = Bell()
    bell.set(2.0)
    assert await bell.until(1.9) == []
    assert await bell.until(9.0) == [2.0]


@simulated
async def test_what_is_set_last_counts_whether_later_or_earlier() -> None:
    bell = Bell()
    for after in (2.0, 5.0, 3.0):
        bell.set(after)
    assert await bell.until(9.0) == [3.0]
    bell.set(20.0)
    bell.set(10.0)
    assert await bell.until(30.0) == [3.0, 10.0]


@simulated
async def test_cleared_it_does_not_ring_but_can_be_set_again() -> None:
    bell = Bell()
    bell.set(2.0)
    bell.alarm.clear()
    assert await bell.until(3.0) == []
    bell.set(4.0)
    assert await bell.until(9.0) == [4.0]


@simulated
async def test_decisions_that_are_answered_make_no_timers_of_their_own() -> None:
    bell = Bell()
    for number in range(1000):
        bell.set(2.0 + number / 1000)
        bell.alarm.clear()
    assert len(bell.loop.timers()) == 1
    bell.set(3.0)
    assert await bell.until(9.0) == [3.0]


@simulated
async def test_stopped_it_leaves_no_timer() -> None:
    bell = Bell()
    bell.set(2.0)
    bell.alarm.stop()
    assert bell.loop.timers() == []
    bell.set(3.0)
    assert await bell.until(9.0) == [3.0]
