"""Lines reach their sink, or are counted; whoever logs never waits."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from saurodrome.server.log.sinks import DescriptorSink, FileSink
from saurodrome.server.log.writer import LineWriter


class Gated:
    """A sink that writes only while its gate is open, and fails when told to."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.lines: list[bytes] = []
        self.broken = False
        self.closed = False

    def write(self, data: bytes) -> None:
        assert self.gate.wait(5)
        if self.broken:
            raise OSError(28, "No space left on device")
        self.lines.append(data)

    def close(self) -> None:
        self.closed = True


def notice(lost: int) -> str:
    return f"lost {lost}"


def wait_for(truth: Callable[[], bool]) -> None:
    """Waits for the thread to have come so far."""
    deadline = time.monotonic() + 5
    while not truth():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_lines_come_in_order_and_whole() -> None:
    sink = Gated()
    sink.gate.set()
    writer = LineWriter(sink, notice)
    for n in range(100):
        writer.put(f"line {n}")
    writer.close(5)
    assert sink.lines == [b"line %d\n" % n for n in range(100)]
    assert writer.dropped == 0
    assert sink.closed


def test_a_sink_that_stands_still_costs_lines_that_are_told_later() -> None:
    sink = Gated()
    writer = LineWriter(sink, notice, max_lines=10)
    for n in range(50):
        writer.put(f"line {n}")
    lost = writer.dropped
    assert 39 <= lost <= 40  # the thread may hold one line
    sink.gate.set()
    writer.close(5)
    assert len([line for line in sink.lines if line.startswith(b"line")]) == 50 - lost
    assert b"lost %d\n" % lost in sink.lines


def test_lines_that_cannot_be_written_are_counted_and_the_next_one_may_be() -> None:
    sink = Gated()
    sink.gate.set()
    sink.broken = True
    writer = LineWriter(sink, notice)
    for _ in range(3):
        writer.put("lost")
    wait_for(lambda: writer.dropped == 3)
    sink.broken = False
    writer.put("kept")
    writer.close(5)
    assert sink.lines == [b"kept\n", b"lost 3\n"]
    assert writer.dropped == 3


def test_closing_does_not_wait_for_a_sink_that_stands_still() -> None:
    sink = Gated()
    writer = LineWriter(sink, notice)
    writer.put("line")
    start = time.monotonic()
    writer.close(0.05)
    assert time.monotonic() - start < 1
    assert not sink.closed
    sink.gate.set()


def test_what_is_logged_while_the_thread_rests_is_written_before_the_end() -> None:
    sink = Gated()
    sink.gate.set()
    writer = LineWriter(sink, notice)
    writer.put("first")
    wait_for(lambda: sink.lines == [b"first\n"])  # all is written: the thread rests now
    for n in range(1_000):
        writer.put(f"line {n}")
    start = time.monotonic()
    writer.close(5)
    assert sink.lines[1:] == [b"line %d\n" % n for n in range(1_000)]
    assert writer.dropped == 0
    assert sink.closed
    assert time.monotonic() - start < 1


@pytest.mark.wire
def test_a_process_that_ends_in_order_has_written_every_line(tmp_path: Path) -> None:
    """One that is killed may lose the last lines, but tears none."""
    program = (
        "import os, signal, sys, pathlib\n"
        "from saurodrome.server.log.sinks import FileSink\n"
        "from saurodrome.server.log.writer import LineWriter\n"
        "sink = FileSink(pathlib.Path(sys.argv[1]), 1 << 20, 1)\n"
        "writer = LineWriter(sink, str)\n"
        "for n in range(2_000): writer.put(f'line {n}')\n"
        "if sys.argv[2] == 'kill': os.kill(os.getpid(), signal.SIGKILL)\n"
        "writer.close(1.0)\n"
    )
    lines = [f"line {n}" for n in range(2_000)]
    for how in ("end", "kill"):
        path = tmp_path / how
        done = subprocess.run([sys.executable, "-c", program, str(path), how], check=False)
        assert done.returncode == (0 if how == "end" else -signal.SIGKILL)
        written = path.read_text().splitlines()
        assert written == lines[: len(written)]
        assert how == "kill" or len(written) == 2_000


def test_surrogates_and_other_scripts_can_be_written() -> None:
    sink = Gated()
    sink.gate.set()
    writer = LineWriter(sink, notice)
    writer.put("ä\ud800")
    writer.close(5)
    assert sink.lines == [b"\xc3\xa4\\ud800\n"]


def test_a_full_file_is_kept_under_a_number_and_a_new_one_begun(tmp_path: Path) -> None:
    path = tmp_path / "log"
    sink = FileSink(path, max_bytes=20, kept=2)
    for n in range(7):
        sink.write(b"%d23456789\n" % n)
    sink.close()
    assert path.read_bytes() == b"623456789\n"
    assert (tmp_path / "log.1").read_bytes() == b"423456789\n523456789\n"
    assert (tmp_path / "log.2").read_bytes() == b"223456789\n323456789\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["log", "log.1", "log.2"]


def test_a_file_goes_on_where_the_last_run_ended(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"x" * 15 + b"\n")
    sink = FileSink(path, max_bytes=20, kept=1)
    sink.write(b"123456789\n")
    sink.close()
    assert path.read_bytes() == b"123456789\n"
    assert (tmp_path / "log.1").stat().st_size == 16


def test_a_line_that_was_torn_does_not_spoil_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log"
    sink = FileSink(path, max_bytes=1000, kept=1)
    write, calls = os.write, []

    def full(descriptor: int, data: bytes) -> int:
        calls.append(data)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        return write(descriptor, data[:4] if len(calls) == 1 else data)

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space"):
        sink.write(b"0123456789\n")
    sink.write(b"whole\n")
    sink.close()
    assert path.read_bytes().split(b"\n") == [b"0123", b"whole", b""]


@pytest.mark.wire
def test_a_pipe_that_nobody_reads_and_one_that_is_closed() -> None:
    reader, end = os.pipe()
    writer = LineWriter(DescriptorSink(end), notice, max_lines=100)
    start = time.monotonic()
    for _ in range(5_000):
        writer.put("x" * 200)
    assert time.monotonic() - start < 1
    assert writer.dropped > 4_000
    os.close(reader)  # the blocked write ends with EPIPE, and so does every further one
    before = writer.dropped
    writer.put("x")
    writer.close(5)
    assert writer.dropped > before
    os.close(end)


@pytest.mark.wire
def test_a_full_device_counts_every_line() -> None:
    descriptor = os.open("/dev/full", os.O_WRONLY)
    writer = LineWriter(DescriptorSink(descriptor), notice)
    for _ in range(10):
        writer.put("line")
    writer.close(5)
    assert writer.dropped == 10
    os.close(descriptor)
