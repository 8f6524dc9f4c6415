"""Whatever happens to callers, recorder and store: what was acknowledged is there, once."""

import asyncio
import tempfile
from collections.abc import Callable, Collection, Iterable
from contextlib import ExitStack
from pathlib import Path
from unittest import mock

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from saurodrome.server import recorder
from saurodrome.server.observer import Observer
from saurodrome.server.recorder import NotStored
from saurodrome.server.store.interface import BadBatch, Store, StoreTrouble
from saurodrome.server.store.memory import MemoryStore
from saurodrome.server.store.records import Batch, NewResult, Result
from saurodrome.server.store.sql import SqlStore
from saurodrome.server.store.sqlite import SqliteDatabase
from tests.server.store.samples import (
    CUP,
    check_log,
    fault,
    furnish,
    lease,
    new_result,
    void,
)
from tests.server.store.virtual import VirtualLoop

Attempt = tuple[int, int]
attempts = st.tuples(st.integers(1, 12), st.integers(1, 2))
placements = st.sampled_from([{"ada": 1, "bob": 2}, {"ada": 2, "bob": 1}, {"cyd": 1, "ada": 2}])


class Machine(RuleBasedStateMachine):
    """Results, leases and voids of twelve matches, in any order, with restarts between."""

    loop_factory: type[asyncio.AbstractEventLoop] | None = None

    def make(self) -> Store:
        """The store under test."""
        raise NotImplementedError

    @initialize()
    def begin(self) -> None:
        self.runner = asyncio.Runner(loop_factory=self.loop_factory)
        self.cleanup = ExitStack()
        self.plan: list[str] = []
        self.acknowledged: dict[str, Result] = {}
        self.told: set[tuple[str, int]] = set()
        self.maybe_void: set[Attempt] = set()
        self.leasing: list[asyncio.Future[None]] = []
        self.store = self.make()
        self.runner.run(self.store.open())
        self.runner.run(furnish(self.store))
        self.runner.run(self.renew())

    async def renew(self) -> None:
        """Starts a recorder, as a server does that comes back."""
        await self.store.void_open_leases("restart", 500.0)
        self.recorder = recorder.Recorder(self.store, Observer())
        self.recorder.start()

    async def tell(self, attempt: Attempt, new: NewResult) -> None:
        """Tells a result and checks what comes back."""
        self.told.add((new.match_id, new.attempt))
        try:
            result = await self.recorder.result(new)
        except BadBatch:
            assert attempt in self.maybe_void
        else:
            assert self.acknowledged.setdefault(new.match_id, result) == result

    @rule(told=st.lists(st.tuples(attempts, placements), min_size=1, max_size=6))
    def results(self, told: list[tuple[Attempt, dict[str, int]]]) -> None:
        async def tell_all() -> None:
            news = [(a, new_result(*a, placements=p)) for a, p in told]
            await asyncio.gather(*(self.tell(attempt, new) for attempt, new in news))

        self.runner.run(tell_all())

    @rule(attempt=attempts, turns=st.integers(0, 6))
    def result_of_a_caller_that_goes_away(self, attempt: Attempt, turns: int) -> None:
        async def go_away() -> None:
            waiting = asyncio.ensure_future(self.tell(attempt, new_result(*attempt)))
            for _ in range(turns):
                await asyncio.sleep(0)
            waiting.cancel()
            await ended(waiting)

        self.runner.run(go_away())

    @rule(begun=st.lists(attempts, max_size=4))
    def leases(self, begun: Iterable[Attempt]) -> None:
        async def lease_all() -> None:
            for attempt in begun:
                self.maybe_void.add(attempt)
                self.leasing.append(asyncio.ensure_future(self.recorder.lease(lease(*attempt))))
            await asyncio.sleep(0)

        self.runner.run(lease_all())

    @rule(attempt=attempts)
    def voids(self, attempt: Attempt) -> None:
        self.maybe_void.add(attempt)
        told = void(*attempt, faults=(fault(attempt[0], attempt=attempt[1]),))
        self.runner.run(self.recorder.void(told))

    @rule(plan=st.lists(st.sampled_from(["before", "after"]), min_size=1, max_size=3))
    def trouble(self, plan: list[str]) -> None:
        self.plan += plan

    def stumble(self, where: str) -> None:
        """Has the trouble that is planned before or after a commit."""
        if self.plan and self.plan[0] == where:
            self.plan.pop(0)
            raise StoreTrouble("STORE_FAILING", where)

    @rule()
    def restart(self) -> None:
        async def again() -> None:
            assert await self.recorder.stop(deadline=1000.0) == ()
            await self.store.close()
            await self.store.open()
            await self.renew()

        self.runner.run(again())

    @rule(told=st.lists(attempts, max_size=6), turns=st.integers(0, 9))
    def die_in_the_middle(self, told: list[Attempt], turns: int) -> None:
        async def die() -> None:
            waiting = [asyncio.ensure_future(self.tell(a, new_result(*a))) for a in told]
            for _ in range(turns):
                await asyncio.sleep(0)
            await self.recorder.stop(deadline=0.0)
            await ended(*waiting)
            await self.store.close()
            await self.store.open()
            await self.renew()

        self.runner.run(die())

    @invariant()
    def the_log_is_sound(self) -> None:
        async def check() -> None:
            while self.recorder.waiting:  # noqa: ASYNC110 what callers left that went away
                await asyncio.sleep(0.001)
            await ended(*self.leasing)
            self.leasing.clear()
            results = await self.store.results(CUP)
            check_log(results, await self.store.ratings(CUP))
            by_match = {result.match_id: result for result in results}
            assert self.acknowledged.items() <= by_match.items()
            assert {(r.match_id, r.attempt) for r in results} <= self.told
            assert not by_match.keys() & (await self.store.attempts(CUP)).keys()

        self.runner.run(check())

    def teardown(self) -> None:
        async def end() -> None:
            await self.recorder.stop(deadline=1000.0)
            await self.store.close()

        self.runner.run(end())
        self.runner.close()
        self.cleanup.close()


async def ended(*tasks: asyncio.Future[None]) -> None:
    """Waits for tasks that may have been cancelled or told that nothing was stored."""
    for outcome in await asyncio.gather(*tasks, return_exceptions=True):
        if outcome and not isinstance(outcome, asyncio.CancelledError | NotStored):
            raise outcome


class InMemory(Machine):
    """In virtual time."""

    loop_factory = VirtualLoop

    def make(self) -> Store:
        async def before(_: Batch) -> None:
            self.stumble("before")

        async def after(_: Batch) -> None:
            self.stumble("after")

        return MemoryStore(before, after)


class Stumbling(SqlStore):
    """A store on SQLite that has trouble as planned."""

    def __init__(self, directory: Path, stumble: Callable[[str], None]) -> None:
        super().__init__(SqliteDatabase(directory))
        self._stumble = stumble

    async def commit(self, batch: Batch) -> Collection[str]:
        self._stumble("before")
        before = await super().commit(batch)
        self._stumble("after")
        return before


class InSqlite(Machine):
    """In a file; the recorder hurries, since time is real."""

    def make(self) -> Store:
        self.cleanup.enter_context(mock.patch.multiple(recorder, GATHER=0.0, FIRST_RETRY=0.001))
        directory = self.cleanup.enter_context(tempfile.TemporaryDirectory())
        return Stumbling(Path(directory), self.stumble)


TestInMemory = InMemory.TestCase
TestInSqlite = InSqlite.TestCase
TestInMemory.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
TestInSqlite.settings = settings(max_examples=10, stateful_step_count=12, deadline=None)
