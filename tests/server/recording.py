"""A recorder at work on a store in memory, what it tells, and a disk that has trouble."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from saurodrome.server.observer import Observer
from saurodrome.server.recorder import Recorder
from saurodrome.server.store.interface import StoreTrouble
from saurodrome.server.store.memory import MemoryStore
from saurodrome.server.store.records import Batch, Result
from tests.server.store.samples import furnish


class Ears(Observer):
    """Keeps what it hears."""

    def __init__(self) -> None:
        self.done: list[int] = []
        self.failed: list[tuple[float, str, float]] = []
        self.trouble = asyncio.Event()

    def commit_done(self, items: int, seconds: float, waited: float | None = None) -> None:
        self.done.append(items)

    def commit_failed(self, code: str, message: str, retry: float) -> None:
        self.failed.append((now(), code, retry))
        self.trouble.set()


class Disk:
    """A hook of the memory store: each call takes the next plan, then all goes well."""

    def __init__(self, *plan: Exception | float) -> None:
        self.plan = list(plan)
        self.batches: list[Batch] = []
        self.times: list[float] = []

    async def __call__(self, batch: Batch) -> None:
        self.batches.append(batch)
        self.times.append(now())
        step = self.plan.pop(0) if self.plan else 0.0
        if isinstance(step, Exception):
            raise step
        if step:
            await asyncio.sleep(step)


FULL = StoreTrouble("STORE_FULL", "disk is full")
LOCKED = StoreTrouble("STORE_LOCKED", "database is locked")


def now() -> float:
    """Seconds of the loop's time."""
    return asyncio.get_running_loop().time()


@asynccontextmanager
async def recording(
    store: MemoryStore | None = None, ears: Ears | None = None
) -> AsyncIterator[Recorder]:
    """A recorder at work on a furnished store."""
    store = store or MemoryStore()
    if not await store.tournaments():
        await furnish(store)
    recorder = Recorder(store, ears or Ears())
    recorder.start()
    yield recorder
    assert await recorder.stop() == ()


def elos(result: Result) -> list[tuple[float, float]]:
    """Elo before and after by seat."""
    return [(seat.elo_before, seat.elo_after) for seat in result.seats]
