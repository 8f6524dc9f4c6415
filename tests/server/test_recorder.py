"""The recorder: every result once, in order, whatever the store does."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from saurodrome.server.observer import Observer
from saurodrome.server.recorder import BATCH, GATHER, ROOM, NotStored, Recorder
from saurodrome.server.store.interface import BadBatch, StoreTrouble
from saurodrome.server.store.memory import MemoryStore
from saurodrome.server.store.records import (
    Attempts,
    Batch,
    NewResult,
    Result,
    SeatOutcome,
    Termination,
)
from tests.server.store.samples import CUP, fault, furnish, lease, match_id, new_result, void
from tests.server.store.virtual import in_virtual_time


class Ears(Observer):
    """Keeps what it hears."""

    def __init__(self) -> None:
        self.done: list[int] = []
        self.failed: list[tuple[float, str, float]] = []

    def commit_done(self, items: int, seconds: float) -> None:
        self.done.append(items)

    def commit_failed(self, code: str, message: str, retry: float) -> None:
        self.failed.append((now(), code, retry))


class Disk:
    """A hook of the memory store: each call takes the next plan, then all goes well."""

    def __init__(self, *plan: Exception | float) -> None:
        self.plan = list(plan)
        self.batches: list[Batch] = []
        self.times: list[float] = []

    async def __call__(self, batch: Batch) -> None:
        self.batches.append(batch)
        self.times.append(now())
        step = self.plan.pop(0) if self.plan else 0.0
        if isinstance(step, Exception):
            raise step
        if step:
            await asyncio.sleep(step)


FULL = StoreTrouble("STORE_FULL", "disk is full")
LOCKED = StoreTrouble("STORE_LOCKED", "database is locked")


def now() -> float:
    return asyncio.get_running_loop().time()


@asynccontextmanager
async def recording(
    store: MemoryStore | None = None, ears: Ears | None = None
) -> AsyncIterator[Recorder]:
    """A recorder at work on a furnished store."""
    store = store or MemoryStore()
    if not await store.tournaments():
        await furnish(store)
    recorder = Recorder(store, ears or Ears())
    recorder.start()
    yield recorder
    assert await recorder.stop() == ()


def elos(result: Result) -> list[tuple[float, float]]:
    return [(seat.elo_before, seat.elo_after) for seat in result.seats]


@in_virtual_time
async def test_equals_move_by_half_of_k() -> None:
    async with recording() as recorder:
        result = await recorder.result(new_result(1))
    assert (result.position, result.match_id, result.attempt) == (1, match_id(1), 1)
    assert elos(result) == [(1000.0, 1016.0), (1000.0, 984.0)]


@in_virtual_time
async def test_three_equals_share_k_among_their_pairs() -> None:
    async with recording() as recorder:
        new = new_result(1, placements={"ada": 1, "bob": 2, "cyd": 3})
        result = await recorder.result(new)
    assert [after for _, after in elos(result)] == [1016.0, 1000.0, 984.0]


@in_virtual_time
async def test_each_result_goes_on_from_the_one_before() -> None:
    async with recording() as recorder:
        await recorder.result(new_result(1))
        result = await recorder.result(new_result(2))
    # Elo: 32 points apart, the better one wins again.
    gain = 32 * (1 - 1 / (1 + 10 ** (-32 / 400)))
    assert result.position == 2
    winner, loser = elos(result)
    assert winner == pytest.approx((1016, 1016 + gain))
    assert loser == pytest.approx((984, 984 - gain))


@in_virtual_time
async def test_a_new_recorder_goes_on_where_the_log_ends() -> None:
    store = MemoryStore()
    async with recording(store) as recorder:
        await recorder.result(new_result(1))
    async with recording(store) as recorder:
        result = await recorder.result(new_result(2, placements={"cyd": 1, "ada": 2}))
    assert result.position == 2
    assert [before for before, _ in elos(result)] == [1000.0, 1016.0]


@pytest.mark.parametrize(
    "termination", [Termination.ABSENT, Termination.NO_CONTEST, Termination.ABANDONED]
)
def test_what_was_not_played_is_not_rated(termination: Termination) -> None:
    @in_virtual_time
    async def check() -> None:
        store = MemoryStore()
        async with recording(store) as recorder:
            result = await recorder.result(new_result(1, termination=termination))
        assert elos(result) == [(1000.0, 1000.0)] * 2
        assert not any(seat.rated for seat in result.seats)
        assert await store.ratings(CUP) == {}

    check()


@in_virtual_time
async def test_an_unrated_seat_keeps_its_elo_and_moves_nobody() -> None:
    new = new_result(1, placements={"ada": 1, "bob": 2, "cyd": 3}, termination=Termination.FORFEIT)
    new = new._replace(seats=(*new.seats[:2], new.seats[2]._replace(rated=False)))
    async with recording() as recorder:
        result = await recorder.result(new)
    assert [after for _, after in elos(result)] == [1016.0, 984.0, 1000.0]
    assert [seat.rated for seat in result.seats] == [True, True, False]


@in_virtual_time
async def test_one_rated_seat_alone_is_not_rated() -> None:
    new = new_result(1)
    new = new._replace(seats=(new.seats[0], new.seats[1]._replace(rated=False)))
    async with recording() as recorder:
        result = await recorder.result(new)
    assert elos(result) == [(1000.0, 1000.0)] * 2
    assert not result.seats[0].rated


@in_virtual_time
async def test_outcomes_are_handed_on_whole() -> None:
    seats = (
        SeatOutcome("bob", 2, -4, 3, 2, forfeited=True),
        SeatOutcome("ada", 1, 31, 0, 1),
    )
    new = new_result(1, record=None)._replace(seats=seats)
    store = MemoryStore()
    async with recording(store) as recorder:
        result = await recorder.result(new)
    assert [tuple(seat[:7]) for seat in result.seats] == [tuple(seat[:7]) for seat in seats]
    assert (result.when, result.has_record) == (new.when, False)
    assert await store.results(CUP) == (result,)


@in_virtual_time
async def test_results_keep_the_order_in_which_they_came() -> None:
    store = MemoryStore()
    async with recording(store) as recorder:
        numbers = range(700)
        results = await asyncio.gather(*(recorder.result(new_result(n)) for n in numbers))
    assert [result.position for result in results] == list(range(1, 701))
    assert [r.match_id for r in await store.results(CUP)] == [match_id(n) for n in numbers]


@in_virtual_time
async def test_tournaments_have_positions_and_ratings_of_their_own() -> None:
    store = MemoryStore()
    await furnish(store, ("cup", "ark"))
    async with recording(store) as recorder:
        cup, ark = await asyncio.gather(
            recorder.result(new_result(1)), recorder.result(new_result(1, tournament="ark"))
        )
    assert (cup.position, ark.position) == (1, 1)
    assert elos(cup) == elos(ark) == [(1000.0, 1016.0), (1000.0, 984.0)]


@in_virtual_time
async def test_a_result_told_again_is_the_stored_one() -> None:
    store = MemoryStore()
    async with recording(store) as recorder:
        first, same = await asyncio.gather(
            recorder.result(new_result(1)), recorder.result(new_result(1))
        )
        again = await recorder.result(new_result(1))
    assert first == same == again
    assert await store.results(CUP) == (first,)


@in_virtual_time
async def test_a_second_attempt_with_a_result_becomes_void() -> None:
    disk = Disk()
    store = MemoryStore(disk)
    async with recording(store) as recorder:
        first = await recorder.result(new_result(1))
        other = new_result(1, 2, placements={"bob": 1, "ada": 2}, faults=(fault(1, attempt=2),))
        assert await recorder.result(other) == first
    [given_up] = disk.batches[-1].voids
    assert (given_up.attempt, given_up.reason) == (2, "superseded")
    assert await store.results(CUP) == (first,)
    assert [f for _, f in await store.faults(CUP)] == [fault(1, attempt=2)]


@in_virtual_time
async def test_leases_do_not_wait_and_voids_return_once_committed() -> None:
    store = MemoryStore()
    async with recording(store) as recorder:
        recorder.lease(lease(1))
        recorder.lease(lease(2))
        assert await store.attempts(CUP) == {}
        await recorder.void(void(1, faults=(fault(1),)))
        assert await store.attempts(CUP) == {
            match_id(1): Attempts(1, 1),
            match_id(2): Attempts(1, 0),
        }


@in_virtual_time
async def test_an_idle_recorder_commits_at_once() -> None:
    async with recording() as recorder:
        for number in range(3):
            await asyncio.sleep(1)
            before = now()
            await recorder.result(new_result(number))
            assert now() == before


@in_virtual_time
async def test_under_load_a_commit_takes_all_of_the_last_20_ms() -> None:
    disk = Disk()
    async with recording(MemoryStore(disk)) as recorder:
        waiting = []
        for number in range(1000):
            waiting.append(asyncio.create_task(recorder.result(new_result(number))))
            await asyncio.sleep(0.001)
        await asyncio.gather(*waiting)
    gaps = [b - a for a, b in zip(disk.times, disk.times[1:], strict=False)]
    assert min(gaps) >= GATHER - 1e-9
    assert len(disk.times) <= 1.0 / GATHER + 2


@in_virtual_time
async def test_what_comes_during_a_slow_commit_goes_with_the_next() -> None:
    disk = Disk(3.0)
    async with recording(MemoryStore(disk)) as recorder:
        first = asyncio.create_task(recorder.result(new_result(0)))
        await asyncio.sleep(0.5)
        await asyncio.gather(first, *(recorder.result(new_result(n)) for n in range(1, 9)))
    assert [len(batch.results) for batch in disk.batches] == [1, 8]


@in_virtual_time
async def test_trouble_is_waited_out_and_told_once() -> None:
    disk, ears = Disk(FULL, FULL, FULL), Ears()
    store = MemoryStore(disk)
    async with recording(store, ears) as recorder:
        result = await recorder.result(new_result(1))
        assert now() == pytest.approx(0.1 + 0.2 + 0.4)
    assert result.position == 1
    assert elos(result) == [(1000.0, 1016.0), (1000.0, 984.0)]
    assert ears.failed == [(0.0, "STORE_FULL", 0.1)]
    assert ears.done == [1]


@in_virtual_time
async def test_long_trouble_is_tried_every_five_seconds_and_told_again() -> None:
    disk, ears = Disk(*[FULL] * 11), Ears()
    async with recording(MemoryStore(disk), ears) as recorder:
        await recorder.result(new_result(1))
    waits = [b - a for a, b in zip(disk.times, disk.times[1:], strict=False)]
    expected = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5, 5, 5, 5]
    assert waits == pytest.approx(expected)
    told = [b[0] - a[0] for a, b in zip(ears.failed, ears.failed[1:], strict=False)]
    assert len(ears.failed) >= 5
    assert min(told) >= 5


@in_virtual_time
async def test_a_change_of_trouble_is_told_at_once() -> None:
    disk, ears = Disk(FULL, LOCKED, LOCKED, FULL), Ears()
    async with recording(MemoryStore(disk), ears) as recorder:
        await recorder.result(new_result(1))
    assert [code for _, code, _ in ears.failed] == ["STORE_FULL", "STORE_LOCKED", "STORE_FULL"]


@in_virtual_time
async def test_trouble_that_comes_back_is_told_and_waited_from_the_start() -> None:
    disk, ears = Disk(FULL, 0.0, FULL), Ears()
    async with recording(MemoryStore(disk), ears) as recorder:
        await recorder.result(new_result(1))
        await recorder.result(new_result(2))
    assert [retry for _, _, retry in ears.failed] == [0.1, 0.1]


@pytest.mark.parametrize("error", [OSError("no more threads"), MemoryError()])
def test_errors_of_any_other_kind_lose_nothing_either(error: Exception) -> None:
    @in_virtual_time
    async def check() -> None:
        ears = Ears()
        async with recording(MemoryStore(Disk(error)), ears) as recorder:
            assert (await recorder.result(new_result(1))).position == 1
        assert [code for _, code, _ in ears.failed] == ["STORE_FAILING"]

    check()


@in_virtual_time
async def test_a_commit_that_was_not_acknowledged_counts_once() -> None:
    store = MemoryStore(after_commit=Disk(LOCKED))
    async with recording(store) as recorder:
        results = await asyncio.gather(*(recorder.result(new_result(n)) for n in range(3)))
        results.append(await recorder.result(new_result(3)))
    assert [result.position for result in results] == [1, 2, 3, 4]
    assert await store.results(CUP) == tuple(results)
    # Elo before each match is that after the one before it.
    assert [elos(r)[0][0] for r in results[1:]] == [elos(r)[0][1] for r in results[:-1]]


@in_virtual_time
async def test_room_ends_while_trouble_fills_the_queue() -> None:
    disk = Disk(*[FULL] * 5)
    async with recording(MemoryStore(disk)) as recorder:
        room, waiting = [], []
        for number in range(ROOM + 1):  # the last is of a match that was running
            room.append(recorder.has_room)
            waiting.append(asyncio.create_task(recorder.result(new_result(number))))
            await asyncio.sleep(0)
        assert room == [True] * ROOM + [False]
        results = await asyncio.gather(*waiting)
        assert results[-1].position == ROOM + 1
        assert (recorder.has_room, recorder.waiting) == (True, 0)


@in_virtual_time
async def test_a_caller_that_is_cancelled_loses_nothing() -> None:
    store = MemoryStore(Disk(FULL))
    async with recording(store) as recorder:
        waiting = asyncio.create_task(recorder.result(new_result(1)))
        await asyncio.sleep(0.05)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    assert await store.last_position(CUP) == 1


@in_virtual_time
async def test_stop_commits_what_waits() -> None:
    store = MemoryStore(Disk(FULL, FULL))
    await furnish(store)
    recorder = Recorder(store, Ears())
    recorder.start()
    waiting = [asyncio.create_task(recorder.result(new_result(n))) for n in range(BATCH + 9)]
    await asyncio.sleep(0)
    assert await recorder.stop(deadline=2.0) == ()
    assert await store.last_position(CUP) == BATCH + 9
    await asyncio.gather(*waiting)


@in_virtual_time
async def test_stop_gives_up_at_its_deadline_and_tells_what_is_left() -> None:
    store = MemoryStore(Disk(*[FULL] * 1000))
    await furnish(store)
    recorder = Recorder(store, Ears())
    recorder.start()
    recorder.lease(lease(1))
    waiting = asyncio.create_task(recorder.result(new_result(1)))
    await asyncio.sleep(0)
    before = now()
    assert await recorder.stop(deadline=2.0) == (lease(1), new_result(1))
    assert now() == pytest.approx(before + 2.0)
    with pytest.raises(NotStored):
        await waiting


async def use_lease(recorder: Recorder) -> None:
    recorder.lease(lease(1))


async def use_void(recorder: Recorder) -> None:
    await recorder.void(void(1))


async def use_result(recorder: Recorder) -> None:
    await recorder.result(new_result(1))


@pytest.mark.parametrize("use", [use_lease, use_void, use_result])
def test_a_recorder_that_stopped_takes_nothing(use: Callable[[Recorder], Awaitable[None]]) -> None:
    @in_virtual_time
    async def check() -> None:
        async with recording() as recorder:
            pass
        with pytest.raises(NotStored):
            await use(recorder)

    check()


@in_virtual_time
async def test_a_recorder_may_stop_twice_or_without_having_started() -> None:
    recorder = Recorder(MemoryStore(), Ears())
    recorder.lease(lease(1))
    assert await recorder.stop() == (lease(1),)
    assert await recorder.stop() == ()


@in_virtual_time
async def test_an_impossible_result_harms_no_other() -> None:
    ears = Ears()
    store = MemoryStore()
    stranger = new_result(2, placements={"ada": 1, "eve": 2})
    nowhere = new_result(3, tournament="no")
    news: list[NewResult] = [new_result(1), stranger, nowhere, new_result(4)]
    async with recording(store, ears) as recorder:
        outcomes = await asyncio.gather(
            *(recorder.result(new) for new in news), return_exceptions=True
        )
        later = await recorder.result(new_result(5))
    assert [type(outcome) for outcome in outcomes] == [Result, BadBatch, BadBatch, Result]
    assert [r.match_id for r in await store.results(CUP)] == [match_id(n) for n in (1, 4, 5)]
    assert later.position == 3
    assert [code for _, code, _ in ears.failed] == ["STORE_CONFLICT"] * 2
