"""Threads that think, so that the network's thread never waits for an author's code."""

import asyncio
import functools
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, TypeVar

_T = TypeVar("_T")


class Job(Generic[_T]):
    """A piece of work; what it gives is handed to `done` in the event loop."""

    def __init__(self, work: Callable[[], _T], done: Callable[[_T], object]) -> None:
        """Keeps what to do."""
        self.work = work
        self.done = done
        self._cancelled = False

    def cancel(self) -> None:
        """Drops the job if it has not begun; what has begun is reported all the same."""
        self._cancelled = True

    def run(self, loop: asyncio.AbstractEventLoop, crashed: Callable[[Exception], object]) -> None:
        """Works, in a thread, and reports to the loop."""
        if self._cancelled:
            return
        report: Callable[[], object]
        try:
            report = functools.partial(self.done, self.work())
        except Exception as error:
            report = functools.partial(crashed, error)
        with suppress(RuntimeError):  # the loop is closed: nobody waits for it any more
            loop.call_soon_threadsafe(report)


class Workers:
    """At most `count` threads that take jobs in turn; with one, an author needs no locks.

    They are daemons: a `choose` that never returns keeps no program from its end.
    """

    def __init__(
        self,
        count: int,
        loop: asyncio.AbstractEventLoop,
        crashed: Callable[[Exception], object],
    ) -> None:
        """Starts no thread yet; `crashed` is called in the loop if some work raises."""
        self._count = count
        self._loop = loop
        self._crashed = crashed
        self._jobs: queue.SimpleQueue[Job[object] | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []

    def submit(self, work: Callable[[], _T], done: Callable[[_T], object]) -> Job[_T]:
        """Has `work` done in a thread and then `done` called in the loop."""
        job = Job(work, done)
        self._jobs.put(job)  # type: ignore[arg-type]  # a queue of jobs of any outcome
        if len(self._threads) < self._count:
            name = f"choose-{len(self._threads)}"
            thread = threading.Thread(target=self._work, name=name, daemon=True)
            self._threads.append(thread)
            thread.start()
        return job

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job.run(self._loop, self._crashed)

    def close(self) -> None:
        """Ends the threads that are idle, and the others after their job; waits for none."""
        for _ in self._threads:
            self._jobs.put(None)
