"""What a server does beside playing: takes up renewed certificates and changed settings."""

import asyncio
import time
from collections.abc import Callable, Collection, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import structlog

from saurodrome.server.certificates import Certificates
from saurodrome.server.config import SETTINGS, Config
from saurodrome.server.errors import Refused
from saurodrome.server.roster import Roster, admin_token
from saurodrome.server.store.access import NewAct, Place, Role
from saurodrome.server.store.interface import Store, StoreTrouble

CERTIFICATE_LOOK = 5.0
"""Seconds between two looks at the certificate's files."""
DAY = 86_400.0
RECORDS_LOOK = 3_600.0
"""Seconds between two looks for match records to delete."""
RECORDS_AT_ONCE = 200
RECORDS_PAUSE = 0.1
"""Seconds between two transactions that delete some."""
SOON = 14 * DAY
"""Seconds before its end from which a certificate is warned of."""

_log = structlog.get_logger("saurodrome.upkeep")


class Upkeep:
    """Tasks that run as long as the server does."""

    def __init__(self, failed: Callable[[str, BaseException], None]) -> None:
        """Does nothing yet; `failed` hears of a task that ended by a mistake of ours."""
        self._failed = failed
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Runs one more task."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._failed(f"upkeep: {task.get_name()}", error)

    async def stop(self) -> None:
        """Ends all tasks."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def renew(certificates: Certificates, every: float = CERTIFICATE_LOOK) -> None:
    """Takes up a renewed certificate whenever its files change; a broken one is only logged."""
    _warn_of_the_end(certificates)
    while True:
        await asyncio.sleep(every)
        try:
            if await asyncio.to_thread(certificates.look):
                _log.info("certificate renewed", ends=_day(certificates.ends))
                _warn_of_the_end(certificates)
        except Refused as refusal:
            _log.error("certificate not renewed", code=refusal.code, reason=refusal.what)


def _warn_of_the_end(certificates: Certificates) -> None:
    if certificates.ends - time.time() < SOON:
        _log.warning("certificate ends", ends=_day(certificates.ends))


def _day(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def warn_of_plaintext(host: str) -> None:
    """Says in the log that tokens travel in the clear."""
    _log.warning("plaintext", host=host)


async def forget_records(
    store: Store,
    dropped: Callable[[Collection[Place]], None],
    days: Callable[[], int],
    now: Callable[[], float] = time.time,
    every: float = RECORDS_LOOK,
) -> None:
    """Deletes match records of tournaments that ended long ago, a few at a time, for ever.

    Args:
        store: Where they are.
        dropped: Hears of the results that have no record any more.
        days: How many days they are kept; 0 keeps them always.
        now: Wall clock in Unix seconds.
        every: Seconds between two looks.
    """
    while True:
        kept, deleted = days(), 0
        try:
            while kept and (gone := await store.drop_records(now() - kept * DAY, RECORDS_AT_ONCE)):
                dropped(gone)
                deleted += len(gone)
                await asyncio.sleep(RECORDS_PAUSE)  # results come first
        except StoreTrouble as trouble:
            _log.warning("records not deleted", code=trouble.code)
        if deleted:
            _log.info("records deleted", records=deleted, days=kept)
        await asyncio.sleep(every)


async def renew_admin_token(roster: Roster, file: Path) -> None:
    """Takes up another token of the data directory; one that was deleted is made anew."""
    try:
        roster.use_admin_token(await admin_token(file))
    except Refused as refusal:
        _log.error("admin token not renewed", code=refusal.code, reason=refusal.what)


async def note_change(
    store: Store, changed: Collection[str], now: Callable[[], float] = time.time
) -> None:
    """Notes settings that were changed by signal in the audit log; they are in force already."""
    if not changed:
        return
    act = NewAct(now(), "operator", Role.ADMIN, "", "SIGHUP", " ".join(changed))
    try:
        await store.end_act(await store.add_act(act), "done")
    except StoreTrouble as trouble:
        _log.error("change not noted", code=trouble.code, changed=list(changed))


class Reloading:
    """The settings that are in force; `again` reads them anew and applies those that may change."""

    def __init__(
        self, config: Config, read: Callable[[], Config], apply: Callable[[Config], None]
    ) -> None:
        """Takes the settings of the start, how they are read, and what applies changed ones."""
        self.config = config
        self._read = read
        self._apply = apply

    async def again(self) -> tuple[str, ...]:
        """Applies what changed and may; says in the log what did, and what needs a restart.

        What is wrong with the settings changes nothing: the present ones stay.

        Returns:
            The settings that changed, by their keys.
        """
        try:
            read = await asyncio.to_thread(self._read)
        except Refused as refusal:
            _log.error(
                "settings not reloaded",
                code=refusal.code,
                reason=refusal.what,
                where=refusal.where,
                do=refusal.do,
            )
            return ()
        changes = {
            setting: getattr(read, setting.field)
            for setting in SETTINGS
            if getattr(read, setting.field) != getattr(self.config, setting.field)
        }
        now = {s.field: value for s, value in changes.items() if s.reload}
        self.config = replace(self.config, **now)
        self._apply(self.config)
        _log.info(
            "settings reloaded",
            changed={s.key: value for s, value in changes.items() if s.reload},
            need_restart=[s.key for s in changes if not s.reload],
        )
        return tuple(s.key for s in changes if s.reload)
