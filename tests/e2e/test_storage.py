"""Storage and log in trouble under a real server: it waits, tells, and loses nothing."""

import asyncio
import fcntl
import os
import resource
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.hall import Hall, locked
from tests.e2e.injection import Injection
from tests.e2e.processes import ServerProcess

pytestmark = [pytest.mark.wire, pytest.mark.timeout(180)]
SLOW = pytest.mark.slow


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[Hall]:
    """A hall on a server without trouble."""
    with ServerProcess(tmp_path / "data") as server:
        yield Hall(server)


async def test_a_full_disk_pauses_what_begins_and_loses_nothing(hall: Hall) -> None:
    """No file of the server may grow any more; its log loses lines, which are counted."""
    async with hall.playing(thinks=0.01, limit=1.0, rounds=2):
        await hall.done(2)
        size = max(path.stat().st_size for path in hall.server.data.glob("arena.db*"))
        _, hard = resource.prlimit(hall.server.pid, resource.RLIMIT_FSIZE, (size, -1))
        try:
            await hall.told("STORE_FAILING", logged=False)
            before = (await hall.progress()).matches_done
            await asyncio.sleep(1.0)
            now = await hall.progress()
            assert now.matches_done == before < now.matches_total
        finally:
            resource.prlimit(hall.server.pid, resource.RLIMIT_FSIZE, (hard, hard))
        await hall.well()
        await hall.over()


@pytest.mark.case("SF-05")
async def test_a_database_file_that_is_gone_acknowledges_nothing(hall: Hall) -> None:
    file = hall.server.data / "arena.db"
    away = file.with_name("away.db")
    async with hall.playing(thinks=0.01, limit=1.0):
        await hall.done(2)
        file.rename(away)
        begun = time.monotonic()
        await hall.told("STORE_GONE")
        assert time.monotonic() - begun <= 30.0
        before = (await hall.progress()).matches_done
        await asyncio.sleep(1.0)
        assert (await hall.progress()).matches_done == before
        away.rename(file)
        await hall.well()
        await hall.over()


@SLOW
@pytest.mark.case("SF-05")
async def test_a_server_whose_file_was_deleted_for_good_ends_when_it_is_told(hall: Hall) -> None:
    async with hall.playing(thinks=0.01, limit=1.0):
        await hall.done(2)
        (hall.server.data / "arena.db").unlink()
        await hall.told("STORE_GONE")
        begun = time.monotonic()
        assert await asyncio.to_thread(hall.server.terminate) == 0
        assert time.monotonic() - begun <= 15.0


@SLOW
@pytest.mark.case("SF-02")
async def test_a_lock_of_three_seconds_is_waited_for_without_a_word(hall: Hall) -> None:
    async with hall.playing(thinks=0.1, limit=0.35):  # 250 ms: five times the promise
        await hall.done(2)
        with locked(hall.server.data):
            await asyncio.sleep(3.0)
        hall.thinks = 0.005
        await hall.over()
    assert await hall.metric("saurodrome_commit_failures_total") == 0.0
    assert await hall.metric("saurodrome_commit_seconds_sum") >= 0.5


@SLOW
@pytest.mark.case("SF-02", "ML-05")
async def test_a_lock_of_fifteen_seconds_is_told_and_touches_no_clock(hall: Hall) -> None:
    async with hall.playing(thinks=0.5, limit=0.75):
        await hall.until(lambda now: now.matches_running >= 3)
        await asyncio.sleep(2.0)
        decided = await hall.metric("saurodrome_decisions_total")
        with locked(hall.server.data):
            begun = time.monotonic()
            await hall.told("STORE_LOCKED")
            assert await hall.metric("saurodrome_decisions_total") > decided  # play goes on
            await asyncio.sleep(15.0 - (time.monotonic() - begun))
        hall.thinks = 0.005
        await hall.well()
        await hall.over()


@SLOW
@pytest.mark.case("SF-03")
async def test_a_sync_that_fails_is_tried_again_and_counts_once(
    tmp_path: Path, injection: Injection
) -> None:
    fault = "error=EIO:when=45..52"  # in the tournament; eight tries take 11 s
    with ServerProcess(tmp_path / "data") as server:
        await asyncio.to_thread(restart_under, server, injection, "fdatasync,fsync", fault)
        hall = Hall(server)
        async with hall.playing(thinks=0.005, limit=2.0, rounds=2):
            await hall.told("STORE_FAILING")
            await hall.well()
            await hall.over()
        assert await asyncio.to_thread(server.terminate) == 0
        await asyncio.to_thread(server.start)
        assert (await hall.progress()).matches_done == 60
        assert (await hall.health())[0] == 200


@SLOW
@pytest.mark.parametrize(("error", "code"), [("ENOSPC", "STORE_FULL"), ("EROFS", "STORE_FAILING")])
async def test_a_disk_that_takes_no_writes_for_a_while(
    error: str, code: str, tmp_path: Path, injection: Injection
) -> None:
    """Full, or made read-only under the running server."""
    with ServerProcess(tmp_path / "data") as server:
        fault = f"error={error}:when=150..156"
        await asyncio.to_thread(restart_under, server, injection, "pwrite64", fault)
        hall = Hall(server)
        async with hall.playing(thinks=0.005, limit=2.0, rounds=2):
            await hall.told(code)
            await hall.well()
            await hall.over()


@SLOW
async def test_a_disk_that_is_read_only_from_the_start_is_refused_with_what_to_do(
    tmp_path: Path, injection: Injection
) -> None:
    with ServerProcess(tmp_path / "data") as server:
        await asyncio.to_thread(server.terminate)
        under = injection.into(server.data, "openat", "error=EROFS:when=1+")
        output = server.start_under(under)
        assert await asyncio.to_thread(server.dies) == 4
    printed = output.read_text()
    assert "error[STORE_READONLY]" in printed
    assert "\n  do     " in printed
    assert "Traceback" not in printed


@SLOW
@pytest.mark.case("SF-04")
async def test_a_slow_disk_costs_no_bot_a_decision(tmp_path: Path, injection: Injection) -> None:
    with ServerProcess(tmp_path / "data") as server:
        slow = "delay_exit=500000"
        await asyncio.to_thread(restart_under, server, injection, "fdatasync,fsync", slow)
        hall = Hall(server)
        async with hall.playing(thinks=0.02, limit=0.3):
            await hall.over()
        mean = await hall.metric("saurodrome_commit_seconds_sum") / await hall.metric(
            "saurodrome_commit_seconds_count"
        )
        print(f"a commit took {mean:.2f} s on average")
        assert mean >= 0.5


def restart_under(server: ServerProcess, injection: Injection, calls: str, fault: str) -> None:
    """Starts a server again, with a fault in its system calls; its database is made by then."""
    server.terminate()
    server.wait_until_it_serves(server.start_under(injection.into(server.data, calls, fault)))


def said(reader: int, word: bytes) -> None:
    """Reads until a word was said."""
    read = b""
    while word not in read:
        read += os.read(reader, 65536)


@pytest.mark.parametrize(
    "closed", [pytest.param(False, id="unread"), pytest.param(True, id="closed", marks=SLOW)]
)
async def test_a_log_pipe_that_nobody_reads_costs_lines_and_no_decision(
    closed: bool, tmp_path: Path
) -> None:
    """Also while the store has trouble, which is said on the same pipe."""
    server = ServerProcess(tmp_path / "data", 0, "--log-console", "--log-level", "debug")
    reader, server.output = os.pipe()
    fcntl.fcntl(reader, fcntl.F_SETPIPE_SZ, 4096)  # full after a few lines
    with server:
        if closed:
            await asyncio.to_thread(said, reader, b"token")
            os.close(reader)
        hall = Hall(server)
        async with hall.playing(thinks=0.01, limit=1.0):
            await hall.done(2)
            file = server.data / "arena.db"
            file.rename(away := file.with_name("away.db"))
            await hall.told("STORE_GONE")
            away.rename(file)
            await hall.over()
        if closed:
            assert await hall.metric("saurodrome_log_lines_dropped_total") > 0
        assert await asyncio.to_thread(server.terminate) == 0
    os.close(server.output)
    if not closed:
        os.close(reader)
