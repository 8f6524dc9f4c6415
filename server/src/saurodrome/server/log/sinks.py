"""Where lines of the log end: a descriptor, or a file that starts anew when it is full."""

import os
from pathlib import Path
from typing import Protocol


class Sink(Protocol):
    """Takes lines. Only the thread of its writer calls it, so it may block."""

    def write(self, data: bytes) -> None:
        """Writes a line.

        Raises:
            OSError: It cannot be written; the next one may be.
        """
        ...

    def close(self) -> None:
        """Lets go of what was opened."""
        ...


class DescriptorSink:
    """A descriptor that somebody else owns, such as standard error."""

    def __init__(self, descriptor: int) -> None:
        """Keeps the descriptor."""
        self._descriptor = descriptor

    def write(self, data: bytes) -> None:
        """Writes all of a line, however long the reader takes."""
        _write_all(self._descriptor, data)

    def close(self) -> None:
        """Leaves it open."""


class FileSink:
    """A file of bounded size; full ones are kept as `.1` (the newest), `.2` and so on."""

    def __init__(self, path: Path, max_bytes: int, kept: int) -> None:
        """Opens the file to append.

        Raises:
            OSError: It cannot be opened.
        """
        self._path = path
        self._max_bytes = max_bytes
        self._kept = kept
        self._torn = False
        self._size = 0
        self._descriptor = -1
        self._open()

    def write(self, data: bytes) -> None:
        """Writes a line; a line that was torn by a full disk is closed first."""
        if self._size + len(data) > self._max_bytes and self._size:
            self._rotate()
        data = b"\n" + data if self._torn else data
        self._torn = True
        try:
            _write_all(self._descriptor, data)
        except OSError:
            self._size = os.fstat(self._descriptor).st_size
            raise
        self._size += len(data)
        self._torn = False

    def close(self) -> None:
        """Closes the file."""
        os.close(self._descriptor)

    def _open(self) -> None:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        self._descriptor = os.open(self._path, flags, 0o640)
        self._size = os.fstat(self._descriptor).st_size

    def _rotate(self) -> None:
        for number in range(self._kept, 1, -1):
            older = self._numbered(number - 1)
            if older.exists():
                older.replace(self._numbered(number))
        self._path.replace(self._numbered(1))
        full = self._descriptor
        self._open()
        os.close(full)
        self._torn = False

    def _numbered(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}")


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
