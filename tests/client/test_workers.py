"""The threads that think."""

import asyncio
import threading

from saurodrome.client._workers import Workers


async def outcomes(workers: Workers, count: int) -> list[str]:
    """Has `count` jobs done; gives the thread of each."""
    done: asyncio.Queue[str] = asyncio.Queue()
    for _ in range(count):
        workers.submit(lambda: threading.current_thread().name, done.put_nowait)
    return [await done.get() for _ in range(count)]


async def test_with_one_thread_all_jobs_are_done_in_it_and_not_in_the_loops() -> None:
    workers = Workers(1, asyncio.get_running_loop(), print)

    names = set(await outcomes(workers, 20))

    assert len(names) == 1
    assert threading.current_thread().name not in names
    workers.close()


async def test_no_more_jobs_at_once_than_threads() -> None:
    workers = Workers(2, asyncio.get_running_loop(), print)
    gate = threading.Barrier(3)  # two jobs and this test: opens only if both run at once
    done: asyncio.Queue[int] = asyncio.Queue()
    for _ in range(2):
        workers.submit(gate.wait, done.put_nowait)

    await asyncio.to_thread(gate.wait, 5.0)

    assert sorted([await done.get(), await done.get()]) != []
    workers.close()


async def test_a_job_that_was_dropped_before_it_began_is_not_done() -> None:
    workers = Workers(1, asyncio.get_running_loop(), print)
    gate = threading.Event()
    done: asyncio.Queue[str] = asyncio.Queue()
    workers.submit(lambda: str(gate.wait(5.0)), done.put_nowait)
    dropped = workers.submit(lambda: "dropped", done.put_nowait)
    workers.submit(lambda: "last", done.put_nowait)

    dropped.cancel()
    gate.set()

    assert [await done.get(), await done.get()] == ["True", "last"]
    workers.close()


async def test_an_error_in_our_own_code_is_reported() -> None:
    crashes: asyncio.Queue[Exception] = asyncio.Queue()
    workers = Workers(1, asyncio.get_running_loop(), crashes.put_nowait)

    workers.submit(lambda: 1 / 0, print)

    assert isinstance(await crashes.get(), ZeroDivisionError)
    workers.close()


def test_a_job_that_comes_back_after_the_loop_has_closed_is_dropped() -> None:
    gate = threading.Event()
    workers: list[Workers] = []

    async def leave_a_job() -> None:
        workers.append(Workers(1, asyncio.get_running_loop(), print))
        workers[0].submit(lambda: gate.wait(5.0), print)

    asyncio.run(leave_a_job())
    gate.set()
    workers[0].close()

    for thread in workers[0]._threads:
        thread.join(5.0)
        assert not thread.is_alive()
