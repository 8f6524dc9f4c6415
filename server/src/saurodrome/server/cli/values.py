"""Values of options that have a form of their own: durations, lists of names."""

import re
from typing import Any

import click

_UNITS = {"ms": 0.001, "s": 1.0, "min": 60.0, "": 1.0}


class Duration(click.ParamType[float]):
    """A duration such as `500ms`, `1s` or `2min`, as seconds; a bare number is seconds."""

    name = "duration"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Reads a duration."""
        if isinstance(value, float):
            return value
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ms|s|min|)", str(value).strip())
        if match is None:
            self.fail(f"`{value}` is no duration: write 500ms, 1s or 2min", param, ctx)
        return float(match[1]) * _UNITS[match[2]]


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
