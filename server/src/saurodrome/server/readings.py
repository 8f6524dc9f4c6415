"""What the metrics page reads at a scrape, and how late the loop comes."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from saurodrome.server.arbiter import Arbiter
from saurodrome.server.certificates import Certificates
from saurodrome.server.log import LogObserver
from saurodrome.server.metrics import Metrics
from saurodrome.server.metrics.catalogue import MAX_TOURNAMENTS
from saurodrome.server.observer import Observer
from saurodrome.server.store.records import TournamentState
from saurodrome.server.store.sqlite import FILE

LOOK = 0.1
"""Seconds between two looks at how late the loop is."""


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
    _watch_arbiter(metrics, arbiter)
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


def _watch_arbiter(metrics: Metrics, arbiter: Arbiter) -> None:
    recorder, organiser, lobby = arbiter.recorder, arbiter.organiser, arbiter.lobby
    metrics.reading("recorder_queue_items", lambda: recorder.waiting)
    metrics.reading("recorder_behind_seconds", lambda: recorder.behind)
    metrics.reading("decisions_open", lambda: lobby.load().decisions)
    metrics.reading("outbox_frames", lambda: lobby.load().frames)
    metrics.reading("matches_left", lambda: sum(p.total - p.done for p in organiser.running()))
    metrics.reading("tournament_matches", lambda: _matches(arbiter))
    metrics.reading("tournament_waiting", lambda: _waiting(arbiter))
    metrics.table(organiser.newest_rows, lobby.connected)


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
        (progress.tournament.settings.name,): float(bool(progress.waiting_for) and not progress.running)
        for progress in arbiter.organiser.latest(MAX_TOURNAMENTS)
        if progress.tournament.state is TournamentState.RUNNING
    }


def _disk(folder: Path) -> tuple[int, int]:
    """Bytes that this process may still write there, and bytes in all."""
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize, disk.f_blocks * disk.f_frsize
