"""One server at a time holds a data directory."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from saurodrome.server.errors import Refused
from saurodrome.server.store.lock import DirectoryLock

HOLDER = """
import sys, time
from pathlib import Path
from saurodrome.server.store.lock import DirectoryLock
DirectoryLock(Path(sys.argv[1]), "the first").take()
print("held", flush=True)
time.sleep(60)
"""


def test_a_directory_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    data = tmp_path / "deep" / "data"
    lock = DirectoryLock(data, "test")
    lock.take()
    assert data.stat().st_mode & 0o777 == 0o700
    assert (data / "lock").stat().st_mode & 0o777 == 0o600
    lock.release()


def test_who_comes_second_is_told_who_was_first(tmp_path: Path) -> None:
    first, second = DirectoryLock(tmp_path, "serve"), DirectoryLock(tmp_path, "other")
    first.take()
    with pytest.raises(Refused) as refused:
        second.take()
    assert refused.value.code == "STORE_LOCKED"
    assert f"pid {os.getpid()} (serve)" in refused.value.what
    assert refused.value.where == str(tmp_path)
    first.release()


def test_a_lock_that_was_given_back_can_be_taken(tmp_path: Path) -> None:
    first, second = DirectoryLock(tmp_path, "a"), DirectoryLock(tmp_path, "b")
    first.take()
    first.take()
    first.release()
    first.release()
    second.take()
    with pytest.raises(Refused, match="STORE_LOCKED"):
        first.take()
    second.release()


def test_a_file_in_the_place_of_the_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("not a directory")
    with pytest.raises(Refused) as refused:
        DirectoryLock(tmp_path / "data", "test").take()
    assert refused.value.code == "STORE_UNUSABLE"


def test_a_place_that_cannot_be_written_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        DirectoryLock(Path("/proc/data"), "test").take()
    assert refused.value.code in {"STORE_UNUSABLE", "STORE_READONLY"}


@pytest.mark.wire
def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "held\n"
        mine = DirectoryLock(tmp_path, "the second")
        with pytest.raises(Refused) as refused:
            mine.take()
        assert f"pid {holder.pid} (the first)" in refused.value.what
        holder.send_signal(signal.SIGKILL)
    mine.take()
    mine.release()
