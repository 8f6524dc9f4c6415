"""Migrations on trial: on a copy of the database, so that it is known before what they do."""

import asyncio
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from saurodrome.server.store import migrate
from saurodrome.server.store.backup import Contents, backup, inspect
from saurodrome.server.store.sqlite import FILE, SqliteDatabase


class Rehearsal(NamedTuple):
    """What migrations did to a database or its copy.

    Attributes:
        before: What was in it.
        after: What is in it; the same counts, another schema.
        steps: The migrations, first to last: number and what it is about.
        seconds: How long they took.
    """

    before: Contents
    after: Contents
    steps: tuple[tuple[str, str], ...]
    seconds: float


async def rehearse(data: Path) -> Rehearsal:
    """Migrates a copy of a data directory's database, also while a server runs on it.

    Raises:
        Refused: As `backup`; also STORE_CORRUPT where the migrated copy is not sound.
    """
    with tempfile.TemporaryDirectory(prefix=".migration-", dir=data) as folder:
        before = await asyncio.to_thread(backup, data, Path(folder) / FILE)
        return await _migrated(before, Path(folder))


async def migrate_with_backup(data: Path, kept: Path) -> Rehearsal:
    """Migrates a data directory's database while no server runs, after a backup of it.

    Raises:
        Refused: As `backup` and `Store.open`; nothing was changed then.
    """
    return await _migrated(await asyncio.to_thread(backup, data, kept), data)


async def _migrated(before: Contents, folder: Path) -> Rehearsal:
    database = SqliteDatabase(folder, what="saurodrome migrate")
    began = time.monotonic()
    await database.open()
    seconds = time.monotonic() - began
    await database.close()
    after = await asyncio.to_thread(inspect, folder / FILE)
    return Rehearsal(before, after, migrate.steps(before.schema), seconds)
