"""An event loop whose time jumps to whatever comes next, so tests of waiting do not wait."""

import asyncio
import functools
import selectors
from collections.abc import Callable, Coroutine
from typing import Any


class _Jumping(selectors.SelectSelector):
    """Never waits: moves the clock on by the time that it was to wait."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Gives what is ready, else jumps."""
        ready = super().select(0)
        if not ready:
            if timeout is None:
                raise RuntimeError("everything waits and nothing will come")
            self.now += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual time, beginning at 0."""

    def __init__(self) -> None:
        """Starts the clock."""
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        """Seconds of virtual time."""
        return self._jumping.now


def in_virtual_time(
    test: Callable[..., Coroutine[Any, Any, None]],
) -> Callable[..., None]:
    """Makes a test run in virtual time."""

    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        with asyncio.Runner(loop_factory=VirtualLoop) as runner:
            runner.run(test(*args, **kwargs))

    return run
