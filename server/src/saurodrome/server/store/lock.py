"""The data directory: made for its owner alone, and held by one server at a time."""

import errno
import fcntl
import os
from pathlib import Path

from saurodrome.server.errors import Kind, Refused

_CODES = {
    errno.EROFS: "STORE_READONLY",
    errno.EACCES: "STORE_READONLY",
    errno.EPERM: "STORE_READONLY",
    errno.ENOSPC: "STORE_FULL",
    errno.EDQUOT: "STORE_FULL",
}


class DirectoryLock:
    """A lock on a data directory; the kernel frees it when its process dies.

    Attributes:
        FILE: The name of the lock file; it says who holds the lock, or held it last.
    """

    FILE = "lock"

    def __init__(self, directory: Path, what: str) -> None:
        """Names the directory and what holds it, for those who come second."""
        self._directory = directory
        self._what = what
        self._file: int | None = None

    def take(self) -> None:
        """Makes the directory if it is not there, and takes the lock.

        Raises:
            Refused: STORE_LOCKED with the holder's process id; STORE_READONLY, STORE_FULL or
                STORE_UNUSABLE where the directory cannot be written to.
        """
        if self._file is not None:
            return
        path = self._directory / self.FILE
        try:
            self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise _unusable(self._directory, error) from error
        try:
            self._hold(file, path)
        except BaseException:
            os.close(file)
            raise
        self._file = file

    def _hold(self, file: int, path: Path) -> None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(file, 200, 0).decode(errors="replace").strip()
            raise _locked(self._directory, holder) from None
        try:
            os.ftruncate(file, 0)
            os.pwrite(file, f"pid {os.getpid()} ({self._what})\n".encode(), 0)
        except OSError as error:
            raise _unusable(path, error) from error

    def release(self) -> None:
        """Gives the lock back; twice is once."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _locked(directory: Path, holder: str) -> Refused:
    return Refused(
        Kind.UNAVAILABLE,
        "STORE_LOCKED",
        f"The data directory is in use by {holder or 'another process'}.",
        str(directory),
        "stop that process, or use another directory; two servers never share one",
    )


def _unusable(path: Path, error: OSError) -> Refused:
    return Refused(
        Kind.UNAVAILABLE,
        _CODES.get(error.errno or 0, "STORE_UNUSABLE"),
        f"The data directory cannot be used: {error.strerror or error}.",
        str(path),
        "give this user a directory that it may write to, on a disk with room",
    )
