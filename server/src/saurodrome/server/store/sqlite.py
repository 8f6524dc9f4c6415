"""SQLite as the store's database: one file in a directory that one server holds."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, IntegrityError, ProgrammingError
from sqlalchemy.pool import ConnectionPoolEntry

from saurodrome.server.store import migrate, sqlite_errors, sqlite_probe
from saurodrome.server.store.database import Work
from saurodrome.server.store.interface import BadBatch, StoreTrouble
from saurodrome.server.store.lock import DirectoryLock

T = TypeVar("T")

FILE = "arena.db"
READERS = 3
"""Connections for reading; they neither wait for the one that writes nor hold it up."""


class _Side(NamedTuple):
    """Connections of one kind, and as many threads that work on them."""

    engine: sa.Engine
    threads: ThreadPoolExecutor

    def close(self) -> None:
        """Waits for what runs."""
        self.threads.shutdown()
        self.engine.dispose()


class SqliteDatabase:
    """One SQLite file in WAL mode, every commit synced to the disk.

    Writes share one connection, so within the process they queue in order; the busy timeout
    is for other processes.

    Args:
        directory: The data directory; made if it is not there, locked while this is open.
        busy_timeout: Seconds to wait for another process that locks the file.
        what: Who holds the directory, for those who come second.
    """

    def __init__(
        self, directory: Path, *, busy_timeout: float = 5.0, what: str = "saurodrome serve"
    ) -> None:
        """Touches nothing yet."""
        self.path = directory / FILE
        self._wal = f"{self.path}-wal"
        self._lock = DirectoryLock(directory, what)
        self._busy_timeout = busy_timeout
        self._writer: _Side | None = None
        self._reader: _Side | None = None
        self._identity: dict[str, tuple[int, int]] = {}

    async def open(self) -> None:
        """Takes the directory, looks at the file, opens it and migrates; see `Store.open`."""
        if self._writer:
            return
        self._lock.take()
        try:
            await asyncio.to_thread(sqlite_probe.check, self.path)
            self._writer = self._side(writes=True)
            self._reader = self._side(writes=False)
            await self.write(migrate.upgrade)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Closes the connections, then gives the directory back."""
        sides = (self._reader, self._writer)
        self._reader = self._writer = None
        for side in sides:
            if side:
                await asyncio.to_thread(side.close)
        self._identity.clear()
        self._lock.release()

    async def read(self, work: Work[T]) -> T:
        """Runs a transaction on one of the readers' connections; see `Database.read`."""
        return await self._run(self._reader, work)

    async def write(self, work: Work[T]) -> T:
        """Runs a transaction on the writer's connection; see `Database.write`."""
        return await self._run(self._writer, work)

    async def _run(self, side: _Side | None, work: Work[T]) -> T:
        if side is None:
            raise StoreTrouble("STORE_GONE", "the store is closed")
        loop = asyncio.get_running_loop()
        running = loop.run_in_executor(side.threads, self._transaction, side.engine, work)
        running.add_done_callback(_seen)
        return await asyncio.shield(running)

    def _transaction(self, engine: sa.Engine, work: Work[T]) -> T:
        try:
            with engine.begin() as connection:
                outcome = work(connection)
        except (IntegrityError, ProgrammingError) as error:
            raise BadBatch(str(error.orig)) from error
        except DBAPIError as error:
            self._same(str(self.path))
            raise sqlite_errors.trouble(error.orig) from error
        except (OverflowError, UnicodeError) as error:
            raise BadBatch(f"a value does not fit: {error}") from error
        # Only now: what was read or committed counts if the file is there after it.
        self._look()
        return outcome

    def _look(self) -> None:
        """Checks that the directory still shows the files that are open.

        SQLite goes on acknowledging commits into a file that was deleted.
        """
        self._same(str(self.path))
        self._same(self._wal)

    def _same(self, path: str) -> None:
        try:
            status = os.stat(path)
        except OSError:
            raise sqlite_errors.gone(self.path) from None
        identity = (status.st_dev, status.st_ino)
        if self._identity.setdefault(path, identity) != identity:
            raise sqlite_errors.gone(self.path)

    def _side(self, *, writes: bool) -> _Side:
        size = 1 if writes else READERS
        name = "store writer" if writes else "store reader"
        return _Side(self._engine(size, writes=writes), ThreadPoolExecutor(size, name))

    def _engine(self, size: int, *, writes: bool) -> sa.Engine:
        engine = sa.create_engine(
            # Only a file that is there: SQLite would make another in the place of a lost one.
            sa.URL.create(
                "sqlite+pysqlite",
                database=self.path.absolute().as_uri(),
                query={"mode": "rw", "uri": "true"},
            ),
            poolclass=sa.QueuePool,
            pool_size=size,
            max_overflow=0,
            connect_args={"timeout": self._busy_timeout, "check_same_thread": False},
        )
        setup = _PRAGMAS if writes else (*_PRAGMAS, "PRAGMA query_only=ON")
        begin = "BEGIN IMMEDIATE" if writes else "BEGIN"

        @sa.event.listens_for(engine, "connect")
        def connect(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
            # The file is open but not looked into: a wrong one would spoil the log of the right.
            self._same(str(self.path))
            # The driver would begin transactions late and lose updates; see `begin_one`.
            connection.isolation_level = None
            cursor = connection.cursor()
            for pragma in setup:
                cursor.execute(pragma)
            cursor.close()
            if writes:
                self._identity.pop(self._wal, None)  # the only connection begins a new one

        @sa.event.listens_for(engine, "begin")
        def begin_one(connection: sa.Connection) -> None:
            connection.exec_driver_sql(begin)

        return engine


def _seen(running: asyncio.Future[Any]) -> None:
    """Looks at how a transaction ended, even if nobody waits any more."""
    if not running.cancelled():
        running.exception()


_PRAGMAS = ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "PRAGMA foreign_keys=ON")
