"""The two outputs of a command: results on one, hints and progress on the other."""

import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text

from saurodrome.server.cli.options import reaching
from saurodrome.server.cli.text import ASCII, UNICODE, WIDTH, Symbols, visible

EVERY = 30.0
"""Seconds between two lines of progress where nobody watches a terminal."""


@dataclass(frozen=True)
class Terminal:
    r"""Where a command writes.

    Every line goes through `visible` on its way out: what bots, records and servers say may
    hold control and direction marks, which are seen as ``\u001b`` and do nothing.

    Attributes:
        out: Results.
        err: Hints, progress and errors.
        symbols: Which characters may be used.
        json: Results are wanted as JSON.
    """

    out: Console
    err: Console
    symbols: Symbols
    json: bool = False

    def print(self, lines: str | Iterable[str]) -> None:
        """Writes lines of a result."""
        self._write(self.out, lines)

    def note(self, lines: str | Iterable[str], style: str = "") -> None:
        """Writes lines that are no result."""
        self._write(self.err, lines, style)

    def data(self, value: Mapping[str, object] | Sequence[object]) -> None:
        """Writes one JSON value on one line."""
        self._write(self.out, json.dumps(value, ensure_ascii=True))

    def next(self, *commands: str) -> None:
        """Writes at most two commands that can be copied as they stand.

        What was typed to reach the server is a part of those that need it, too.
        """
        lines = (*way_to_the_program(Path(sys.prefix)), *map(reaching, commands))
        for label, command in zip(("next: ", "      "), lines, strict=False):
            self._write(self.err, label + command)

    def _write(self, console: Console, lines: str | Iterable[str], style: str = "") -> None:
        for line in [lines] if isinstance(lines, str) else lines:
            console.print(Text(visible(line, self.symbols), style=style), soft_wrap=True)


def way_to_the_program(
    prefix: Path, on_path: Callable[[str], str | None] = shutil.which
) -> tuple[str, ...]:
    """Gives what has to be typed first where the shell does not find the program by its name."""
    if on_path("saurodrome") or not (prefix / "bin" / "saurodrome").exists():
        return ()
    return (f". {os.path.relpath(prefix)}/bin/activate",)


def terminal(json: bool = False, environment: Mapping[str, str] = os.environ) -> Terminal:
    """Makes the terminal of this process."""
    ascii_only = wants_ascii(environment, sys.stdout.encoding)
    return Terminal(
        out=_console(sys.stdout),
        err=_console(sys.stderr),
        symbols=ASCII if ascii_only else UNICODE,
        json=json,
    )


def _console(file: TextIO) -> Console:
    if not file.isatty():
        return Console(file=file, width=WIDTH, highlight=False, color_system=None)
    console = Console(file=file, highlight=False)
    console.width = min(console.width, WIDTH)
    return console


def wants_ascii(environment: Mapping[str, str], encoding: str) -> bool:
    """Tells whether only ASCII can be shown: LANG=C, or an output that is not UTF-8.

    Python itself sets LC_CTYPE=C.UTF-8 where LANG is C, so that one says nothing.
    """
    locale = environment.get("LC_ALL") or environment.get("LANG", "")
    chosen = environment.get("LC_CTYPE", "")
    if chosen not in ("", "C.UTF-8") and not environment.get("LC_ALL"):
        locale = chosen
    return locale in ("C", "POSIX") or encoding.lower().replace("-", "") != "utf8"


class Progress:
    """What a long command shows while it runs: a live block, or a line now and then.

    On a terminal the block is drawn anew each time, or the line where there is no block.
    Elsewhere the line is written, at once and then every 30 s, and a last time at the end.
    """

    def __init__(self, terminal: Terminal, clock: Callable[[], float] = time.monotonic) -> None:
        """Starts without showing anything."""
        self._terminal = terminal
        self._clock = clock
        self._live: Live | None = None
        self._written: float | None = None
        self._line = ""

    def show(self, line: str, block: Iterable[str] = ()) -> None:
        """Shows how things stand."""
        if self._terminal.err.is_terminal:
            self._draw([*block] or [line])
        elif self._written is None or self._clock() - self._written >= EVERY:
            self._written = self._clock()
            self._line = line
            self._terminal.note(line)

    def close(self, line: str = "", block: Iterable[str] = ()) -> None:
        """Ends it; the last line stays, on a terminal the block in its place."""
        if self._live is not None:
            self._live.update(self._text([*block] or [line]), refresh=True)
            self._live.stop()
            self._live = None
        elif line and line != self._line:
            self._terminal.note(line)

    def _text(self, lines: Iterable[str]) -> Text:
        return Text("\n".join(visible(line, self._terminal.symbols) for line in lines))

    def _draw(self, lines: Iterable[str]) -> None:
        if self._live is None:
            console = self._terminal.err
            self._live = Live(console=console, auto_refresh=False, redirect_stdout=False)
            self._live.start()
        self._live.update(self._text(lines), refresh=True)
