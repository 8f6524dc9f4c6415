"""What values in a tournament's file may be, and how they are read."""

import math
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

import click

from saurodrome.server.cli.values import LONGEST, UINT32, Duration

Value = Any
"""A value as TOML has it, and as a field of the settings wants it."""


class BadValue(Exception):
    """A value that a key cannot have; the text says what it may be."""


class Kind(NamedTuple):
    """What a key may be."""

    name: str
    """For people."""
    read: Callable[[Value], Value]
    """Makes the field's value; raises BadValue."""


def whole(least: int = 0, most: int = UINT32) -> Kind:
    """A whole number."""

    def read(value: Value) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        raise BadValue(f"write a whole number from {least} to {most}")

    return Kind("whole number", read)


def one_of(choices: Sequence[str]) -> Kind:
    """One of some words."""

    def read(value: Value) -> str:
        if value in choices:
            return str(value)
        raise BadValue(f"write one of {', '.join(choices)}")

    return Kind(" | ".join(choices), read)


def _text(value: Value) -> str:
    if isinstance(value, str):
        return value
    raise BadValue("write a text between quotes")


def _flag(value: Value) -> bool:
    if isinstance(value, bool):
        return value
    raise BadValue("write true or false")


def _number(value: Value) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    raise BadValue("write a number")


def _duration(value: Value) -> float:
    if isinstance(value, str):
        try:
            return Duration().convert(value, None, None)
        except click.BadParameter:
            pass
    raise BadValue(
        f'write a text with its unit, "500ms", "1s" or "2min", at most {LONGEST / 60:.0f} minutes'
    )


def _names(value: Value) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        return tuple(value)
    raise BadValue('write a list of names, such as ["greedy", "random"]')


def _moment(value: Value) -> float:
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.timestamp()
    if isinstance(value, date):
        raise BadValue("say the time and its zone: 2026-12-04T18:00:00+01:00, or with a Z for UTC")
    raise BadValue("write a time without quotes: 2026-12-04T18:00:00+01:00")


def _spans(value: Value) -> tuple[tuple[str, float], ...]:
    if isinstance(value, dict):
        return tuple((name, _duration(given)) for name, given in value.items())
    raise BadValue('write { place = "500ms", discard = "200ms" }, with phases of the game')


TEXT = Kind("text", _text)
FLAG = Kind("true | false", _flag)
NUMBER = Kind("number", _number)
DURATION = Kind("duration", _duration)
SPANS = Kind("durations by name", _spans)
NAMES = Kind("names", _names)
MOMENT = Kind("time", _moment)
