"""SQLite in trouble: what is told, that nothing false is acknowledged, and that it mends."""

import asyncio
import os
import shutil
import sqlite3
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from saurodrome.server import recorder as recorder_module
from saurodrome.server.recorder import Recorder
from saurodrome.server.store.interface import BadBatch, StoreTrouble
from saurodrome.server.store.sql import SqlStore
from saurodrome.server.store.sqlite import SqliteDatabase
from saurodrome.server.store.sqlite_errors import trouble
from tests.server.recording import Ears
from tests.server.store.samples import (
    BOTS,
    CUP,
    batch_of,
    furnish,
    match_id,
    new_bot,
    new_result,
    placed,
)


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[SqliteDatabase]:
    """A database that waits for others no longer than a moment."""
    opened = SqliteDatabase(tmp_path, busy_timeout=0.02)
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
async def store(database: SqliteDatabase) -> SqlStore:
    """A furnished store on it."""
    store = SqlStore(database)
    await furnish(store)
    return store


@pytest.fixture
def ears(monkeypatch: pytest.MonkeyPatch) -> Ears:
    """An observer; recorders try again after a moment."""
    monkeypatch.setattr(recorder_module, "FIRST_RETRY", 0.01)
    return Ears()


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Holds the write lock as another process would."""
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()


@pytest.fixture
def pages() -> Iterator[list[int]]:
    """How many pages a database file may have: a list of one number that a test may change."""
    limit = [1 << 30]

    def set_limit(connection: sa.Connection) -> None:
        connection.connection.cursor().execute(f"PRAGMA max_page_count={limit[0]}")

    sa.event.listen(sa.Engine, "begin", set_limit, insert=True)
    yield limit
    sa.event.remove(sa.Engine, "begin", set_limit)


async def code_of(store: SqlStore, number: int = 1, size: int = 10) -> str:
    """The code of the trouble that a commit has."""
    with pytest.raises(StoreTrouble) as caught:
        await store.commit(batch_of(placed(new_result(number, record=b"x" * size), number)))
    return caught.value.code


@pytest.mark.case("SF-02")
async def test_another_process_that_locks_is_told_and_waited_for(
    store: SqlStore, database: SqliteDatabase, ears: Ears
) -> None:
    recorder = Recorder(store, ears)
    recorder.start()
    with locked(database.path):
        assert await code_of(store) == "STORE_LOCKED"
        waiting = asyncio.create_task(recorder.result(new_result(1)))
        await ears.trouble.wait()
        assert len(await store.bots()) == len(BOTS)  # reading goes on
    assert (await waiting).position == 1
    assert ears.failed[0][1] == "STORE_LOCKED"
    assert await recorder.stop() == ()


async def test_a_full_disk_is_told_and_mends_without_a_restart(
    store: SqlStore, ears: Ears, pages: list[int]
) -> None:
    recorder = Recorder(store, ears)
    recorder.start()
    pages[0] = 60
    assert await code_of(store, size=400_000) == "STORE_FULL"
    big = new_result(1, record=b"x" * 400_000)
    waiting = asyncio.create_task(recorder.result(big))
    await ears.trouble.wait()
    assert await store.results(CUP) == ()
    pages[0] = 1000
    assert (await waiting).position == 1
    assert await store.record(match_id(1)) == big.record
    assert {code for _, code, _ in ears.failed} == {"STORE_FULL"}
    assert await recorder.stop() == ()


@pytest.mark.case("SF-05")
async def test_a_deleted_file_acknowledges_nothing(
    store: SqlStore, database: SqliteDatabase
) -> None:
    database.path.unlink()
    assert await code_of(store) == "STORE_GONE"
    with pytest.raises(StoreTrouble, match="STORE_GONE"):
        await store.stored([match_id(1)])  # it is there, but nowhere to be found again


async def test_a_file_that_comes_back_is_good_again(
    store: SqlStore, database: SqliteDatabase, ears: Ears
) -> None:
    recorder = Recorder(store, ears)
    recorder.start()
    away = database.path.with_name("away")
    os.rename(database.path, away)
    waiting = asyncio.create_task(recorder.result(new_result(1)))
    await ears.trouble.wait()
    os.rename(away, database.path)
    assert (await waiting).position == 1
    assert await store.last_position(CUP) == 1
    assert await recorder.stop() == ()


async def test_no_connection_stays_with_a_file_in_the_place_of_the_right_one(
    store: SqlStore, database: SqliteDatabase
) -> None:
    away = database.path.with_name("away")
    os.rename(database.path, away)
    database.path.touch()
    with pytest.raises(StoreTrouble, match="STORE_GONE"):
        await store.bots()  # the first to read, so it opens a connection
    os.replace(away, database.path)
    assert len(await store.bots()) == len(BOTS)


@pytest.mark.parametrize("name", ["arena.db", "arena.db-wal"])
async def test_a_file_that_was_replaced_acknowledges_nothing(
    store: SqlStore, database: SqliteDatabase, name: str
) -> None:
    file = database.path.with_name(name)
    shutil.copy(file, file.with_name("copy"))
    os.replace(file.with_name("copy"), file)
    assert await code_of(store) == "STORE_GONE"
    with pytest.raises(StoreTrouble, match="STORE_GONE"):
        await store.bots()


async def test_a_store_that_is_locked_while_it_opens_says_so(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "arena.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    other.execute("CREATE TABLE t (a)")
    with pytest.raises(StoreTrouble, match="STORE_LOCKED"):
        await SqliteDatabase(tmp_path, busy_timeout=0.02).open()
    other.close()


@pytest.mark.parametrize("value", [{"points": 1 << 63}, {"bot": "\ud800"}])
async def test_a_value_that_no_column_takes_is_the_callers_fault(
    store: SqlStore, value: dict[str, Any]
) -> None:
    new = new_result(1)
    new = new._replace(seats=(new.seats[0]._replace(**value), new.seats[1]))
    with pytest.raises(BadBatch):
        await store.commit(batch_of(placed(new, 1)))


async def test_a_closed_store_has_trouble_rather_than_data(
    store: SqlStore, database: SqliteDatabase
) -> None:
    await database.close()
    assert await code_of(store) == "STORE_GONE"


def test_a_read_only_database_is_told(tmp_path: Path) -> None:
    file = tmp_path / "arena.db"
    sqlite3.connect(file).close()
    database = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)
    with pytest.raises(sqlite3.OperationalError) as caught:
        database.execute("CREATE TABLE t (a)")
    database.close()
    assert trouble(caught.value).code == "STORE_READONLY"


def test_an_error_without_a_class_of_its_own_is_failing() -> None:
    told = trouble(sqlite3.OperationalError("disk I/O error"))
    assert (told.code, str(told)) == ("STORE_FAILING", "[STORE_FAILING] disk I/O error")


async def test_readers_cannot_write(database: SqliteDatabase) -> None:
    def write(connection: sa.Connection) -> None:
        connection.execute(sa.text("DELETE FROM bots"))

    with pytest.raises(StoreTrouble, match="STORE_READONLY"):
        await database.read(write)


async def test_a_reader_holds_up_no_commit(store: SqlStore, database: SqliteDatabase) -> None:
    reading, done = threading.Event(), threading.Event()

    def read(connection: sa.Connection) -> Any:
        query = sa.text("SELECT count(*) FROM results")
        before = connection.scalar(query)
        reading.set()
        done.wait(5.0)
        return before, connection.scalar(query)

    reader = asyncio.create_task(database.read(read))
    assert await asyncio.to_thread(reading.wait, 5.0)
    await store.commit(batch_of(placed(new_result(1), 1)))
    done.set()
    assert await reader == (0, 0)  # one picture from its begin to its end
    assert await store.last_position(CUP) == 1


async def test_nobody_writes_between_what_a_writer_reads_and_writes(
    store: SqlStore, database: SqliteDatabase
) -> None:
    def work(connection: sa.Connection) -> None:
        connection.execute(sa.text("SELECT count(*) FROM bots"))
        other = sqlite3.connect(database.path, timeout=0)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("DELETE FROM tournaments")
        other.close()

    await database.write(work)
    assert len(await store.tournaments()) == 1


async def test_no_update_is_lost_among_callers_at_once(database: SqliteDatabase) -> None:
    def make(connection: sa.Connection) -> None:
        connection.execute(sa.text("CREATE TABLE counter AS SELECT 0 AS n"))

    def count(connection: sa.Connection) -> None:
        n = connection.scalar(sa.text("SELECT n FROM counter"))
        assert n is not None
        connection.execute(sa.text("UPDATE counter SET n = :n"), {"n": n + 1})

    async def caller() -> None:
        for _ in range(12):
            await database.write(count)

    await database.write(make)
    await asyncio.gather(*(caller() for _ in range(8)))
    total = await database.read(lambda c: c.scalar(sa.text("SELECT n FROM counter")))
    assert total == 96


async def test_a_cancelled_caller_leaves_a_whole_transaction(
    store: SqlStore, database: SqliteDatabase
) -> None:
    callers = []
    for number in range(8):
        task = asyncio.create_task(store.add_bot(new_bot(f"bot{number}")))
        callers.append(task)
        for _ in range(number):
            await asyncio.sleep(0)
        task.cancel()
    outcomes = await asyncio.gather(*callers, return_exceptions=True)
    begun = len(callers) - 1  # the first was cancelled before it ran at all
    assert {type(outcome) for outcome in outcomes} == {asyncio.CancelledError}
    await store.close()
    await store.open()
    assert len(await store.bots()) == len(BOTS) + begun
