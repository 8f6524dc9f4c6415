"""A thread that writes lines, so that nobody who logs ever waits."""

import threading
import time
from collections.abc import Callable
from queue import SimpleQueue

from saurodrome.server.log.sinks import Sink

MAX_LINES = 4_096
"""Lines that wait for a sink; what comes beyond is dropped and counted."""
REST = 0.02
"""Seconds that the thread rests when all is written. Lines come in bursts, and to wake it for
each of them costs whoever logs several times the line."""


class LineWriter:
    """One sink with its queue and its thread.

    A pipe that nobody reads, a full disk or a reader that is gone holds up the thread or loses
    lines, but never whoever logs. Lost lines are counted, and told in a line of their own as
    soon as one can be written again.
    """

    def __init__(
        self, sink: Sink, notice: Callable[[int], str], max_lines: int = MAX_LINES
    ) -> None:
        """Starts the thread.

        Args:
            sink: Where lines go.
            notice: Makes the line that tells how many lines were dropped.
            max_lines: How many lines may wait.
        """
        self._sink = sink
        self._notice = notice
        self._max_lines = max_lines
        self._queue: SimpleQueue[str | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._dropped = 0
        self._told = 0
        self._thread = threading.Thread(target=self._run, name="log", daemon=True)
        self._thread.start()

    @property
    def dropped(self) -> int:
        """Lines that were lost so far."""
        return self._dropped

    @property
    def waiting(self) -> int:
        """Lines that are not written yet."""
        return self._queue.qsize()

    def put(self, line: str) -> None:
        """Hands a line over, without its line feed; never waits."""
        if self._queue.qsize() >= self._max_lines:
            self._drop()
        else:
            self._queue.put(line)

    def close(self, seconds: float) -> None:
        """Writes what waits, for at most so long; the thread dies with the process then."""
        self._queue.put(None)
        self._thread.join(seconds)
        if not self._thread.is_alive():
            self._sink.close()

    def _run(self) -> None:
        while (line := self._queue.get()) is not None:
            if self._write(line):
                self._tell()
            else:
                self._drop()
            if self._queue.empty():
                time.sleep(REST)
        self._tell()

    def _tell(self) -> None:
        lost = self._dropped - self._told
        if lost and self._write(self._notice(lost)):
            self._told += lost

    def _write(self, line: str) -> bool:
        try:
            self._sink.write(line.encode("utf-8", "backslashreplace") + b"\n")
        except OSError:
            return False
        return True

    def _drop(self) -> None:
        with self._lock:
            self._dropped += 1
