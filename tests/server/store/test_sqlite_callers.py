"""Callers of the database that stop waiting: their transactions end all the same, whole."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from saurodrome.server.errors import Refused
from saurodrome.server.store.interface import BadBatch
from saurodrome.server.store.sqlite import SqliteDatabase

COUNT = sa.text("SELECT count(*) FROM marks")


class Slow:
    """Work that leaves a mark, once it is let through."""

    def __init__(self, mark: int) -> None:
        self.mark = mark
        self.begun = threading.Event()
        self.go = threading.Event()

    def __call__(self, connection: sa.Connection) -> None:
        self.begun.set()
        assert self.go.wait(5.0)
        connection.execute(sa.text("INSERT INTO marks VALUES (:m)"), {"m": self.mark})


def make_marks(connection: sa.Connection) -> None:
    """Makes room for marks."""
    connection.execute(sa.text("CREATE TABLE marks (n UNIQUE)"))


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[SqliteDatabase]:
    """A database with room for marks."""
    opened = SqliteDatabase(tmp_path)
    await opened.open()
    await opened.write(make_marks)
    yield opened
    await opened.close()


async def marks(database: SqliteDatabase) -> int:
    """How many marks there are."""
    return await database.read(lambda c: c.scalar(COUNT)) or 0


async def begin(
    database: SqliteDatabase, work: Callable[[sa.Connection], None]
) -> asyncio.Task[None]:
    """Starts a caller that gets as far as handing its work over."""
    caller = asyncio.create_task(database.write(work))
    await asyncio.sleep(0)
    return caller


async def test_a_cancelled_callers_transaction_runs_and_so_does_one_in_the_queue(
    database: SqliteDatabase,
) -> None:
    first, second = Slow(1), Slow(2)
    callers = [await begin(database, first), await begin(database, second)]
    assert await asyncio.to_thread(first.begun.wait, 5.0)
    for caller in callers:
        caller.cancel()
    outcomes = await asyncio.gather(*callers, return_exceptions=True)
    assert {type(outcome) for outcome in outcomes} == {asyncio.CancelledError}
    first.go.set()
    second.go.set()
    await database.write(lambda c: None)  # behind both
    assert await marks(database) == 2


async def test_closing_waits_for_transactions_that_nobody_waits_for(
    database: SqliteDatabase, tmp_path: Path
) -> None:
    running, queued = Slow(1), Slow(2)
    callers = [await begin(database, running), await begin(database, queued)]
    assert await asyncio.to_thread(running.begun.wait, 5.0)
    for caller in callers:
        caller.cancel()
    closing = asyncio.create_task(database.close())
    queued.go.set()
    await asyncio.wait({closing}, timeout=0.02)
    assert not closing.done()
    with pytest.raises(Refused, match="STORE_LOCKED"):  # the directory is not given back yet
        await SqliteDatabase(tmp_path).open()
    running.go.set()
    await closing
    await database.open()
    assert await marks(database) == 2


async def test_the_error_of_a_transaction_that_nobody_waits_for_is_no_loose_end(
    database: SqliteDatabase,
) -> None:
    loose: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: loose.append(context))
    first, same = Slow(1), Slow(1)
    caller = await begin(database, first)
    first.go.set()
    await caller
    caller = await begin(database, same)
    assert await asyncio.to_thread(same.begun.wait, 5.0)
    caller.cancel()
    same.go.set()
    del caller
    await database.write(lambda c: None)
    await asyncio.sleep(0)
    assert loose == []
    with pytest.raises(BadBatch):  # whoever waits hears of it
        await database.write(same)


def test_a_loop_that_ends_cuts_no_transaction(tmp_path: Path) -> None:
    """As a second signal does: every task is cancelled, those of transactions too."""
    running, queued = Slow(1), Slow(2)
    database = SqliteDatabase(tmp_path)

    async def main() -> None:
        await database.open()
        await database.write(make_marks)
        await begin(database, running)
        await begin(database, queued)
        assert await asyncio.to_thread(running.begun.wait, 5.0)

    async def after() -> int:
        await database.close()
        await database.open()
        found = await marks(database)
        await database.close()
        return found

    asyncio.run(main())
    running.go.set()
    queued.go.set()
    assert asyncio.run(after()) == 2
