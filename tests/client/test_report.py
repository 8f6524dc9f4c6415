"""What a running bot prints."""

import io
import threading
from pathlib import Path

import pytest

from saurodrome.client import (
    BotRaised,
    Connected,
    Decided,
    Disconnected,
    Draining,
    Event,
    Faulted,
    Judged,
    LateReply,
    Leaving,
    MatchStarted,
    Status,
    Unreachable,
    VerdictKind,
)
from saurodrome.client._report import Printer, Reporter
from saurodrome.client._text import cells
from saurodrome.client.testing import decision, match

LOST = Unreachable("UNREACHABLE", "nothing answers at arena:7741.", where="--server", do="start it")


def printed(reporter: Reporter, *events: Event) -> list[str]:
    return [line for event in events for line in reporter.lines(event)]


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (
            Connected("rex", "arena:7741", "1", 0, again=False),
            "connected as rex to arena:7741",
        ),
        (
            Connected("rex", "arena:7741", "1", 2, again=True),
            "connected again as rex to arena:7741",
        ),
        (Judged(VerdictKind.STALE, "m", "closed 12 ms ago"), "warning[STALE] closed 12 ms ago"),
        (Draining(10.0, "update"), "the server stops within 10 s: update; will be back"),
        (Leaving(2), "leaving: 2 open; Ctrl-C again stops at once"),
    ],
)
def test_an_event_has_its_line(event: Event, line: str) -> None:
    assert printed(Reporter(), event) == [line]


def test_a_game_is_named_once() -> None:
    lines = printed(Reporter(), *[MatchStarted(match())] * 3)

    assert lines == ["plays draftosaurus/summer rules 1"]


def test_a_server_that_is_away_is_told_in_three_lines_and_not_at_every_try() -> None:
    events = [Disconnected(LOST, 0.2, tries) for tries in range(1, 59)]

    lines = printed(Reporter(), *events)

    assert len(lines) == 2
    assert lines[0].splitlines() == [
        "warning[UNREACHABLE] nothing answers at arena:7741.",
        "  where  --server",
        "  do     start it; trying again (1 so far), Ctrl-C stops",
    ]


def test_a_fault_is_printed_in_full_once_then_counted() -> None:
    asked = decision()
    fault = BotRaised("BOT_RAISED", "ValueError: no", where="b.py line 3 in choose", decision=asked)
    events = [Faulted(fault, Path("last.decision")) for _ in range(100)]

    lines = printed(Reporter(), *events)

    assert [line.splitlines()[0] for line in lines] == [
        "error[BOT_RAISED] ValueError: no",
        "error[BOT_RAISED] 10 times by now: ValueError: no",
        "error[BOT_RAISED] 100 times by now: ValueError: no",
    ]
    assert "bot try FILE --at last.decision" in lines[0]


def test_faults_from_different_lines_are_different() -> None:
    faults = [
        Faulted(BotRaised("BOT_RAISED", "no", where=f"b.py line {n} in choose"), None)
        for n in (3, 9)
    ]

    assert len(printed(Reporter(), *faults)) == 2


def test_late_answers_count_together_whatever_their_match() -> None:
    faults = [
        Faulted(LateReply("LATE", "231 ms of 200.", where=f"match {n}, turn 1"), None)
        for n in range(9)
    ]

    assert len(printed(Reporter(), *faults)) == 1


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def shown(stream: io.StringIO, *events: Event, ticks: float = 1.0) -> str:
    """Prints events, a status of one decision each, `ticks` seconds apart."""
    now = [0.0]

    def clock() -> float:
        now[0] += ticks
        return now[0]

    printer = Printer(stream, clock)
    for number, event in enumerate(events, 1):
        printer(event, Status(done=number, decisions=number, think=0.003 * number, slowest=0.041))
    printer.close()
    return stream.getvalue()


DECIDED = Decided(match(), 0.003, False)


def test_on_a_terminal_the_status_line_is_rewritten_in_place() -> None:
    text = shown(Terminal(), DECIDED, DECIDED)

    line = "playing 0   done {}   won 0   late 0   illegal 0   think 3 ms   slowest 41 ms"
    assert text.split("\r\x1b[K")[:2] == [line.format(1), line.format(2)]
    assert text.endswith(f"{line.format(2)}\n")


def test_a_message_takes_the_place_of_the_status_line() -> None:
    assert "\r\x1b[Kleaving: 0 open" in shown(Terminal(), DECIDED, Leaving(0))


def test_elsewhere_it_is_a_line_each_30_s_without_escapes() -> None:
    text = shown(io.StringIO(), *[DECIDED] * 60)

    assert "\x1b" not in text
    assert "\r" not in text
    assert len(text.splitlines()) == 3  # the first, the one after 30 s, and the last


def test_a_bot_that_decided_nothing_has_no_status_line() -> None:
    stream = io.StringIO()
    printer = Printer(stream)
    printer(Connected("rex", "arena:7741", "1", 0, again=False), Status())
    printer.close()

    assert stream.getvalue() == "connected as rex to arena:7741\n"


def test_a_stream_that_nobody_reads_never_holds_the_bot() -> None:
    class Stuck(io.StringIO):
        """Blocks until it is let go."""

        gate = threading.Event()

        def write(self, text: str) -> int:
            self.gate.wait()
            return super().write(text)

    stream = Stuck()
    printer = Printer(stream)

    for _ in range(5000):
        printer(DECIDED, Status(decisions=1))

    stream.gate.set()
    printer.close()
    assert stream.getvalue()


HOSTILE = "\x1b]0;owned\x07\x1b[2J\nerror[FAKE] \u202eeslaf\u2066\x9b31m " + "A恐" * 200


def test_nothing_from_outside_reaches_a_terminal_as_it_is() -> None:
    fault = BotRaised("BOT_RAISED", HOSTILE, where=f"{HOSTILE}\nmatch", do=HOSTILE)
    events: list[Event] = [
        Connected(HOSTILE, HOSTILE, HOSTILE, 0, again=False),
        *[Faulted(fault, None)] * 10,
        Judged(VerdictKind.STALE, "m", HOSTILE),
        Draining(10.0, HOSTILE),
        Disconnected(Unreachable("UNREACHABLE", HOSTILE, where=HOSTILE, do=HOSTILE), 0.2, 1),
    ]

    text = "\n".join(printed(Reporter(), *events))

    assert "10 times by now: \\u001b" in text
    assert all(line.isprintable() for line in text.split("\n"))
    assert max(map(cells, text.split("\n"))) <= 80
    assert "\nerror[FAKE]" not in text
