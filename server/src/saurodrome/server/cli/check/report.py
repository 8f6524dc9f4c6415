"""What a check found, as lines for people and as JSON for scripts."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from saurodrome.server.cli.check.examinee import Finding, Mark
from saurodrome.server.cli.text import wrapped

_INDENT = " " * 19


class Line(NamedTuple):
    """A check's name and what it found."""

    name: str
    finding: Finding


def lines(line: Line) -> list[str]:
    """Gives a finding as lines, with what to do about it below."""
    name, (mark, what, do) = line
    said = wrapped(f" {mark:<7} {name:<9} {what}", _INDENT, hard=True)
    if do:
        said += wrapped(f"{'':17}do {do}", _INDENT + " ", hard=True)
    return said


def summary(found: Sequence[Line]) -> str:
    """Counts the marks in words."""
    marks = [line.finding.mark for line in found]
    words = {
        Mark.PASS: "passed",
        Mark.FAIL: "failed",
        Mark.ADVICE: "with advice",
        Mark.UNTRIED: "not tried",
    }
    counted = [f"{marks.count(mark)} {word}" for mark, word in words.items() if mark in marks]
    return ", ".join(counted)


def good(found: Sequence[Line]) -> bool:
    """Whether nothing failed, and the bot was there."""
    return bool(found) and all(line.finding.mark is not Mark.FAIL for line in found)


def as_json(found: Sequence[Line], board: tuple[str, str, int]) -> dict[str, Any]:
    """Gives the whole report as JSON."""
    game, variant, players = board
    words = {Mark.FAIL: "fail", Mark.UNTRIED: "untried"}
    return {
        "ok": good(found),
        "game": game,
        "variant": variant,
        "players": players,
        "checks": [
            {
                "check": name,
                "result": words.get(finding.mark, finding.mark.value),
                "what": finding.what,
                "do": finding.do,
            }
            for name, finding in found
        ],
    }
