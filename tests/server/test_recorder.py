"""The recorder: every result once, in order, with its live Elo."""

import asyncio

import pytest

from saurodrome.server.recorder import (
    CROWD,
    GATHER,
    LEASE_GATHER,
    LONGEST_GATHER,
    Recorder,
)
from saurodrome.server.store.memory import MemoryStore
from saurodrome.server.store.records import Attempts, Result, SeatOutcome, Termination
from tests.server.recording import Disk, elos, now, recording
from tests.server.store.samples import CUP, fault, furnish, lease, match_id, new_result, void
from tests.server.store.virtual import in_virtual_time


@in_virtual_time
async def test_equals_move_by_half_of_k() -> None:
    async with recording() as recorder:
        result = await recorder.result(new_result(1))
    assert (result.position, result.match_id, result.attempt) == (1, match_id(1), 1)
    assert elos(result) == [(1500.0, 1516.0), (1500.0, 1484.0)]


@in_virtual_time
async def test_three_equals_share_k_among_their_pairs() -> None:
    async with recording() as recorder:
        new = new_result(1, placements={"ada": 1, "bob": 2, "cyd": 3})
        result = await recorder.result(new)
    assert [after for _, after in elos(result)] == [1516.0, 1500.0, 1484.0]


@in_virtual_time
async def test_each_result_goes_on_from_the_one_before() -> None:
    async with recording() as recorder:
        await recorder.result(new_result(1))
        result = await recorder.result(new_result(2))
    # Elo: 32 points apart, the better one wins again.
    gain = 32 * (1 - 1 / (1 + 10 ** (-32 / 400)))
    assert result.position == 2
    winner, loser = elos(result)
    assert winner == pytest.approx((1516, 1516 + gain))
    assert loser == pytest.approx((1484, 1484 - gain))


@in_virtual_time
async def test_a_new_recorder_goes_on_where_the_log_ends() -> None:
    store = MemoryStore()
    async with recording(store) as recorder:
        await recorder.result(new_result(1))
    async with recording(store) as recorder:
        result = await recorder.result(new_result(2, placements={"cyd": 1, "ada": 2}))
    assert result.position == 2
    assert [before for before, _ in elos(result)] == [1500.0, 1516.0]


@pytest.mark.parametrize(
    "termination", [Termination.ABSENT, Termination.NO_CONTEST, Termination.ABANDONED]
)
@in_virtual_time
async def test_what_was_not_played_is_not_rated(termination: Termination) -> None:
    store = MemoryStore()
    async with recording(store) as recorder:
        result = await recorder.result(new_result(1, termination=termination))
    assert elos(result) == [(1500.0, 1500.0)] * 2
    assert not any(seat.rated for seat in result.seats)
    assert await store.ratings(CUP) == {}


@in_virtual_time
async def test_an_unrated_seat_keeps_its_elo_and_moves_nobody() -> None:
    new = new_result(1, placements={"ada": 1, "bob": 2, "cyd": 3}, termination=Termination.FORFEIT)
    new = new._replace(seats=(*new.seats[:2], new.seats[2]._replace(rated=False)))
    async with recording() as recorder:
        result = await recorder.result(new)
    assert [after for _, after in elos(result)] == [1516.0, 1484.0, 1500.0]
    assert [seat.rated for seat in result.seats] == [True, True, False]


@in_virtual_time
async def test_one_rated_seat_alone_is_not_rated() -> None:
    new = new_result(1)
    new = new._replace(seats=(new.seats[0], new.seats[1]._replace(rated=False)))
    async with recording() as recorder:
        result = await recorder.result(new)
    assert elos(result) == [(1500.0, 1500.0)] * 2
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
    assert elos(cup) == elos(ark) == [(1500.0, 1516.0), (1500.0, 1484.0)]


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
async def test_a_result_told_again_among_new_ones_takes_no_position() -> None:
    async with recording() as recorder:
        await recorder.result(new_result(1))
        first = await recorder.result(new_result(2))
        told = [recorder.result(new_result(number)) for number in (3, 2, 4)]
        third, again, fourth = await asyncio.gather(*told)
    assert again == first
    assert (third.position, fourth.position) == (3, 4)


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
async def test_leases_and_voids_return_once_they_are_committed() -> None:
    store = MemoryStore()
    async with recording(store) as recorder:
        await asyncio.gather(recorder.lease(lease(1)), recorder.lease(lease(2)))
        assert await store.attempts(CUP) == {
            match_id(1): Attempts(1, 0),
            match_id(2): Attempts(1, 0),
        }
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
async def test_a_commit_waits_for_nobody_when_nobody_else_may_come() -> None:
    async with recording() as recorder:
        recorder.more_to_come = lambda: 0
        before = now()
        for number in range(3):
            await recorder.lease(lease(number))
            await recorder.result(new_result(number))
        assert now() == before


@pytest.mark.parametrize(("others", "gap"), [(1, 0.0225), (8, 0.04), (32, 0.1), (1000, 0.1)])
@in_virtual_time
async def test_under_load_a_commit_takes_all_since_the_last_one(others: int, gap: float) -> None:
    disk = Disk()
    async with recording(MemoryStore(disk)) as recorder:
        recorder.more_to_come = lambda: others
        waiting = []
        for number in range(1000):
            waiting.append(asyncio.create_task(recorder.result(new_result(number))))
            await asyncio.sleep(0.001)
        await asyncio.gather(*waiting)
    gaps = [b - a for a, b in zip(disk.times, disk.times[1:], strict=False)]
    assert min(gaps) >= gap - 1e-9
    assert max(gaps[:-1]) <= gap + GATHER / CROWD + 0.001
    assert len(disk.times) <= 1.0 / gap + 2


async def end_after_a_commit(recorder: Recorder) -> tuple[float, asyncio.Task[Result]]:
    """Return the time of a commit, with many matches in flight, and a result that comes then."""
    recorder.more_to_come = lambda: 32
    await recorder.result(new_result(0))
    return now(), asyncio.create_task(recorder.result(new_result(1)))


@in_virtual_time
async def test_leases_that_follow_a_commit_have_one_soon_and_ends_wait_for_theirs() -> None:
    disk = Disk()
    async with recording(MemoryStore(disk)) as recorder:
        begun, ended = await end_after_a_commit(recorder)
        leased = []
        for number in range(2, 5):
            leased.append(asyncio.create_task(recorder.lease(lease(number))))
            await asyncio.sleep(0.001)
        await asyncio.gather(*leased)
        assert now() - begun == pytest.approx(LEASE_GATHER)
        assert (len(disk.batches[1].leases), len(disk.batches[1].results)) == (3, 0)
        await ended
        assert now() - begun == pytest.approx(LONGEST_GATHER)


@in_virtual_time
async def test_leases_that_keep_coming_put_no_end_off() -> None:
    disk = Disk()
    async with recording(MemoryStore(disk)) as recorder:
        begun, ended = await end_after_a_commit(recorder)
        for number in range(2, 50):
            await recorder.lease(lease(number))
            if ended.done():
                break
        assert now() - begun <= LONGEST_GATHER + LEASE_GATHER + 1e-9
        assert len(disk.times) <= 2 + LONGEST_GATHER / LEASE_GATHER + 1


@in_virtual_time
async def test_what_comes_during_a_slow_commit_goes_with_the_next() -> None:
    disk = Disk(3.0)
    async with recording(MemoryStore(disk)) as recorder:
        first = asyncio.create_task(recorder.result(new_result(0)))
        await asyncio.sleep(0.5)
        await asyncio.gather(first, *(recorder.result(new_result(n)) for n in range(1, 9)))
    assert [len(batch.results) for batch in disk.batches] == [1, 8]
