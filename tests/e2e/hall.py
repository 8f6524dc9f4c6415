"""A server in a process of its own whose store or log has trouble while bots play on it."""

import asyncio
import json
import sqlite3
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from saurodrome.client.tournaments import Match, Tournament
from tests.e2e.processes import ServerProcess
from tests.e2e.wirebots import Cup, WireBot

NAMES = ("ann", "bob", "cyd", "dan", "eve", "fay")
PATIENCE = 30.0
"""Seconds in which trouble must be told, and be over once its cause is."""


class Hall:
    """Six bots that play each other, and what an operator sees of it."""

    def __init__(self, server: ServerProcess) -> None:
        """Belongs to a server that serves."""
        self.server = server
        self.cup = Cup(server)
        self.bots: list[WireBot] = []
        self.thinks = 0.0
        """Seconds that every bot thinks."""

    @asynccontextmanager
    async def playing(self, *, thinks: float, limit: float, rounds: int = 1) -> AsyncIterator[None]:
        """Plays a round robin, three matches at once."""
        self.thinks = thinks
        await self.cup.begin(*NAMES, limit=limit, margin=0.0, rounds=rounds)
        async with AsyncExitStack() as stack:
            for name in NAMES:
                bot = WireBot(self.server.address, self.cup.tokens[name])
                bot.thinks = lambda number: self.thinks
                self.bots.append(await stack.enter_async_context(bot))
            yield

    async def progress(self) -> Tournament:
        """Where the tournament stands."""
        async with self.cup.client() as client:
            return await client.get("cup")

    async def done(self, matches: int) -> None:
        """Waits until so many matches have a result."""
        await self.until(lambda now: now.matches_done >= matches)

    async def until(self, holds: Callable[[Tournament], bool]) -> Tournament:
        """Waits until something holds of the tournament."""
        until = time.monotonic() + PATIENCE
        while not holds(now := await self.progress()):
            assert time.monotonic() < until, now
            await asyncio.sleep(0.05)
        return now

    async def over(self) -> list[Match]:
        """Waits for the end: each scheduled match once, and nobody was late."""
        matches = await self.cup.over()
        now = await self.progress()
        assert len(matches) == now.matches_done == now.matches_total
        assert max(Counter(match.match_id for match in matches).values()) == 1
        assert [match.log_position for match in matches] == list(range(1, len(matches) + 1))
        assert await self.cup.faults() == []
        assert {match.termination for match in matches} == {"finished"}
        return matches

    async def told(self, code: str, *, logged: bool = True) -> None:
        """Waits until trouble is told: by metric, health, to the organiser, in the log."""
        until = time.monotonic() + PATIENCE
        while not await self.metric("saurodrome_commit_failures_total", code=code):
            assert time.monotonic() < until, f"no {code}: {self.log()[-2000:]}"
            await asyncio.sleep(0.1)
        assert await self.metric("saurodrome_store_failing") == 1.0
        status, health = await self.health()
        assert (status, health["status"]) == (503, "degraded")
        assert code in json.dumps(health)
        assert f"results cannot be stored ({code})" in (await self.progress()).waiting_for
        assert not logged or code in self.log()

    async def well(self) -> None:
        """Waits until trouble is over and that is told as well."""
        until = time.monotonic() + PATIENCE
        while (await self.health())[0] != 200 or await self.metric("saurodrome_store_failing"):
            assert time.monotonic() < until, await self.health()
            await asyncio.sleep(0.1)

    async def metric(self, name: str, **labels: str) -> float:
        """A metric's value, the sum over all other labels; 0 if there is none."""
        page = (await asyncio.to_thread(_get, f"{self.server.web}/metrics"))[1]
        return sum(
            sample.value
            for family in text_string_to_metric_families(page)
            for sample in family.samples
            if sample.name == name and labels.items() <= sample.labels.items()
        )

    async def health(self) -> tuple[int, dict[str, Any]]:
        """What `/healthz` says."""
        status, page = await asyncio.to_thread(_get, f"{self.server.web}/healthz")
        return status, json.loads(page)

    def log(self) -> str:
        """The log file."""
        return (self.server.data / "saurodrome.log").read_text()


def _get(address: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(address) as page:
            return page.status, page.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@contextmanager
def locked(data: Path) -> Iterator[None]:
    """Holds the write lock of a server's database, as another program would."""
    with closing(sqlite3.connect(data / "arena.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")
