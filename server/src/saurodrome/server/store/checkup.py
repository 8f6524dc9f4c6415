"""A look at a database that a server may be writing to: sound, and of which version."""

import sqlite3
from pathlib import Path
from typing import NamedTuple

from saurodrome.server.store import migrate
from saurodrome.server.store.backup import Contents, contents_of, opened


class Checkup(NamedTuple):
    """What was found.

    Attributes:
        contents: What is in it.
        verdict: `ok`, or the first fault.
        pending: Schema versions that this program would bring it to, first to last.
    """

    contents: Contents
    verdict: str
    pending: tuple[str, ...]


def look(data: Path) -> Checkup:
    """Checks a data directory's database, all of it.

    Raises:
        Refused: NO_STORE, STORE_CORRUPT or STORE_NEWER.
        StoreTrouble: It cannot be read now.
    """
    with opened(data) as database:
        contents = contents_of(database)
        pending = tuple(number for number, _ in migrate.steps(contents.schema))
        return Checkup(contents, _verdict(database), pending)


def _verdict(database: sqlite3.Connection) -> str:
    (whole,) = database.execute("PRAGMA integrity_check(1)").fetchone()
    loose = database.execute("PRAGMA foreign_key_check").fetchone()
    return f"row without its {loose[2]} in {loose[0]}" if whole == "ok" and loose else str(whole)
