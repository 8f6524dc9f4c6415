"""Backups: as of one moment while others write, checked, and back again."""

import asyncio
import shutil
import sqlite3
import stat
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from saurodrome.server.errors import Refused
from saurodrome.server.store import backup as backups
from saurodrome.server.store import migrate
from saurodrome.server.store.backup import Contents, backup, inspect, restore
from saurodrome.server.store.lock import DirectoryLock
from saurodrome.server.store.rehearsal import migrate_with_backup, rehearse
from saurodrome.server.store.sql import SqlStore
from saurodrome.server.store.sqlite import FILE, SqliteDatabase
from tests.server.store.samples import CUP, batch_of, furnish, new_result, placed


class Live:
    """A store that is open on a data directory, as a server's is."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.store = SqlStore(SqliteDatabase(data))
        self.results = 0

    async def play(self, matches: int) -> None:
        """Commits results, one at a time."""
        for _ in range(matches):
            self.results += 1
            result = placed(new_result(self.results, record=b"r" * 3_000), self.results)
            await self.store.commit(batch_of(result))


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[Live]:
    """A store in use."""
    server = Live(tmp_path / "data")
    await server.store.open()
    await furnish(server.store)
    yield server
    await server.store.close()


async def copy_of(live: Live, name: str = "b.db") -> tuple[Path, Contents]:
    """A backup, made beside the loop as another process would."""
    target = live.data.parent / "backups" / name
    return target, await asyncio.to_thread(backup, live.data, target)


def contents(data: Path) -> dict[str, bytes]:
    """What lies in a directory, but for the lock."""
    return {file.name: file.read_bytes() for file in data.iterdir() if file.name != "lock"}


def code_of(refused: pytest.ExceptionInfo[Refused]) -> str:
    """Why it was refused."""
    return refused.value.code


async def test_a_backup_has_all_that_was_committed_records_included(live: Live) -> None:
    await live.play(3)
    target, contents = await copy_of(live)
    assert (contents.bots, contents.tournaments, contents.results, contents.records) == (3, 1, 3, 3)
    assert contents.newest == 400.125 + 3
    assert contents.size == target.stat().st_size  # though the original is mostly in its log
    assert (live.data / FILE).stat().st_size < contents.size
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert [file.name for file in target.parent.iterdir()] == ["b.db"]


async def test_a_backup_amid_commits_is_as_of_one_moment(live: Live) -> None:
    await live.play(1)
    playing = asyncio.create_task(live.play(40))
    copies = [await copy_of(live, f"{number}.db") for number in range(3)]
    await playing
    for target, contents in copies:
        with closing(sqlite3.connect(target)) as database:
            positions = [p for (p,) in database.execute("SELECT position FROM results ORDER BY 1")]
        assert positions == list(range(1, contents.results + 1))
        assert contents.records == contents.results
    assert await live.store.last_position(CUP) == 41


async def test_the_directory_is_free_again_after_a_backup_without_a_server(live: Live) -> None:
    await live.store.close()
    before = contents(live.data)
    await copy_of(live)
    assert contents(live.data) == before
    lock = DirectoryLock(live.data, "a test")
    lock.take()
    lock.release()


async def test_what_a_killed_server_left_in_its_log_is_in_the_backup(
    live: Live, tmp_path: Path
) -> None:
    await live.play(2)
    killed = tmp_path / "killed"
    shutil.copytree(live.data, killed)  # its write-ahead log, too
    assert (killed / f"{FILE}-wal").stat().st_size > 0
    assert backup(killed, tmp_path / "k.db").results == 2


def test_without_a_database_there_is_no_backup(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        backup(tmp_path, tmp_path / "x.db")
    assert code_of(refused) == "NO_STORE"
    assert not (tmp_path / "x.db").exists()


async def test_a_backup_that_cannot_be_written_leaves_the_one_of_before(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, _ = await copy_of(live)
    before = target.read_bytes()

    def full(needed: int, folder: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backups, "_room_for", full)
    with pytest.raises(Refused) as refused:
        await copy_of(live)
    assert code_of(refused) == "BAD_TARGET"
    assert "no space left" in refused.value.what
    assert target.read_bytes() == before


# and back again


async def test_a_backup_comes_back_as_it_was(live: Live, tmp_path: Path) -> None:
    await live.play(3)
    target, contents = await copy_of(live)
    restored, aside = restore(target, tmp_path / "new")
    assert (restored, aside) == (contents, None)
    store = SqlStore(SqliteDatabase(tmp_path / "new"))
    await store.open()
    assert await store.results(CUP) == await live.store.results(CUP)
    assert await store.record("cup/1/2/1") == b"r" * 3_000
    assert await store.tokens() == await live.store.tokens()
    await store.close()


async def test_nothing_is_restored_under_a_running_server(live: Live) -> None:
    target, _ = await copy_of(live)
    with pytest.raises(Refused) as refused:
        restore(target, live.data, replace=True)
    assert code_of(refused) == "STORE_LOCKED"


async def test_what_is_there_is_kept_and_set_aside_only_if_told(live: Live) -> None:
    await live.play(1)
    target, _ = await copy_of(live)
    await live.play(2)
    await live.store.close()
    with pytest.raises(Refused) as refused:
        restore(target, live.data)
    assert code_of(refused) == "STORE_EXISTS"
    assert inspect(live.data / FILE).results == 3
    restored, aside = restore(target, live.data, replace=True)
    assert aside is not None
    assert (restored.results, inspect(live.data / FILE).results, inspect(aside).results) == (
        1,
        1,
        3,
    )


def test_a_file_that_is_no_backup_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("no database" * 100)
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE t (x)")
        other.commit()
    for name, code in (
        ("text.db", "STORE_CORRUPT"),
        ("other.db", "STORE_CORRUPT"),
        ("-", "NO_STORE"),
    ):
        with pytest.raises(Refused) as refused:
            restore(tmp_path / name, tmp_path / "data")
        assert code_of(refused) == code
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("damage", ["pages", "rows", "newer"])
async def test_a_damaged_backup_is_refused_before_anything_is_touched(
    live: Live, tmp_path: Path, damage: str
) -> None:
    await live.play(20)
    target, _ = await copy_of(live)
    if damage == "pages":
        whole = bytearray(target.read_bytes())
        whole[len(whole) // 2 : len(whole) // 2 + 8_000] = b"\xff" * 8_000
        target.write_bytes(whole)
    else:
        change = {
            "rows": "DELETE FROM bots WHERE name = 'ada'",
            "newer": "UPDATE alembic_version SET version_num = '9999'",
        }
        with closing(sqlite3.connect(target)) as database:
            database.execute(change[damage])
            database.commit()
    with pytest.raises(Refused) as refused:
        restore(target, tmp_path / "new")
    assert code_of(refused) == ("STORE_NEWER" if damage == "newer" else "STORE_CORRUPT")
    assert not (tmp_path / "new").exists()


def test_old_backups_are_thinned_out_by_their_names(tmp_path: Path) -> None:
    names = [backups.name_at(86_400.0 * day) for day in range(5)]
    for name in (*names, "notes.txt"):
        (tmp_path / name).touch()
    assert backups.newest(tmp_path) == tmp_path / names[4]
    gone = backups.thin_out(tmp_path, 2)
    assert sorted(path.name for path in gone) == names[:3]
    assert sorted(path.name for path in tmp_path.iterdir()) == [*names[3:], "notes.txt"]


# migrations on trial


def as_of_version_1(data: Path) -> None:
    """Makes a database of the first schema, with bots and their tokens as they were kept then."""
    engine = sa.create_engine(f"sqlite:///{data / FILE}")
    with engine.begin() as connection:
        migrate.upgrade(connection, "0001")
        for number, name in enumerate(("ada", "bob", "cyd"), 1):
            connection.execute(
                sa.text("INSERT INTO bots VALUES (:n, :b, :b, '', 'id-' || :b, :h, 100.5, NULL)"),
                {"n": number, "b": name, "h": b"\0hash"},
            )
    engine.dispose()


async def test_a_rehearsal_says_what_migrations_do_and_does_nothing(tmp_path: Path) -> None:
    as_of_version_1(tmp_path)
    before = contents(tmp_path)
    rehearsal = await rehearse(tmp_path)
    assert rehearsal.before.schema == "0001"
    assert [number for number, _ in rehearsal.steps][:2] == ["0002", "0003"]
    assert rehearsal.after.schema == rehearsal.steps[-1][0]
    assert rehearsal.after[2:] == rehearsal.before[2:]
    assert contents(tmp_path) == before
    assert list(before) == [FILE]


async def test_bots_keep_their_tokens_through_migrations_and_a_backup_of_before_is_kept(
    tmp_path: Path,
) -> None:
    as_of_version_1(tmp_path)
    kept = tmp_path / "backups" / "before.db"
    done = await migrate_with_backup(tmp_path, kept)
    assert (inspect(kept).schema, done.after.schema) == ("0001", done.steps[-1][0])
    store = SqlStore(SqliteDatabase(tmp_path))
    await store.open()
    tokens = [(t.holder, t.token_id, t.digest) for t in await store.tokens()]
    await store.close()
    assert tokens == [(name, f"id-{name}", b"\0hash") for name in ("ada", "bob", "cyd")]


async def test_a_database_that_is_up_to_date_takes_no_step(live: Live) -> None:
    rehearsal = await rehearse(live.data)
    assert rehearsal.steps == ()
    assert rehearsal.before.schema == rehearsal.after.schema
