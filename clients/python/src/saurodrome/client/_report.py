"""What a running bot prints: a status line on stderr, faults, and what the server says."""

import queue
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import copy
from typing import TextIO

from saurodrome.client._errors import BotFault, SaurodromeError
from saurodrome.client._events import (
    Connected,
    Disconnected,
    Draining,
    Event,
    Faulted,
    Judged,
    Leaving,
    MatchStarted,
    Status,
    VerdictKind,
)
from saurodrome.client._source import shown_path
from saurodrome.client._text import WIDTH, cut, shown, wrap

LIVE_SECONDS = 0.2
"""How often the status line changes on a terminal."""
QUIET_SECONDS = 30.0
"""How often it is printed elsewhere."""
_WAITING = 1000  # lines for a reader of stderr that has stopped reading; more are dropped


class Reporter:
    """Turns events into lines; give `Reporter.lines` each event.

    A fault is printed in full the first time, then counted: a bot that always fails says so
    once, and goes on saying so at 10, 100, 1000 times.
    """

    def __init__(self) -> None:
        """Has printed nothing yet."""
        self._games: set[tuple[str, str, int]] = set()
        self._faults: Counter[tuple[str, str]] = Counter()

    def lines(self, event: Event) -> Iterator[str]:
        """Gives what to print for an event, with nothing in it that a terminal would obey."""
        match event:
            case Connected():
                again = " again" if event.again else ""
                yield cut(f"connected{again} as {event.bot} to {event.server}", WIDTH)
            case Disconnected():
                yield from self._disconnected(event)
            case MatchStarted(started):
                game = (started.game, started.variant, started.rules_version)
                if game not in self._games:
                    self._games.add(game)
                    yield cut("plays {}/{} rules {}".format(*game), WIDTH)
            case Faulted():
                yield from self._fault(event)
            case Judged(kind=VerdictKind.STALE | VerdictKind.DUPLICATE):
                said = shown(event.message) or "a reply did not count"
                yield "\n".join(wrap(f"warning[{event.kind.upper()}] {said}", WIDTH, "", "  "))
            case Draining():
                reason = f": {cut(event.reason, 34)}" if event.reason else ""
                yield f"the server stops within {event.seconds:.0f} s{reason}; will be back"
            case Leaving():
                yield f"leaving: {event.open_matches} open; Ctrl-C again stops at once"

    def _disconnected(self, event: Disconnected) -> Iterator[str]:
        if event.tries in (1, 2) or event.tries % 60 == 0:
            error = event.error
            note = f"trying again ({event.tries} so far), Ctrl-C stops"
            do = "; ".join(filter(None, [error.do, note]))
            yield SaurodromeError(error.code, error.what, where=error.where, do=do).format(
                kind="warning"
            )

    def _fault(self, event: Faulted) -> Iterator[str]:
        error = event.error
        by_match = error.code in ("LATE", "NOT_READY")  # the place names the match
        key = (error.code, "" if by_match else error.where.partition("\n")[0])
        self._faults[key] += 1
        count = self._faults[key]
        if count == 1:
            yield fault_text(event)
        elif str(count).rstrip("0") == "1":
            yield cut(f"error[{error.code}] {count} times by now: {error.what}", WIDTH)


def fault_text(event: Faulted) -> str:
    """Gives a fault's lines, with how to ask its decision again."""
    error: BotFault = event.error
    if event.saved is None:
        return error.format()
    again = f"ask again: saurodrome bot try FILE --at {shown_path(event.saved)}"
    do = "\n".join(filter(None, [error.do, again]))
    return SaurodromeError(error.code, error.what, where=error.where, do=do).format()


class Printer:
    """Prints events from a thread of its own: a stderr that nobody reads stops no match."""

    def __init__(
        self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Starts the thread."""
        self._stream = stream or sys.stderr
        self._live = self._stream.isatty()
        self._clock = clock
        self._printed_at = -QUIET_SECONDS
        self._printed = ""
        self._on_line = False
        self._reporter = Reporter()
        self._events: queue.Queue[tuple[Event, Status] | None] = queue.Queue(_WAITING)
        self._thread = threading.Thread(target=self._work, name="printer", daemon=True)
        self._thread.start()

    def __call__(self, event: Event, status: Status) -> None:
        """Takes an event; drops it if too many wait."""
        if not self._events.full():
            self._events.put_nowait((event, copy(status)))

    def close(self) -> None:
        """Prints what waits; gives up after a second or two if nobody reads."""
        with suppress(queue.Full):
            self._events.put(None, timeout=1.0)
        self._thread.join(timeout=1.0)

    def _work(self) -> None:
        status = None
        while (item := self._events.get()) is not None:
            event, status = item
            for line in self._reporter.lines(event):
                self._print(line)
            self._show(status, LIVE_SECONDS if self._live else QUIET_SECONDS)
        if status is not None and status.decisions:
            self._show(status, 0)
        if self._on_line:
            self._stream.write("\n")
        self._stream.flush()

    def _print(self, text: str) -> None:
        self._stream.write(f"{self._clear()}{text}\n")
        self._stream.flush()

    def _clear(self) -> str:
        erase, self._on_line = ("\r\x1b[K" if self._on_line else ""), False
        return erase

    def _show(self, status: Status, every: float) -> None:
        now = self._clock()
        line = str(status)
        if not status.decisions or now - self._printed_at < every:
            return
        if self._live:
            self._stream.write(f"{self._clear()}{line[:79]}")
            self._on_line = True
        elif line != self._printed:
            self._stream.write(f"{line}\n")
        self._printed_at, self._printed = now, line
        self._stream.flush()
