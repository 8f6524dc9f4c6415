"""The recorder while the store has trouble, callers go away, or it has to stop."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

import pytest

from saurodrome.server.recorder import BATCH, ROOM, NotStored, Recorder
from saurodrome.server.store.interface import BadBatch
from saurodrome.server.store.memory import MemoryStore
from saurodrome.server.store.records import NewResult, Result
from tests.server.recording import FULL, LOCKED, Disk, Ears, elos, now, recording
from tests.server.store.samples import (
    CUP,
    batch_of,
    furnish,
    lease,
    match_id,
    new_result,
    placed,
    void,
)
from tests.server.store.virtual import in_virtual_time


@in_virtual_time
async def test_trouble_is_waited_out_and_told_once() -> None:
    disk, ears = Disk(FULL, FULL, FULL), Ears()
    store = MemoryStore(disk)
    async with recording(store, ears) as recorder:
        result = await recorder.result(new_result(1))
        assert now() == pytest.approx(0.1 + 0.2 + 0.4)
    assert result.position == 1
    assert elos(result) == [(1500.0, 1516.0), (1500.0, 1484.0)]
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
@in_virtual_time
async def test_errors_of_any_other_kind_lose_nothing_either(error: Exception) -> None:
    ears = Ears()
    async with recording(MemoryStore(Disk(error)), ears) as recorder:
        assert (await recorder.result(new_result(1))).position == 1
    assert [code for _, code, _ in ears.failed] == ["STORE_FAILING"]


class Deafening(Ears):
    """A listener that fails at whatever it hears."""

    def commit_done(self, items: int, seconds: float, waited: float | None = None) -> None:
        super().commit_done(items, seconds, waited)
        raise BrokenPipeError

    def commit_failed(self, code: str, message: str, retry: float) -> None:
        super().commit_failed(code, message, retry)
        raise BrokenPipeError


@in_virtual_time
async def test_a_listener_that_fails_keeps_no_result_out_of_the_log() -> None:
    store, ears = MemoryStore(Disk(FULL)), Deafening()
    async with recording(store, ears) as recorder:
        results = [await recorder.result(new_result(number)) for number in range(3)]
    assert await store.results(CUP) == tuple(results)
    assert (len(ears.failed), ears.done) == (1, [1, 1, 1])


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
async def test_after_a_commit_without_acknowledgement_the_log_is_read_again() -> None:
    before = Disk()
    store = MemoryStore(before, after_commit=Disk(0.0, LOCKED))
    async with recording(store) as recorder:
        results = [await recorder.result(new_result(n)) for n in range(4)]
    assert [result.position for result in results] == [1, 2, 3, 4]
    # The second batch came twice, the second time with nothing left to do.
    assert [len(batch.results) for batch in before.batches] == [1, 1, 0, 1, 1]


@in_virtual_time
async def test_a_log_that_somebody_else_continued_is_read_again() -> None:
    store = MemoryStore()
    async with recording(store) as recorder:
        await recorder.result(new_result(1))
        await store.commit(batch_of(placed(new_result(2), 2)))
        assert (await recorder.result(new_result(3))).position == 3


@in_virtual_time
async def test_the_end_of_a_log_is_read_once() -> None:
    asked = []

    class Asked(MemoryStore):
        async def ratings(self, tournament: str) -> Mapping[str, float]:
            asked.append(tournament)
            return await super().ratings(tournament)

    async with recording(Asked()) as recorder:
        for number in range(5):
            await recorder.result(new_result(number))
    assert asked == [CUP]


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
    leasing = asyncio.create_task(recorder.lease(lease(1)))
    waiting = asyncio.create_task(recorder.result(new_result(1)))
    await asyncio.sleep(0)
    before = now()
    assert await recorder.stop(deadline=2.0) == (lease(1), new_result(1))
    assert now() == pytest.approx(before + 2.0)
    for told in (leasing, waiting):
        with pytest.raises(NotStored):
            await told


async def use_lease(recorder: Recorder) -> None:
    await recorder.lease(lease(1))


async def use_void(recorder: Recorder) -> None:
    await recorder.void(void(1))


async def use_result(recorder: Recorder) -> None:
    await recorder.result(new_result(1))


@pytest.mark.parametrize("use", [use_lease, use_void, use_result])
@in_virtual_time
async def test_a_recorder_that_stopped_takes_nothing(
    use: Callable[[Recorder], Awaitable[None]],
) -> None:
    async with recording() as recorder:
        pass
    with pytest.raises(NotStored):
        await use(recorder)


@in_virtual_time
async def test_a_recorder_may_stop_twice_or_without_having_started() -> None:
    recorder = Recorder(MemoryStore(), Ears())
    leasing = asyncio.create_task(recorder.lease(lease(1)))
    await asyncio.sleep(0)
    assert await recorder.stop() == (lease(1),)
    assert await recorder.stop() == ()
    with pytest.raises(NotStored):
        await leasing


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


@in_virtual_time
async def test_leases_that_keep_coming_put_nobody_off_beside_an_impossible_result() -> None:
    """Each of the batch with the bad one goes by itself, and nothing that comes meanwhile does."""
    disk = Disk(*[0.01] * 1000)
    news = [new_result(n) for n in range(20)]
    news[15] = new_result(15, placements={"ada": 1, "eve": 2})
    async with recording(MemoryStore(disk), Ears()) as recorder:
        recorder.more_to_come = lambda: 32
        results = asyncio.gather(*(recorder.result(new) for new in news), return_exceptions=True)
        leasing = []
        for number in range(100, 150):
            leasing.append(asyncio.create_task(recorder.lease(lease(number))))
            await asyncio.sleep(0.0105)
            if results.done():
                break
        assert results.done()
        assert sum(isinstance(outcome, BadBatch) for outcome in await results) == 1
        await asyncio.gather(*leasing)
