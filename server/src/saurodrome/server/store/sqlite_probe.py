"""A look at a database file before it is opened for writing: touch nothing that is not ours."""

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from saurodrome.server.store import migrate, sqlite_errors
from saurodrome.server.store.interface import StoreTrouble

PATIENCE = 2.0
"""Seconds that the check of a whole file may take; a larger file is checked as far as that."""

_STEPS = 100_000
"""Virtual machine steps of SQLite between two looks at the clock."""


def check(path: Path) -> None:
    """Makes the file for its owner alone if it is not there, else checks that it can be used.

    Raises:
        Refused: STORE_CORRUPT, STORE_NEWER, or STORE_UNUSABLE where a directory is in the way.
        StoreTrouble: The file cannot be read now.
    """
    if path.is_dir():
        raise sqlite_errors.no_file(path)
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        if path.stat().st_size == 0:
            return
        with closing(sqlite3.connect(read_only(path), uri=True)) as file:
            _check_pages(file, path)
            check_version(file, path)
    except OSError as error:
        raise StoreTrouble("STORE_READONLY", f"{path}: {error.strerror or error}") from error
    except sqlite3.DatabaseError as error:
        if sqlite_errors.is_corrupt(error):
            raise sqlite_errors.corrupt(path, str(error)) from error
        raise sqlite_errors.trouble(error) from error


def read_only(path: Path) -> str:
    """The address under which SQLite opens the file and makes no other beside it.

    What a killed server left in the write-ahead log is part of the database and is read.
    """
    log = path.with_name(path.name + "-wal")
    left_behind = log.exists() and log.stat().st_size > 0
    return f"{path.absolute().as_uri()}?mode=ro{'' if left_behind else '&immutable=1'}"


def _check_pages(file: sqlite3.Connection, path: Path) -> None:
    until = time.monotonic() + PATIENCE
    file.set_progress_handler(lambda: time.monotonic() > until, _STEPS)
    try:
        verdict = file.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
            raise
        verdict = "ok"
    finally:
        file.set_progress_handler(None, 0)
    if verdict != "ok":
        raise sqlite_errors.corrupt(path, verdict)


def check_version(file: sqlite3.Connection, path: Path) -> None:
    """Checks that a database is one of this program's, and not of a newer one's.

    Raises:
        Refused: STORE_CORRUPT or STORE_NEWER.
    """
    tables = {name for (name,) in file.execute("SELECT name FROM sqlite_master")}
    if not tables:
        return
    if migrate.VERSION_TABLE not in tables:
        raise sqlite_errors.corrupt(path, "it is a database of another program")
    versions = [v for (v,) in file.execute(f"SELECT version_num FROM {migrate.VERSION_TABLE}")]
    known = migrate.known()
    for version in versions:
        if version not in known:
            raise sqlite_errors.newer(path, version, known[0])
