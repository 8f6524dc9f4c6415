"""Ratings for a table; a large fit goes into a process of its own.

A fit of a million matches takes half a second of a processor, and numpy holds the interpreter's
lock through some of it. In a process that yields to all others neither is taken from the matches
that run. It ends by itself when it is done, or when the server is gone.
"""

import os
import pickle
import struct
import subprocess
import sys
from collections.abc import Iterator
from threading import Thread
from typing import BinaryIO, NamedTuple

from saurodrome.server.rating.fit import Fit, RatedBot, fit_pool
from saurodrome.server.rating.pool import Pool

LARGE = 50_000
"""Rated matches from which a fit is large; in the thread it takes a tenth of a second by then."""
_LENGTH = struct.Struct("!Q")
_NICE = 10
_THREADS = {"OPENBLAS_NUM_THREADS": "1"}
"""More would wait for each other while matches have the processors."""

Anchor = tuple[str, float] | None


class Ratings(NamedTuple):
    """What a table shows of a fit; the facts are of its largest component."""

    bots: tuple[RatedBot, ...] = ()
    anchored: bool = False
    method: str = ""
    matches: int = 0
    blocks: int = 0
    correlation: float = 0.0
    effective_matches: float = 0.0


def ratings(pool: Pool, mean: float, anchor: Anchor) -> Ratings:
    """Fits a pool, here or in a process of its own; slow, so it belongs off the event loop."""
    if pool.matches >= LARGE:
        found = _elsewhere(pool, mean, anchor)
        if found is not None:
            return found
    return shown(fit_pool(pool, mean=mean, anchor=anchor), anchor)


def shown(fitted: Fit, anchor: Anchor) -> Ratings:
    """What a table shows of a fit."""
    if not fitted.components:
        return Ratings()
    largest = fitted.components[0]
    return Ratings(
        tuple(bot for component in fitted.components for bot in component.bots),
        bool(anchor) and any(c.reference == anchor[0] for c in fitted.components if anchor),
        largest.method,
        largest.matches,
        largest.blocks,
        largest.correlation.within,
        largest.correlation.effective_matches,
    )


def _elsewhere(pool: Pool, mean: float, anchor: Anchor) -> Ratings | None:
    """Fits in another process; None if that cannot be had."""
    try:
        with subprocess.Popen(
            [sys.executable, "-c", "from saurodrome.server.refit import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**_THREADS, **os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            start_new_session=True,  # Ctrl-C is the server's to answer
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            for part in request(pool, mean, anchor):
                process.stdin.write(part)
            process.stdin.flush()  # and stays open: its end tells that nobody waits any more
            answered = process.stdout.read()
        found = pickle.loads(answered)
    except (OSError, EOFError, pickle.UnpicklingError):
        return None
    return found if isinstance(found, Ratings) else None


def request(pool: Pool, mean: float, anchor: Anchor) -> Iterator[bytes | memoryview]:
    """What the other process reads: lengths, what is asked, and the columns as they lie here."""
    columns: list[pickle.PickleBuffer] = []
    asked = pickle.dumps((pool, mean, anchor), protocol=5, buffer_callback=columns.append)
    parts: list[bytes | memoryview] = [asked, *(column.raw() for column in columns)]
    yield _LENGTH.pack(len(parts))
    yield b"".join(_LENGTH.pack(len(part)) for part in parts)
    yield from parts


def _read(asked: BinaryIO) -> tuple[Pool, float, Anchor]:
    """Read a request."""
    (count,) = _LENGTH.unpack(asked.read(_LENGTH.size))
    lengths = [_LENGTH.unpack(asked.read(_LENGTH.size))[0] for _ in range(count)]
    head, *columns = [asked.read(length) for length in lengths]
    pool, mean, anchor = pickle.loads(head, buffers=columns)
    return pool, mean, anchor


def main() -> None:
    """Fits the one pool that the standard input holds: what the process runs."""
    os.nice(_NICE)
    asked, answer = sys.stdin.buffer, sys.stdout.buffer
    pool, mean, anchor = _read(asked)
    Thread(target=_end_with, args=(asked,), daemon=True).start()
    answer.write(pickle.dumps(shown(fit_pool(pool, mean=mean, anchor=anchor), anchor)))
    answer.flush()
    os._exit(0)  # not by way of the thread that still reads


def _end_with(asked: BinaryIO) -> None:
    """Ends this process when the server does not wait for it any more."""
    asked.read(1)
    os._exit(1)
