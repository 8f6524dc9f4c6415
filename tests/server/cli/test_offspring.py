"""Families of processes are found as a whole, and only what belongs to them is killed."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from saurodrome.server.cli.offspring import Process, end, offspring

pytestmark = [
    pytest.mark.wire,
    pytest.mark.skipif(sys.platform != "linux", reason="families are known on Linux alone"),
]


@pytest.fixture
def family() -> Iterator[subprocess.Popen[bytes]]:
    """A program with a child, which has one in a session of its own."""
    program = "sh -c 'setsid sleep 60 & wait' & wait"
    with subprocess.Popen(["sh", "-c", program]) as head:
        yield head
        end(offspring(head.pid))
        head.kill()


def soon(seen: Callable[[], bool]) -> bool:
    until = time.monotonic() + 5.0
    while not seen():
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


def test_children_of_children_are_found_and_end_together(family: subprocess.Popen[bytes]) -> None:
    assert soon(lambda: len(offspring(family.pid)) == 2)
    found = offspring(family.pid)
    assert len({os.getsid(process.pid) for process in found}) == 2
    end(found)
    assert soon(lambda: not offspring(family.pid))
    family.wait(5)


def test_another_process_with_the_number_of_one_that_ended_is_left_alone(
    family: subprocess.Popen[bytes],
) -> None:
    assert soon(lambda: len(offspring(family.pid)) == 2)
    found = offspring(family.pid)
    end(Process(process.pid, process.started - 1) for process in found)
    assert offspring(family.pid) == found
    assert family.poll() is None


def test_who_has_ended_has_no_family() -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    assert offspring(ended.pid) == set()
