"""SQLite's errors in the words of the store."""

import sqlite3
from pathlib import Path

from saurodrome.server.errors import Kind, Refused
from saurodrome.server.store.interface import StoreTrouble

_PRIMARY = 0xFF
"""The low byte of an extended result code is its class."""

_TROUBLE = {
    sqlite3.SQLITE_FULL: "STORE_FULL",
    sqlite3.SQLITE_BUSY: "STORE_LOCKED",
    sqlite3.SQLITE_LOCKED: "STORE_LOCKED",
    sqlite3.SQLITE_READONLY: "STORE_READONLY",
    sqlite3.SQLITE_PERM: "STORE_READONLY",
}


def trouble(error: BaseException | None) -> StoreTrouble:
    """Maps an error of the driver to the store's trouble."""
    code = getattr(error, "sqlite_errorcode", 0)
    if code == sqlite3.SQLITE_READONLY_DBMOVED:
        return StoreTrouble("STORE_GONE", str(error))
    name = getattr(error, "sqlite_errorname", "")
    what = f"{error} ({name})" if name else str(error)
    return StoreTrouble(_TROUBLE.get(code & _PRIMARY, "STORE_FAILING"), what)


def gone(path: Path) -> StoreTrouble:
    """The file is not the one that was opened."""
    return StoreTrouble(
        "STORE_GONE",
        f"{path} was removed or replaced while the server runs: put it back, or stop the"
        " server and restore a backup",
    )


def is_corrupt(error: sqlite3.DatabaseError) -> bool:
    """Whether the file is at fault, which no second try mends."""
    code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def corrupt(path: Path, what: str) -> Refused:
    """The file is not, or no longer, a database of this program."""
    return Refused(
        Kind.UNAVAILABLE,
        "STORE_CORRUPT",
        f"{path.name} cannot be read: {what}; nothing was touched.",
        str(path),
        "move it away and restore a backup",
    )


def no_file(path: Path) -> Refused:
    """A directory is where the file should be."""
    return Refused(
        Kind.UNAVAILABLE,
        "STORE_UNUSABLE",
        f"{path.name} is a directory, and should be a file; nothing was touched.",
        str(path),
        "move it away; the server makes the file if there is none",
    )


def emptied(path: Path) -> Refused:
    """The file is there without anything in it, in a directory that was in use before."""
    return Refused(
        Kind.UNAVAILABLE,
        "STORE_EMPTY",
        f"{path.name} has 0 bytes, but this data directory was in use before: its bots,"
        " tournaments and results are gone from it.",
        str(path),
        "restore a backup; to begin anew, delete the file",
    )


def newer(path: Path, version: str, known: str) -> Refused:
    """A newer program wrote the file."""
    return Refused(
        Kind.UNAVAILABLE,
        "STORE_NEWER",
        f"{path.name} has schema {version}, this program knows {known}; nothing was touched.",
        str(path),
        "install the version that wrote it, or restore an older backup",
    )
