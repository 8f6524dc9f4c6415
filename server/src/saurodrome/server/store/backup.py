"""Backups of a database, made while a server writes to it, and their way back.

A backup is one SQLite file of its owner's alone. Bots, tournaments, results, ratings, faults,
match records, digests of tokens and the audit log are in it; the administrator's token is not.
"""

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from saurodrome.server.errors import Kind, Refused
from saurodrome.server.store import migrate, sqlite_errors, sqlite_probe
from saurodrome.server.store.lock import DirectoryLock
from saurodrome.server.store.sqlite import FILE

_COUNTED = ("bots", "tournaments", "results", "records")


class Contents(NamedTuple):
    """What is in a database.

    Attributes:
        schema: The version of its schema.
        size: Its bytes.
        bots: How many.
        tournaments: How many.
        results: How many.
        records: How many match records.
        newest: When the newest result came, Unix seconds; None if there is none.
    """

    schema: str
    size: int
    bots: int
    tournaments: int
    results: int
    records: int
    newest: float | None


def backup(data: Path, target: Path) -> Contents:
    """Writes a backup of a data directory's database, also while a server runs on it.

    It is as of one moment. It is checked and on the disk when this returns; a file of the same
    name is replaced only then.

    Raises:
        Refused: NO_STORE, STORE_CORRUPT, STORE_FULL, or BAD_TARGET.
    """
    source = data / FILE
    part = target.with_name(f"{target.name}.part")
    try:
        with opened(data) as live:
            _make(part)
            _room_for(_bytes(live), target.parent)
            with closing(sqlite3.connect(part)) as copy:
                live.backup(copy)  # in one go: in steps it would begin anew at each commit
                copy.execute("PRAGMA journal_mode=DELETE")
        contents = inspect(part)
        _settle(part, target)
    except sqlite3.DatabaseError as error:
        part.unlink(missing_ok=True)
        raise _sqlite(error, source) from error
    except OSError as error:
        part.unlink(missing_ok=True)
        raise _bad_target(target, error) from error
    return contents


def restore(file: Path, data: Path, *, replace: bool = False) -> tuple[Contents, Path | None]:
    """Puts a backup in the place of a data directory's database, while no server runs on it.

    Args:
        file: The backup.
        data: The data directory; made if it is not there.
        replace: What is there is set aside, whole, under another name in the directory.

    Returns:
        What was restored, and where the database of before is now, if there was one.

    Raises:
        Refused: NO_STORE, STORE_CORRUPT, STORE_NEWER, STORE_LOCKED, STORE_EXISTS, STORE_FULL,
            or BAD_TARGET; nothing was changed then.
    """
    contents = inspect(file)
    lock = DirectoryLock(data, "saurodrome restore")
    lock.take()
    place, new = data / FILE, data / f"{FILE}.restoring"
    try:
        there = place.exists() and place.stat().st_size > 0
        if there and not replace:
            raise _exists(place)
        _room_for(contents.size, data)
        shutil.copyfile(file, new)
        new.chmod(0o600)
        aside = _set_aside(place) if there else None
        _settle(new, place)
    except OSError as error:
        raise _bad_target(place, error) from error
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        lock.release()
    return contents, aside


def inspect(file: Path) -> Contents:
    """Checks a database that nobody writes to, all of it, and counts what is in it.

    Raises:
        Refused: NO_STORE, STORE_CORRUPT or STORE_NEWER.
    """
    if not file.is_file() or file.stat().st_size == 0:
        raise _no_store(file)
    with _whole(sqlite_probe.read_only(file), file) as database:
        for check in ("integrity_check(1)", "foreign_key_check"):
            found = database.execute(f"PRAGMA {check}").fetchone()
            if found is not None and found[0] != "ok":
                raise sqlite_errors.corrupt(file, f"{check} says {found[0]}")
        return contents_of(database)


def contents_of(database: sqlite3.Connection) -> Contents:
    """Counts what is in a database."""
    schema = database.execute(f"SELECT version_num FROM {migrate.VERSION_TABLE}").fetchone()[0]
    bots, tournaments, results, records = (
        database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in _COUNTED
    )
    newest = database.execute("SELECT max(ended) FROM results").fetchone()[0]
    return Contents(schema, _bytes(database), bots, tournaments, results, records, newest)


def _bytes(database: sqlite3.Connection) -> int:
    """The bytes of a database, those included that are in its log still."""
    (pages,) = database.execute("PRAGMA page_count").fetchone()
    (each,) = database.execute("PRAGMA page_size").fetchone()
    return int(pages) * int(each)


def newest(folder: Path) -> Path | None:
    """The newest backup in a folder by its name; None if there is none."""
    return max(folder.glob("arena-*.db"), default=None)


def name_at(now: float) -> str:
    """The name of a backup made at a time: names sort as times do."""
    return f"arena-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime(now))}.db"


def thin_out(folder: Path, keep: int) -> tuple[Path, ...]:
    """Deletes all but the newest backups of a folder; gives those that are gone."""
    gone = tuple(sorted(folder.glob("arena-*.db"), reverse=True)[keep:])
    for file in gone:
        file.unlink(missing_ok=True)
    return gone


@contextmanager
def opened(data: Path) -> Iterator[sqlite3.Connection]:
    """A data directory's database, to read, also while a server runs on it.

    Raises:
        Refused: NO_STORE, STORE_CORRUPT or STORE_NEWER.
        StoreTrouble: It cannot be read now.
    """
    file = data / FILE
    if not file.is_file() or file.stat().st_size == 0:
        raise _no_store(file)
    with _reading(data) as address, _whole(address, file) as database:
        yield database


def _make(file: Path) -> None:
    """Makes an empty file that its owner alone can read."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


@contextmanager
def _reading(data: Path) -> Iterator[str]:
    """The address to read a live database under; without a server nobody may start meanwhile."""
    lock = DirectoryLock(data, "saurodrome backup")
    try:
        lock.take()
    except Refused as refused:
        if refused.code != "STORE_LOCKED":
            raise
        yield f"{(data / FILE).absolute().as_uri()}?mode=ro"
        return
    try:
        yield sqlite_probe.read_only(data / FILE)
    finally:
        lock.release()


@contextmanager
def _whole(address: str, file: Path) -> Iterator[sqlite3.Connection]:
    """Opens a database to read, if it is one of this program's."""
    try:
        with closing(sqlite3.connect(address, uri=True, timeout=10.0)) as database:
            sqlite_probe.check_version(database, file)
            yield database
    except sqlite3.DatabaseError as error:
        raise _sqlite(error, file) from error


def _set_aside(place: Path) -> Path:
    """Gives the database of before another name as well; the next step takes away its own.

    What its log holds goes into it first, if it can.
    """
    with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(place)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    aside = place.with_name(f"{FILE}.before-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}")
    aside.unlink(missing_ok=True)
    aside.hardlink_to(place)
    for end in ("-wal", "-shm"):
        log = place.with_name(place.name + end)
        if log.exists():
            log.replace(aside.with_name(aside.name + end))
    return aside


def _settle(part: Path, target: Path) -> None:
    """Gives a finished file its name, on the disk."""
    _sync(part)
    part.replace(target)
    _sync(target.parent)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _room_for(needed: int, folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise Refused(
            Kind.UNAVAILABLE,
            "STORE_FULL",
            f"{needed:,} bytes are needed, {free:,} are free; nothing was changed.",
            str(folder),
            "make room there, or name another folder",
        )


def _sqlite(error: sqlite3.DatabaseError, file: Path) -> Exception:
    if sqlite_errors.is_corrupt(error):
        return sqlite_errors.corrupt(file, str(error))
    return sqlite_errors.trouble(error)


def _no_store(file: Path) -> Refused:
    return Refused(
        Kind.NOT_FOUND,
        "NO_STORE",
        "There is no database here, or an empty one.",
        str(file),
        "name the data directory of a server with --data, or the file of a backup",
    )


def _exists(file: Path) -> Refused:
    return Refused(
        Kind.EXISTS,
        "STORE_EXISTS",
        "The data directory has a database already; nothing was changed.",
        str(file),
        "add --replace: it is set aside then, under another name",
    )


def _bad_target(target: Path, error: OSError) -> Refused:
    return Refused(
        Kind.UNAVAILABLE,
        "BAD_TARGET",
        f"It cannot be written: {(error.strerror or str(error)).lower()}.",
        str(target),
        "name a place that this user may write to, on a disk with room",
    )
