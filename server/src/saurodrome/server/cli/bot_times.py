"""What a bot's match records tell of its time: medians, splits, verdicts, slowest decisions."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from saurodrome.server import ledger
from saurodrome.server.cli.records import Record
from saurodrome.server.cli.text import Column, count, cut, percent, plural, span, table, wrapped

SLOWEST = 5
"""Decisions that are listed."""
_PARTS = ("bot", "wire", "queue", "encode", "decode", "stall")
_COLUMNS = (
    Column("slowest", right=False),
    Column("step"),
    Column("took"),
    Column("limit", drop=2),
    Column("bot"),
    Column("wire"),
    Column("not charged", drop=1),
    Column("counted as", right=False),
)


class Timed(NamedTuple):
    """One decision of a bot: where it was made, and what its record says of it."""

    match: str
    step: int
    limit: str
    entry: ledger.Entry


class Times(NamedTuple):
    """All decisions of a bot in some matches."""

    matches: int
    decisions: tuple[Timed, ...]

    @property
    def verdicts(self) -> Counter[str]:
        """How many decisions were judged how."""
        return Counter(timed.entry.verdict for timed in self.decisions)

    @property
    def illegal(self) -> int:
        """How many illegal replies there were."""
        return sum(timed.entry.illegal for timed in self.decisions)

    @property
    def slowest(self) -> list[Timed]:
        """The decisions that took longest, the longest first."""
        by_time = sorted(self.decisions, key=lambda timed: -timed.entry.charged)
        return by_time[:SLOWEST]

    def charged(self, share: float) -> float:
        """The seconds below which a share of all decisions stayed, by nearest rank."""
        ordered = sorted(timed.entry.charged for timed in self.decisions)
        return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0

    def part(self, name: str) -> float:
        """Seconds of one part, in all decisions whose record tells it."""
        return sum(getattr(timed.entry, name) or 0.0 for timed in self.decisions)


def times(bot: str, records: Iterable[Record]) -> Times:
    """Reads what the records say of a bot's decisions."""
    timed: list[Timed] = []
    matches = 0
    for record in records:
        if bot not in record.names:
            continue
        matches += 1
        seat = record.names.index(bot)
        name = record.tags.get("match", record.name)
        limit = record.tags.get("decision-time", "")
        for number, step in enumerate(record.played.steps, 1):
            for choice in step.choices:
                entry = ledger.read(choice.note) if choice.seat == seat else None
                if entry is not None:
                    timed.append(Timed(name, number, limit, entry))
    return Times(matches, tuple(timed))


def lines(bot: str, all_of_it: Times) -> list[str]:
    """Gives the figures as a screen."""
    heading = f"{cut(bot)}   {plural(all_of_it.matches, 'match')}"
    said = [f"{heading}   {plural(len(all_of_it.decisions), 'decision')}"]
    if not all_of_it.decisions:
        return said
    said.append(
        f" time      median {span(all_of_it.charged(0.5))}   99 % below"
        f" {span(all_of_it.charged(0.99))}   slowest {span(all_of_it.charged(1.0))}"
    )
    told = all_of_it.part("bot") + all_of_it.part("wire")
    if told:
        share = percent(all_of_it.part("bot") / told)
        text = f" charged   {share} thinking, the rest on the way ({span(told)} with a split)"
        said += wrapped(text, " " * 11)
    own = [(name, all_of_it.part(name)) for name in _PARTS[2:]]
    if any(seconds for _, seconds in own):
        parts = ", ".join(f"{name} {span(seconds)}" for name, seconds in own if seconds)
        said += wrapped(f" ours      {parts}: not charged", " " * 11)
    judged = [f"{word.replace('_', ' ')} {count(n)}" for word, n in _ordered(all_of_it.verdicts)]
    said += wrapped(
        f" verdicts  {', '.join(judged)}; illegal replies {all_of_it.illegal}", " " * 11
    )
    return [*said, "", *table(_COLUMNS, [_row(timed) for timed in all_of_it.slowest])]


def _ordered(verdicts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(verdicts.items(), key=lambda item: (-item[1], item[0]))


def _row(timed: Timed) -> Sequence[str]:
    entry = timed.entry
    own = sum(getattr(entry, name) or 0.0 for name in _PARTS[2:])
    return [
        cut(timed.match, 30),
        str(timed.step),
        span(entry.charged),
        timed.limit or "-",
        "-" if entry.bot is None else span(entry.bot),
        "-" if entry.wire is None else span(entry.wire),
        span(own) if own else "-",
        entry.verdict.replace("_", " "),
    ]


def as_json(bot: str, all_of_it: Times) -> dict[str, Any]:
    """Gives the same as JSON, in seconds."""
    return {
        "bot": bot,
        "matches": all_of_it.matches,
        "decisions": len(all_of_it.decisions),
        "verdicts": dict(sorted(all_of_it.verdicts.items())),
        "illegal_replies": all_of_it.illegal,
        "charged_median_s": all_of_it.charged(0.5),
        "charged_p99_s": all_of_it.charged(0.99),
        "charged_max_s": all_of_it.charged(1.0),
        "parts_s": {name: round(all_of_it.part(name), 4) for name in _PARTS},
        "slowest": [
            {
                "match_id": timed.match,
                "step": timed.step,
                "limit": timed.limit,
                "verdict": timed.entry.verdict,
                "charged_s": timed.entry.charged,
                **{f"{name}_s": getattr(timed.entry, name) for name in _PARTS},
            }
            for timed in all_of_it.slowest
        ],
    }
