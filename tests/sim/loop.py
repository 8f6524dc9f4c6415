"""An event loop in virtual time: when nothing is ready, it jumps to the next timer."""

import asyncio
import math
import selectors
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from functools import wraps
from typing import Any, ParamSpec, TypeVar, TypeVarTuple

T = TypeVar("T")
P = ParamSpec("P")
Ts = TypeVarTuple("Ts")

START = 1_000.0
"""The loop time at which a simulation begins, in seconds."""
PATIENCE = 7_200.0
"""Virtual seconds after which a simulation counts as one that never ends."""
_TURNS = 200_000
"""Turns of the loop at one instant that count as going round in circles."""


class Stuck(RuntimeError):
    """The simulation cannot go on: a deadlock, a livelock, or no end in sight."""


class _Jump(selectors.SelectSelector):
    """Waits for nobody: tells the loop how long it would have waited."""

    def __init__(self, jump: Callable[[float | None], None]) -> None:
        super().__init__()
        self._jump = jump

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Let time jump; nothing ever comes from outside."""
        self._jump(timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """Runs timers in their order without waiting, and executors' work at once in this thread."""

    def __init__(self, start: float = START, patience: float = PATIENCE) -> None:
        """Begin at a loop time; give up `patience` virtual seconds later."""
        self._now = start
        self._end = start + patience
        self._turns = 0
        self.stalls: list[tuple[float, float]] = []
        """When the loop stood still, and for how many seconds."""
        super().__init__(_Jump(self._wait))

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self._now

    def stall(self, seconds: float) -> None:
        """Let time jump inside the callback that calls this: the loop stands still."""
        self.stalls.append((self._now, seconds))
        self._now += seconds

    def stall_at(self, when: float, seconds: float) -> None:
        """Stand still for some seconds from a loop time on."""
        self.call_at(when, self.stall, seconds)

    def run_in_executor(
        self,
        executor: Executor | None,
        func: Callable[[*Ts], T],
        *args: *Ts,
    ) -> asyncio.Future[T]:
        """Run the work now: a thread would tie the outcome to real time."""
        done: asyncio.Future[T] = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:
            done.set_exception(error)
        return done

    def timers(self) -> list[asyncio.TimerHandle]:
        """Return the timers that are set."""
        scheduled: list[asyncio.TimerHandle] = self._scheduled  # type: ignore[attr-defined]
        return [timer for timer in scheduled if not timer.cancelled()]

    def _wait(self, timeout: float | None) -> None:
        if timeout is None:
            raise Stuck(f"deadlock at {self._now:.3f}: nothing is ready and no timer is set")
        if timeout > 0:
            self._turns = 0
            self._now = max(self._now + timeout, math.nextafter(self._now, math.inf))
            if self._now > self._end:
                raise Stuck(f"no end at {self._now:.3f}: {_names(self)}")
        self._turns += 1
        if self._turns > _TURNS:
            raise Stuck(f"time stands still at {self._now:.3f}: {_names(self)}")


def simulate(main: Coroutine[Any, Any, T], *, patience: float = PATIENCE) -> T:
    """Run a coroutine in virtual time, and fail on whatever went wrong behind its back.

    Raises:
        Stuck: It cannot end.
    """
    behind: list[str] = []
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience=patience)) as runner:
        runner.get_loop().set_exception_handler(lambda _, context: behind.append(repr(context)))
        result = runner.run(main)
    assert behind == []
    return result


def simulated(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Make a test of an asynchronous one: it runs in virtual time."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        simulate(test(*args, **kwargs))

    return run


def virtual() -> VirtualLoop:
    """Return the running loop, which is a virtual one."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    return loop


def _names(loop: asyncio.AbstractEventLoop) -> str:
    return ", ".join(sorted(task.get_name() for task in asyncio.all_tasks(loop)))
