"""Notes of a running server: whoever reads them, or does not, holds up nobody."""

import os
import subprocess
import sys
import time

import pytest

SERVER = """
import os, sys, time
from saurodrome.server.cli.aside import Aside
from saurodrome.server.cli.text import UNICODE

aside = Aside(UNICODE)
begun = time.monotonic()
for number in range(3_000):
    aside.note(["note %d \x1b[1m" % number, "x" * 200])
took = time.monotonic() - begun
aside.close()
print(took)
"""


def run(stderr: int) -> "subprocess.Popen[str]":
    """Starts a program that writes 600 kB of notes."""
    return subprocess.Popen(
        [sys.executable, "-c", SERVER], stdout=subprocess.PIPE, stderr=stderr, text=True
    )


@pytest.mark.wire
@pytest.mark.parametrize("closed", [False, True], ids=["unread", "closed"])
def test_a_pipe_that_nobody_reads_holds_up_and_ends_nobody(closed: bool) -> None:
    reader, end = os.pipe()
    if closed:
        os.close(reader)
    begun = time.monotonic()
    process = run(end)
    out, _ = process.communicate(timeout=20)
    assert process.returncode == 0
    assert float(out) < 2.0
    assert time.monotonic() - begun < 15.0
    os.close(end)
    if not closed:
        os.close(reader)


@pytest.mark.wire
def test_notes_come_in_order_and_without_control_marks() -> None:
    process = run(subprocess.PIPE)
    _, err = process.communicate(timeout=20)
    lines = err.splitlines()
    notes = [line for line in lines if line.startswith("note")]
    kept = [int(note.split()[1]) for note in notes]
    assert kept == sorted(kept)
    assert notes[0] == "note 0 \\u001b[1m"
    assert "\x1b" not in err
