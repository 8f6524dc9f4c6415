"""Values of options that have a form of their own: durations, lists of names."""

import math
import re
from typing import Any

import click

_UNITS = {"ms": 0.001, "s": 1.0, "min": 60.0}
UINT32 = 2**32 - 1
"""The greatest whole number of most fields of the wire."""
UINT64 = 2**64 - 1
LONGEST = 24 * 3600.0
"""Seconds of the longest duration that a server takes."""


def whole(least: int, most: int = UINT32) -> click.IntRange:
    """Gives the type of a whole number that fits into its field, whatever is typed."""
    return click.IntRange(least, most)


class Duration(click.ParamType[float]):
    """A duration with its unit, such as `500ms`, `1s` or `2min`, as seconds; at most a day."""

    name = "duration"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Reads a duration."""
        if isinstance(value, float):
            return value
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ms|s|min)", str(value).strip())
        if match is None:
            self.fail(f"`{value}` is no duration: write 500ms, 1s or 2min", param, ctx)
        seconds = float(match[1]) * _UNITS[match[2]]
        if seconds > LONGEST:
            self.fail(f"`{value}` is too long: {LONGEST / 60:.0f}min at most", param, ctx)
        return seconds


class Names(click.ParamType[tuple[str, ...]]):
    """Names with commas between them."""

    name = "a,b,c"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Reads the names; blanks around them do not matter."""
        if isinstance(value, tuple):
            return value
        return tuple(name.strip() for name in str(value).split(",") if name.strip())


class Numbers(click.ParamType[tuple[float, ...]]):
    """Numbers with commas between them."""

    name = "1700,1650,..."

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, ...]:
        """Reads the numbers; blanks around them do not matter."""
        if isinstance(value, tuple):
            return value
        try:
            numbers = tuple(float(part) for part in str(value).split(","))
        except ValueError:
            self.fail(f"`{value}` is no list of numbers: write 1700,1650,1500", param, ctx)
        if not all(map(math.isfinite, numbers)):
            self.fail(f"`{value}` holds what is no number", param, ctx)
        return numbers
