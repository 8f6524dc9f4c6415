"""The event loop of a server."""

import asyncio
import importlib.util
import time
from importlib.machinery import ModuleSpec

import pytest

from saurodrome.server import loop


async def _own() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


def test_runs_uvloop_where_it_is_installed() -> None:
    assert "uvloop" in {base.__module__ for base in type(loop.run(_own())).__mro__}


def test_time_is_read_when_it_is_asked_not_at_the_last_turn() -> None:
    async def within_a_turn() -> None:
        now = asyncio.get_running_loop().time
        began = time.monotonic()
        assert began <= now() <= time.monotonic()
        until = began + 0.003
        while time.monotonic() < until:
            pass
        assert until <= now() <= time.monotonic()

    loop.run(within_a_turn())


def test_a_timer_is_at_most_a_millisecond_early() -> None:
    """Timers of libuv count in whole milliseconds; what a clock decides looks at the time again."""

    async def late() -> float:
        running = asyncio.get_running_loop()
        rang: asyncio.Future[float] = running.create_future()
        due = running.time() + 0.0204
        running.call_at(due, lambda: rang.set_result(running.time() - due))
        return await rang

    assert loop.run(late()) > -0.0015


def test_falls_back_on_asyncio(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing_found(name: str) -> ModuleSpec | None:
        return None

    monkeypatch.setattr(importlib.util, "find_spec", nothing_found)
    assert isinstance(loop.run(_own()), asyncio.SelectorEventLoop)


def test_gives_what_the_server_returned() -> None:
    async def served() -> int:
        return 130

    assert loop.run(served()) == 130
