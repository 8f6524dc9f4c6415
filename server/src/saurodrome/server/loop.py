"""The event loop that a server runs in: uvloop's where it is installed, else asyncio's own."""

import asyncio
import importlib.util
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """Runs a server, as `asyncio.run` does.

    Returns:
        What `main` returns.
    """
    with asyncio.Runner(loop_factory=new_loop) as runner:
        return runner.run(main)


def new_loop() -> asyncio.AbstractEventLoop:
    """Makes a loop whose time is the monotonic clock, read at the moment of asking.

    uvloop's own time is that of the loop's last turn, in whole milliseconds: a bot would pay
    for what the arbiter did since then.
    """
    if importlib.util.find_spec("uvloop") is None:  # it is not made for Windows
        return asyncio.new_event_loop()
    import uvloop

    class PunctualLoop(uvloop.Loop):
        time = staticmethod(time.monotonic)

    return PunctualLoop()
