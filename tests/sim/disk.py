"""A store on a disk that can be full, slow, forgetful or the place where its process dies."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

from saurodrome.server.store.interface import Store, StoreTrouble
from saurodrome.server.store.memory import MemoryStore

READS = frozenset(
    (
        *("bots", "tournaments", "going", "over", "over_counts", "tournament", "tournament_names"),
        *("stored", "last_position", "results", "record", "faults", "attempts", "void_attempts"),
        *("events", "ratings"),
    )
)
"""What a store only reads; all else that it does is a write."""

LOGS = frozenset({"commit", "add_event"})
"""What appends to a log."""


class Disk:
    """A store that may be in trouble; it outlives the arbiter."""

    def __init__(self, inner: Store | None = None) -> None:
        """Begin well.

        Args:
            inner: The store itself, one in memory unless told otherwise.
        """
        self.inner: Store = inner or MemoryStore()
        self.store = cast(Store, _Troubled(self))
        """The store as the arbiter sees it."""
        self.trouble: Callable[[], bool] = lambda: False
        """Whether it fails to commit now."""
        self.lost_word: Callable[[], bool] = lambda: False
        """Whether it commits now and fails to say so."""
        self.no_state = False
        """Whether it fails to move tournaments now."""
        self.takes = 0.0
        """Seconds that a write takes: half before it counts, half after that."""
        self.dies: Callable[[str, str], bool] = lambda name, when: False
        """Whether the process dies at a write, of this name, `before` or `after` it counts."""
        self.dead = asyncio.Event()
        """Set once the process is dying: nothing is written or told any more."""

    async def open(self) -> None:
        """Open the store."""
        await self.inner.open()

    async def close(self) -> None:
        """Close the store."""
        await self.inner.close()

    async def revive(self) -> None:
        """Let the next process in."""
        self.dead.clear()

    async def call(self, name: str, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Do what the arbiter asks, with all trouble on the way."""
        await self._alive()
        method: Callable[..., Awaitable[Any]] = getattr(self.inner, name)
        if name in READS:
            return await method(*args, **options)
        logs = name in LOGS
        if (logs and self.trouble()) or (name == "set_state" and self.no_state):
            raise StoreTrouble("STORE_FULL", "no space left")
        await self._at(name, "before")
        outcome = await method(*args, **options)
        await self._at(name, "after")
        if logs and self.lost_word():
            raise StoreTrouble("STORE_FAILING", "it was committed, but nobody heard")
        return outcome

    async def die(self) -> None:
        """Die: whoever waits for an answer never gets one."""
        self.dead.set()
        await self._alive()

    async def _at(self, name: str, when: str) -> None:
        if self.takes:
            await asyncio.sleep(self.takes / 2)
        if self.dies(name, when):
            self.dead.set()
        await self._alive()

    async def _alive(self) -> None:
        if self.dead.is_set():
            await asyncio.get_running_loop().create_future()


class _Troubled:
    """The store's methods, each through its disk."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        async def call(*args: Any, **options: Any) -> Any:
            return await self._disk.call(name, args, options)

        return call
