"""What the process is told by signals: to stop, to read its settings, that its terminal is gone."""

import asyncio
import os
import pty
import signal
from collections.abc import AsyncIterator

import pytest

from saurodrome.server import app
from saurodrome.server.app import Signals


@pytest.fixture
async def heard() -> AsyncIterator[list[str]]:
    """What is read anew, from a process whose handlers are put back in the end."""
    yield []
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.remove_signal_handler(number)


async def tell(number: signal.Signals) -> None:
    """Sends a signal to this process and lets its handler run."""
    os.kill(os.getpid(), number)
    for _ in range(10):  # the loop hears of it by a pipe of its own
        await asyncio.sleep(0)


async def test_the_first_signal_stops_and_the_second_stops_at_once(heard: list[str]) -> None:
    signals = Signals()
    await tell(signal.SIGTERM)
    assert (signals.stop.is_set(), signals.at_once.is_set()) == (True, False)
    await tell(signal.SIGINT)
    assert signals.at_once.is_set()


async def test_a_hangup_reads_the_settings_and_ends_nothing_not_even_before_they_can_be(
    heard: list[str],
) -> None:
    signals = Signals()
    await tell(signal.SIGHUP)
    signals.on_hangup = lambda: heard.append("reload")
    await tell(signal.SIGHUP)
    assert (heard, signals.stop.is_set()) == (["reload"], False)


async def test_a_hangup_of_a_terminal_that_is_gone_stops(
    heard: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = pty.openpty()
    monkeypatch.setattr(app, "_STDERR", theirs)
    signals = Signals()
    signals.on_hangup = lambda: heard.append("reload")
    await tell(signal.SIGHUP)
    assert (heard, signals.stop.is_set()) == (["reload"], False)  # the terminal is still there
    os.close(ours)
    await tell(signal.SIGHUP)
    os.close(theirs)
    assert (heard, signals.stop.is_set()) == (["reload"], True)
