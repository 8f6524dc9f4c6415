"""What the metrics page reads at a scrape, and how late the loop comes."""

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from saurodrome.server.arbiter import Arbiter
from saurodrome.server.certificates import Certificates
from saurodrome.server.contracts import TableRow
from saurodrome.server.log import LogObserver
from saurodrome.server.metrics import Metrics
from saurodrome.server.metrics.catalogue import MAX_TOURNAMENTS
from saurodrome.server.observer import Observer, Observers
from saurodrome.server.store.records import TournamentState
from saurodrome.server.store.sqlite import FILE
from saurodrome.server.tournament.organiser import Organiser

LOOK = 0.1
"""Seconds between two looks at how late the loop is."""


TABLE_SHARE = 0.05
"""Share of the time that may go into tables for the metrics page."""


class LatestTable:
    """The table of the tournament that runs, or of the newest one, as it was last made.

    A scrape never waits for a table: it asks for the next one, which is made in the background,
    one at a time, and not again before twenty times as long has passed as that took.
    """

    def __init__(self, organiser: Organiser, failed: Callable[[str, BaseException], None]) -> None:
        """Takes who makes tables, and who hears of one that could not be made."""
        self._organiser = organiser
        self._failed = failed
        self._made: tuple[list[tuple[str, TableRow]], dict[tuple[str, ...], float]] = ([], {})
        self.position: dict[tuple[str, ...], float] = {}
        """The position of the log at which the rows stand that were read last, by tournament.

        Another table may be made while a page is: its position is not that of the page's rows.
        """
        self._making: asyncio.Task[None] | None = None
        self._not_before = float("-inf")

    def rows(self) -> list[tuple[str, TableRow]]:
        """The rows of the last one, best first, each with the tournament's name."""
        loop = asyncio.get_running_loop()
        if loop.time() >= self._not_before and (self._making is None or self._making.done()):
            self._making = loop.create_task(self._make(), name="table for metrics")
        rows, self.position = self._made
        return rows

    async def _make(self) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        latest = self._organiser.latest(MAX_TOURNAMENTS)
        name = next((p.tournament.settings.name for p in latest if p.done), "")
        if name:
            try:
                table = await self._organiser.standings(name)
            except Exception as error:  # the last one stays
                self._failed("table for metrics", error)
            else:
                rows = [(name, row) for row in table.rows]
                self._made = (rows, {(name,): table.progress.position})
        self._not_before = loop.time() + (loop.time() - began) / TABLE_SHARE


def watch(
    metrics: Metrics,
    arbiter: Arbiter,
    log: LogObserver,
    data: Path,
    certificates: Certificates | None,
) -> None:
    """Shows what is kept elsewhere.

    Args:
        metrics: Where it is shown.
        arbiter: What is read.
        log: What is read of the log.
        data: The data directory.
        certificates: The certificate that is served; None without TLS.
    """
    _watch_arbiter(metrics, arbiter, log)
    _watch_log(metrics, log)
    metrics.reading("store_bytes", lambda: (data / FILE).stat().st_size)
    metrics.reading("disk_free_bytes", lambda: _disk(data)[0])
    metrics.reading("disk_size_bytes", lambda: _disk(data)[1])
    metrics.reading(
        "certificate_expiry_timestamp_seconds", lambda: certificates.ends if certificates else None
    )
    metrics.reading("loop_tasks", lambda: len(asyncio.all_tasks()))


@contextmanager
def measured(observer: Observer) -> Iterator[None]:
    """Tells the observer ten times a second how late the running loop is."""
    task = asyncio.create_task(_measure(observer), name="loop lag")
    try:
        yield
    finally:
        task.cancel()


async def _measure(observer: Observer) -> None:
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LOOK
        await asyncio.sleep(LOOK)
        observer.loop_lagged(max(0.0, loop.time() - due))


def _watch_arbiter(metrics: Metrics, arbiter: Arbiter, log: LogObserver) -> None:
    recorder, organiser, lobby = arbiter.recorder, arbiter.organiser, arbiter.lobby
    metrics.reading("recorder_queue_items", lambda: recorder.waiting)
    metrics.reading("recorder_behind_seconds", lambda: recorder.behind)
    metrics.reading("decisions_open", lambda: lobby.load().decisions)
    metrics.reading("outbox_frames", lambda: lobby.load().frames)
    metrics.reading("matches_left", lambda: sum(p.total - p.done for p in organiser.running()))
    metrics.reading("tournament_matches", lambda: _matches(arbiter))
    metrics.reading("tournament_waiting", lambda: _waiting(arbiter))
    latest = LatestTable(organiser, Observers(metrics, log).error)
    metrics.table(latest.rows, lobby.connected)
    metrics.reading("table_log_position", lambda: latest.position)


def _watch_log(metrics: Metrics, log: LogObserver) -> None:
    metrics.reading("log_lines_dropped_total", log.dropped)
    metrics.reading("log_lines_total", lambda: {(k,): v for k, v in log.volume.written.items()})
    metrics.reading("log_lines_left_out_total", lambda: log.volume.left_out)
    metrics.reading("log_queue_lines", log.waiting)


def _matches(arbiter: Arbiter) -> dict[tuple[str, ...], float]:
    values: dict[tuple[str, ...], float] = {}
    for progress in arbiter.organiser.latest(MAX_TOURNAMENTS):
        name = progress.tournament.settings.name
        values[name, "done"] = progress.done
        values[name, "running"] = progress.running
        values[name, "left"] = progress.total - progress.done - progress.running
    return values


def _waiting(arbiter: Arbiter) -> dict[tuple[str, ...], float]:
    return {
        (progress.tournament.settings.name,): float(
            bool(progress.waiting_for) and not progress.running
        )
        for progress in arbiter.organiser.latest(MAX_TOURNAMENTS)
        if progress.tournament.state is TournamentState.RUNNING
    }


def _disk(folder: Path) -> tuple[int, int]:
    """Bytes that this process may still write there, and bytes in all."""
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize, disk.f_blocks * disk.f_frsize
