"""Notes of a command that must not wait for whoever reads them."""

import sys
from collections.abc import Iterable

from saurodrome.server.cli.text import Symbols, visible
from saurodrome.server.log.sinks import DescriptorSink
from saurodrome.server.log.writer import LineWriter

CLOSE_TIME = 1.0
"""Seconds in which the last notes are written at the end."""


class Aside:
    """Writes notes to the standard error in a thread of its own.

    A server runs for weeks with its outputs in a pipe. One that nobody reads would hold up the
    event loop at the next note, and with it every clock; one that is closed would end the server.
    """

    def __init__(self, symbols: Symbols) -> None:
        """Begins with the first note."""
        self._symbols = symbols
        self._writer: LineWriter | None = None

    def note(self, lines: str | Iterable[str]) -> None:
        """Writes lines as `Terminal.note` does; never waits, never fails."""
        if self._writer is None:
            self._writer = LineWriter(DescriptorSink(sys.stderr.fileno()), _lost)
        for line in [lines] if isinstance(lines, str) else lines:
            self._writer.put(visible(line, self._symbols))

    def close(self) -> None:
        """Writes what waits, if somebody reads it."""
        if self._writer is not None:
            self._writer.close(CLOSE_TIME)


def _lost(count: int) -> str:
    return f"{count} lines could not be written here"
