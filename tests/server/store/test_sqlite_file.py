"""The SQLite file: how it is made, and what is refused untouched."""

import hashlib
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from saurodrome.server.errors import Refused
from saurodrome.server.store import migrate
from saurodrome.server.store.records import Tournament
from saurodrome.server.store.schema import METADATA
from saurodrome.server.store.sql import SqlStore
from saurodrome.server.store.sqlite import SqliteDatabase
from tests.server.store.samples import BOTS, batch_of, furnish, new_bot, new_result, placed


@asynccontextmanager
async def opened(directory: Path) -> AsyncIterator[SqlStore]:
    """A store on a directory."""
    store = SqlStore(SqliteDatabase(directory))
    await store.open()
    yield store
    await store.close()


@pytest.fixture
async def used(tmp_path: Path) -> Path:
    """A directory with a database that has something in it."""
    async with opened(tmp_path / "data") as store:
        await furnish(store)
        results = (placed(new_result(n, record=b"x" * 9000), n) for n in range(1, 9))
        await store.commit(batch_of(*results))
    return tmp_path / "data"


def contents(directory: Path) -> dict[str, str]:
    """What lies in a directory, but for the lock."""
    return {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in directory.iterdir()
        if file.name != "lock"
    }


async def refusal(directory: Path) -> Refused:
    """What opening a store gives, which must leave everything as it is."""
    before = contents(directory)
    store = SqlStore(SqliteDatabase(directory))
    with pytest.raises(Refused) as refused:
        await store.open()
    assert contents(directory) == before
    return refused.value


async def test_what_is_made_is_for_its_owner_alone(tmp_path: Path) -> None:
    async with opened(tmp_path / "data") as store:
        await furnish(store)
        modes = {f.name: f.stat().st_mode & 0o777 for f in (tmp_path / "data").iterdir()}
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    assert modes == dict.fromkeys(("arena.db", "arena.db-shm", "arena.db-wal", "lock"), 0o600)


async def test_a_directory_may_have_any_name(tmp_path: Path) -> None:
    for _ in range(2):
        async with opened(tmp_path / "50% off? #1 ü&mode=memory") as store:
            await store.add_bot(new_bot("ada", "r1"))
    assert (tmp_path / "50% off? #1 ü&mode=memory" / "arena.db").exists()


@pytest.mark.parametrize("run", ["read", "write"])
async def test_every_connection_is_set_to_be_safe(tmp_path: Path, run: str) -> None:
    def work(connection: sa.Connection) -> list[Any]:
        pragmas = ("journal_mode", "synchronous", "foreign_keys")
        return [connection.scalar(sa.text(f"PRAGMA {name}")) for name in pragmas]

    database = SqliteDatabase(tmp_path)
    await database.open()
    assert await getattr(database, run)(work) == ["wal", 2, 1]
    await database.close()


async def test_migrations_lead_to_the_schema(tmp_path: Path) -> None:
    def differences(connection: sa.Connection) -> list[Any]:
        return list(compare_metadata(MigrationContext.configure(connection), METADATA))

    database = SqliteDatabase(tmp_path)
    await database.open()
    assert await database.read(differences) == []
    await database.close()


@pytest.mark.case("CR-08")
async def test_a_migration_that_dies_anywhere_leaves_what_can_be_opened(tmp_path: Path) -> None:
    """A copy of the files between any two statements is what a killed process leaves."""
    copies: list[Path] = []

    def copy(*_: Any) -> None:
        copies.append(tmp_path / f"copy{len(copies)}")
        shutil.copytree(tmp_path / "data", copies[-1])

    sa.event.listen(sa.Engine, "after_cursor_execute", copy)
    try:
        async with opened(tmp_path / "data"):
            pass
    finally:
        sa.event.remove(sa.Engine, "after_cursor_execute", copy)
    assert len(copies) > len(METADATA.tables)
    for directory in copies[:: len(copies) // 6]:
        async with opened(directory) as store:
            await furnish(store)
            assert len(await store.bots()) == len(BOTS)


async def test_a_file_of_noise_is_corrupt(tmp_path: Path) -> None:
    (tmp_path / "arena.db").write_bytes(b"noise " * 1000)
    refused = await refusal(tmp_path)
    assert refused.code == "STORE_CORRUPT"
    assert refused.where == str(tmp_path / "arena.db")


@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
async def test_a_file_that_was_cut_is_corrupt(used: Path, part: float) -> None:
    file = used / "arena.db"
    whole = file.read_bytes()
    file.write_bytes(whole[: int(len(whole) * part)])
    assert (await refusal(used)).code == "STORE_CORRUPT"


async def test_a_page_of_noise_is_corrupt(used: Path) -> None:
    file = used / "arena.db"
    with sqlite3.connect(file) as database:
        page = database.execute("SELECT rootpage FROM sqlite_master WHERE name='seats'").fetchone()
    database.close()
    content = bytearray(file.read_bytes())
    start = (page[0] - 1) * 4096
    content[start : start + 4096] = b"\xa5" * 4096
    file.write_bytes(content)
    assert (await refusal(used)).code == "STORE_CORRUPT"


async def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "arena.db") as other:
        other.execute("CREATE TABLE notes (text)")
    other.close()
    refused = await refusal(tmp_path)
    assert refused.code == "STORE_CORRUPT"
    assert "another program" in refused.what


@pytest.mark.case("CR-08")
async def test_a_newer_schema_is_refused_with_both_versions(used: Path) -> None:
    with sqlite3.connect(used / "arena.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9014'")
    database.close()
    refused = await refusal(used)
    assert refused.code == "STORE_NEWER"
    known = migrate.known()[0]
    assert refused.what == (
        f"arena.db has schema 9014, this program knows {known}; nothing was touched."
    )


async def test_a_directory_is_held_by_one_store(used: Path) -> None:
    async with opened(used) as first:
        with pytest.raises(Refused, match="STORE_LOCKED"):
            await SqlStore(SqliteDatabase(used)).open()
        assert len(await first.bots()) == len(BOTS)
    async with opened(used):
        pass


async def test_a_store_that_was_refused_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "arena.db").write_bytes(b"noise " * 1000)
    await refusal(tmp_path)
    (tmp_path / "arena.db").unlink()
    async with opened(tmp_path) as store:
        found: tuple[Tournament, ...] = await store.tournaments()
        assert found == ()
