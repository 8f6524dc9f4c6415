"""SQLite under the simulation: the process dies at the nth thing that it does to its file."""

import shutil
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa

from saurodrome.server.store.database import Work
from saurodrome.server.store.sql import SqlStore
from saurodrome.server.store.sqlite import SqliteDatabase
from tests.sim.disk import Disk

T = TypeVar("T")


class _Died(BaseException):
    """The process is dead: nothing in it may handle this."""


class Mortal:
    """A database that counts the points at which its process may die, and dies at one.

    A write has a point before it begins, after each of its statements, before its commit and
    after that. At its death it keeps the directory as a process that is killed there leaves it.
    """

    def __init__(self, disk: "MortalDisk") -> None:
        """Belong to a disk."""
        self._disk = disk
        self.file = SqliteDatabase(disk.directory)

    async def open(self) -> None:
        """Open the file."""
        await self.file.open()

    async def close(self) -> None:
        """Close the file."""
        await self.file.close()

    async def read(self, work: Work[T]) -> T:
        """Read."""
        return await self.file.read(work)

    async def write(self, work: Work[T]) -> T:
        """Write, or die at it."""

        def watched(connection: sa.Connection) -> T:
            self._disk.passes("begin")
            sa.event.listen(connection, "after_cursor_execute", self._executed)
            outcome = work(connection)
            self._disk.passes("before the commit")
            return outcome

        try:
            outcome = await self.file.write(watched)
            self._disk.passes("after the commit")
        except _Died:
            await self._disk.die()
            raise
        return outcome

    def _executed(self, *event: Any) -> None:
        self._disk.passes(str(event[2])[:60])


class MortalDisk(Disk):
    """A store in a file, whose process dies at some of the points that it passes.

    Attributes:
        passed: What was done at each point.
    """

    def __init__(self, directory: Path, *deaths: int) -> None:
        """Begin with an empty directory.

        Args:
            directory: Where the file and its copies lie.
            deaths: The numbers of the points to die at, from 1, ascending.
        """
        self.passed: list[str] = []
        self._root = directory
        self._deaths = deaths
        self.directory = directory / "0"
        self._database = Mortal(self)
        super().__init__(SqlStore(self._database))

    def passes(self, what: str) -> None:
        """Pass a point, or die at it."""
        self.passed.append(what)
        if len(self.passed) in self._deaths:
            shutil.copytree(self.directory, self._next())
            raise _Died

    async def revive(self) -> None:
        """Open what the dead process left; a process that was killed elsewhere left it all."""
        await self._database.close()
        if (left := self._next()).exists():
            self.directory = left
        self._database = Mortal(self)
        self.inner = SqlStore(self._database)
        await self.inner.open()
        await super().revive()

    def _next(self) -> Path:
        return self._root / str(int(self.directory.name) + 1)
