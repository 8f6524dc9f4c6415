"""Where the time of a decision went, in words: written into match records and faults, and read.

What is charged is the bot's thinking and the way there and back, told apart by what the bot says
of itself. The arbiter's own shares are not charged: waiting for a write, making and reading bytes,
and standing still.
"""

import re
from typing import Final, NamedTuple

from saurodrome.engine.memo import Memo
from saurodrome.server.port import Answer, Verdict

LONG, OWN = 0.005, 0.001
"""Seconds charged, or of the arbiter's own shares, from which an answer's split is worth a place
in the record; that of an answer that was not simply accepted always is."""
_SEEN = 0.00005  # what is shorter reads 0.0 ms
_TELLABLE: Final = 10_000.0  # milliseconds up to which texts stand in a table
_NEAR_TIE: Final = 1e-6  # tenths of a millisecond from a tie at which the format itself decides


class Entry(NamedTuple):
    """One decision as its record tells it; seconds, None where nothing was told."""

    verdict: str
    charged: float
    bot: float | None = None
    wire: float | None = None
    queue: float | None = None
    encode: float | None = None
    decode: float | None = None
    stall: float | None = None
    illegal: int = 0
    remark: str = ""


def note(answer: Answer) -> str:
    """What the record says of an answer: how it was judged, its time, the bot's own remark."""
    text = f"{millis(answer.charged)} ms"
    if answer.verdict is not Verdict.ACCEPTED:
        text = f"{answer.verdict} {text}"
    if answer.charged >= LONG or answer.verdict is not Verdict.ACCEPTED or _own(answer) >= OWN:
        parts = (*_charged(answer), *_uncharged(answer))
        if parts:
            text += f" ({', '.join(parts)})"
    if answer.illegal:
        text += f", illegal {answer.illegal}"
    return f"{text}: {answer.note}" if answer.note else text


def bare(text: str) -> str:
    """What the record says of an answer, without the bot's own remark.

    Nothing of what was not written here: it may be anybody's.
    """
    entry = read(text)
    if entry is None:
        return ""
    return text.removesuffix(f": {entry.remark}") if entry.remark else text


def split(answer: Answer) -> str:
    """The split for people, such as `split: bot 598.0, wire 14.0 ms`; empty if there is none."""
    charged, uncharged = ", ".join(_charged(answer)), ", ".join(_uncharged(answer))
    said = [f"split: {charged} ms"] if charged else []
    said += [f"not charged: {uncharged} ms"] if uncharged else []
    return "; ".join(said)


def read(text: str) -> Entry | None:
    """What a record's note says; None if it is no note of a server."""
    found = _NOTE.match(text)
    if found is None:
        return None
    verdict, charged, parts, illegal, remark = found.groups()
    shares = dict(part.split() for part in parts.split(", ")) if parts else {}
    return Entry(
        verdict or Verdict.ACCEPTED.value,
        float(charged) / 1000,
        **{name: float(value) / 1000 for name, value in shares.items()},
        illegal=int(illegal or 0),
        remark=remark or "",
    )


def _own(answer: Answer) -> float:
    return answer.queue + answer.encode + answer.decode + answer.stalled


def _charged(answer: Answer) -> list[str]:
    if not answer.thought:
        return []
    wire = answer.charged - answer.thought
    return [f"bot {millis(answer.thought)}", f"wire {millis(wire)}"]


def _uncharged(answer: Answer) -> list[str]:
    shares = (
        ("queue", answer.queue),
        ("encode", answer.encode),
        ("decode", answer.decode),
        ("stall", answer.stalled),
    )
    return [f"{name} {millis(share)}" for name, share in shares if share >= _SEEN]


def millis(seconds: float) -> str:
    """Milliseconds as the format `.1f` gives them, from a table where that is sure."""
    ms = seconds * 1000
    if 0.0 < ms < _TELLABLE:
        above = ms * 10 + 0.5
        tenths = int(above)
        # The sum is exact to far less than that: elsewhere it is rounded as the format does.
        if _NEAR_TIE < above - tenths < 1 - _NEAR_TIE:
            return _TENTHS[tenths]
    return f"{ms:.1f}"


def _point(tenths: int) -> str:
    return f"{tenths // 10}.{tenths % 10}"


_TENTHS = Memo(_point, 4096)
_NOTE = re.compile(
    r"(?:(in_margin|timed_out|illegal) )?(\d+\.\d) ms"
    r"(?: \(((?:(?:bot|wire|queue|encode|decode|stall) \d+\.\d(?:, (?=\w))?)+)\))?"
    r"(?:, illegal (\d+))?(?:: (.*))?\Z",
    re.DOTALL,
)
