"""A process that commits results as fast as it can and says which are committed.

Usage: python -m tests.server.store.committer DIRECTORY [BYTES]. It prints `ready`, then a line
for each match whose result it was acknowledged. With BYTES, no file may grow beyond that until
the store has had trouble; then the limit is lifted, and it ends by itself 50 results later.
"""

import asyncio
import itertools
import os
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from saurodrome.server.observer import Observer
from saurodrome.server.recorder import Recorder
from saurodrome.server.store.sql import SqlStore
from saurodrome.server.store.sqlite import SqliteDatabase
from tests.server.store.samples import CUP, furnish, lease, match_id, new_result

CALLERS = 8


def say(line: str) -> None:
    """Prints a line at once and whole."""
    os.write(1, f"{line}\n".encode())


class Limit(Observer):
    """Limits the size of files until the store has trouble."""

    def __init__(self, size: int) -> None:
        """Sets the limit; 0 sets none."""
        self.lifted = False
        self.hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        if size:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, self.hard))

    def commit_failed(self, code: str, message: str, retry: float) -> None:
        """Lifts it."""
        say(code)
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.hard, self.hard))
        self.lifted = True


async def call(recorder: Recorder, numbers: Iterator[int], limit: Limit) -> None:
    """Plays one match after the other."""
    more = 50
    while more:
        number = next(numbers)
        ada_wins = time.time_ns() % 3 > 0
        placements = {"ada": 1, "bob": 2} if ada_wins else {"bob": 1, "ada": 2}
        await recorder.lease(lease(number))
        await recorder.result(new_result(number, placements=placements, record=b"r" * 3000))
        say(match_id(number))
        more -= limit.lifted


async def main(directory: Path, size: int) -> None:
    """Commits until it is killed."""
    store = SqlStore(SqliteDatabase(directory))
    await store.open()
    if not await store.tournaments():
        await furnish(store)
    await store.void_open_leases("restart", 0.0)
    known = {result.match_id for result in await store.results(CUP)}
    known |= (await store.attempts(CUP)).keys()
    numbers = itertools.count(max((int(match.split("/")[2]) for match in known), default=0) + 1)
    limit = Limit(size)
    recorder = Recorder(store, limit)
    recorder.start()
    say("ready")
    await asyncio.gather(*(call(recorder, numbers, limit) for _ in range(CALLERS)))
    await recorder.stop()
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
