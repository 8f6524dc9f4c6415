"""Faults of system calls, injected into a real server by strace."""

import shutil
import subprocess
from pathlib import Path

DATABASE = ("arena.db", "arena.db-wal")


class Injection:
    """An strace that can be used here."""

    def __init__(self, strace: str) -> None:
        """Keeps where it is."""
        self._strace = strace

    def into(self, data: Path, calls: str, fault: str) -> tuple[str, ...]:
        """Makes the command that puts a fault into calls on the database of a data directory.

        The server stays the child of who starts it. Calls are counted by thread, and all that
        is written to the database is written by one.

        Args:
            data: The data directory.
            calls: Names of system calls, parted by commas.
            fault: What strace calls an injection, such as `signal=SIGKILL:when=3`.
        """
        paths = [part for file in DATABASE for part in ("-P", str(data / file))]
        return (
            *(self._strace, "-D", "-f", "-qq", "-o", "/dev/null"),
            *paths,
            *("-e", f"trace={calls}", "-e", f"inject={calls}:{fault}"),
        )


def find(folder: Path) -> str | None:
    """Finds an strace that works, or unpacks Debian's into a folder; None if there is none."""
    found = shutil.which("strace") or _unpacked(folder)
    if found and _quietly([found, "-f", "-o", "/dev/null", "true"], folder):
        return found
    return None


def _unpacked(folder: Path) -> str | None:
    if not shutil.which("apt-get") or not _quietly(["apt-get", "download", "strace"], folder):
        return None
    for package in folder.glob("strace_*.deb"):
        if _quietly(["dpkg", "-x", str(package), str(folder)], folder):
            return str(folder / "usr" / "bin" / "strace")
    return None


def _quietly(command: list[str], folder: Path) -> bool:
    done = subprocess.run(
        command, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, check=False, timeout=60
    )
    return done.returncode == 0
