"""The faults of a tournament as a screen and as JSON: what, how counted, who pays, where to see."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Protocol

from saurodrome.client.tournaments import Fault
from saurodrome.server.cli.text import UNICODE, WIDTH, Column, Symbols, cut, span, table, wrapped

WORDS = {
    "TIMED_OUT": "reply late",
    "ILLEGAL": "illegal reply",
    "NOT_READY": "not ready",
    "ABSENT": "absent",
    "FORFEIT": "forfeit",
    "VOID": "void",
}
COLUMNS = (
    Column("when", right=False),
    Column("bot", right=False),
    Column("match", right=False),
    Column("step"),
    Column("what", right=False),
    Column("limit"),
    Column("took"),
    Column("charged to", right=False),
)


class Duration(Protocol):
    """A duration of the wire."""

    def ToNanoseconds(self) -> int:
        """Gives nanoseconds."""
        ...


def short_id(match_id: str, attempt: int = 1) -> str:
    """Gives a match's id without the name of its tournament."""
    ident = match_id.partition("/")[2] or match_id
    return ident if attempt <= 1 else f"{ident}#{attempt}"


def word(kind: str) -> str:
    """Names a kind of fault as people do."""
    return WORDS.get(kind, kind.lower().replace("_", " "))


def clock(fault: Fault) -> str:
    """Gives the time of a fault by the clock of this machine."""
    return datetime.fromtimestamp(fault.when.seconds).strftime("%H:%M:%S")


def duration(value: Duration) -> str:
    """Gives a duration, or a dash for none."""
    seconds = value.ToNanoseconds() / 1e9
    return span(seconds) if seconds else "-"


def lines(
    faults: Sequence[Fault], symbols: Symbols = UNICODE, *, of_several: bool = False
) -> list[str]:
    """Gives the faults as a table, each with what it was counted as below it.

    Args:
        faults: The faults.
        symbols: What may be used beyond ASCII.
        of_several: They are of several tournaments: each says of which.
    """
    cells = [
        [
            clock(fault),
            cut(fault.bot, 16, symbols) if fault.bot else "-",
            cut(short_id(fault.match_id, fault.attempt), 20, symbols),
            str(fault.turn) if fault.turn else "-",
            cut(word(fault.kind), 14, symbols),
            duration(fault.limit),
            duration(fault.took),
            cut(fault.charged_to, 10, symbols),
        ]
        for fault in faults
    ]
    heading, *rows = table(COLUMNS, cells)
    shown = [heading]
    for row, fault in zip(rows, faults, strict=True):
        shown.append(row)
        name = f"in {fault.match_id.partition('/')[0]}" if of_several else ""
        if told := ": ".join(filter(None, (name, fault.counted_as))):
            shown += wrapped(f"          {told}", " " * 10, WIDTH, hard=True)
    return shown


def where_to_see(fault: Fault) -> str:
    """Gives the command that shows the position of a fault."""
    step = f" --step {fault.turn}" if fault.turn else ""
    return f"saurodrome replay show {fault.match_id}{step}"


def as_json(fault: Fault) -> dict[str, Any]:
    """Gives a fault as JSON."""
    return {
        "when": fault.when.ToJsonString(),
        "match_id": fault.match_id,
        "attempt": fault.attempt,
        "turn": fault.turn,
        "bot": fault.bot,
        "kind": fault.kind,
        "limit_s": fault.limit.ToNanoseconds() / 1e9,
        "took_s": fault.took.ToNanoseconds() / 1e9,
        "charged_to": fault.charged_to,
        "counted_as": fault.counted_as,
    }


def summary(faults: Sequence[Fault]) -> list[str]:
    """Gives one line a bot and kind of fault, the most frequent first."""
    counts: dict[tuple[str, str, str], int] = {}
    for fault in faults:
        key = (fault.bot or "arbiter", word(fault.kind), fault.charged_to)
        counts[key] = counts.get(key, 0) + 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [
        cut(f" {cut(bot):<16} {what} {number}x, charged to {charged}", WIDTH - 1)
        for (bot, what, charged), number in ordered
    ]
