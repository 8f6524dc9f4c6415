"""A server that is killed at any moment has lost nothing that it acknowledged."""

import asyncio
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from saurodrome.server.store.records import Result
from saurodrome.server.store.sql import SqlStore
from saurodrome.server.store.sqlite import SqliteDatabase
from tests.server.store.samples import CUP, check_log

ROOT = Path(__file__).parents[3]
KILLS = 20
COMMITTER = [sys.executable, "-m", "tests.server.store.committer"]


def commit_for(seconds: float, directory: Path) -> list[str]:
    """Runs the committer, kills it so long after its first result, and gives what it said."""
    command = [*COMMITTER, str(directory)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as child:
        assert child.stdout
        assert child.stdout.readline() == "ready\n"
        first = child.stdout.readline()
        time.sleep(seconds)
        child.kill()
        # A line that the pipe has whole was said; the committer writes lines whole.
        return [first.strip(), *child.stdout.read().split()]


async def log_of(directory: Path) -> tuple[Result, ...]:
    """The log in a directory, checked."""
    store = SqlStore(SqliteDatabase(directory))
    await store.open()
    results = await store.results(CUP)
    check_log(results, await store.ratings(CUP))
    assert await store.record(results[-1].match_id) == b"r" * 3000
    await store.close()
    return results


@pytest.mark.wire
async def test_twenty_kills_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    moments = random.Random(time.time_ns())
    said: list[str] = []
    for _ in range(KILLS):
        said += commit_for(moments.uniform(0.0, 0.1), tmp_path)
    stored = Counter(result.match_id for result in await log_of(tmp_path))
    assert len(said) > KILLS
    assert len(set(said)) == len(said)
    assert {match: stored[match] for match in said} == dict.fromkeys(said, 1)


@pytest.mark.wire
async def test_a_file_that_may_not_grow_loses_nothing(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *COMMITTER, str(tmp_path), "400000", stdout=subprocess.PIPE, cwd=ROOT
    )
    output, _ = await process.communicate()
    assert process.returncode == 0
    ready, *said = output.decode().split()
    trouble = [line for line in said if line.startswith("STORE_")]
    matches = [line for line in said if line not in trouble]
    assert ready == "ready"
    assert set(trouble) <= {"STORE_FULL", "STORE_FAILING"}
    assert trouble
    results = await log_of(tmp_path)
    assert sorted(result.match_id for result in results) == sorted(matches)
