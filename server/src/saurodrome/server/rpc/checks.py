"""What fields of organisers' requests may hold; every refusal names its field."""

import math
from collections.abc import Iterable, Mapping
from typing import TypeVar

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from saurodrome.server.errors import Kind, Refused
from saurodrome.server.nearest import nearest
from saurodrome.server.rpc import durations

K = TypeVar("K")
T = TypeVar("T")


def invalid(code: str, what: str, where: str, do: str) -> Refused:
    """A refusal with INVALID_ARGUMENT."""
    return Refused(Kind.INVALID, code, what, where, do)


def text(value: str, limit: int, where: str) -> str:
    """A text that people can read, at most `limit` characters.

    Raises:
        Refused: BAD_TEXT.
    """
    if len(value) <= limit and value.isprintable():
        return value
    what = f"is longer than {limit} characters" if len(value) > limit else "is not readable"
    raise invalid("BAD_TEXT", f"The text {what}.", where, f"use up to {limit} printable characters")


def whole(value: int, default: int, limit: int, where: str) -> int:
    """A whole number from 1 to `limit`; 0 means the default.

    Raises:
        Refused: OUT_OF_RANGE.
    """
    if value <= limit:
        return value or default
    raise invalid("OUT_OF_RANGE", f"{value} is too large.", where, f"use 1 to {limit}")


def finite(value: float, default: float, limit: float, where: str) -> float:
    """A number of at most `limit` either way; 0 means the default.

    Raises:
        Refused: OUT_OF_RANGE.
    """
    if math.isfinite(value) and abs(value) <= limit:
        return value or default
    raise invalid(
        "OUT_OF_RANGE", f"{value:g} is no such number.", where, f"use {-limit:g} to {limit:g}"
    )


def span(
    message: Message, field: str, default: float, low: float, high: float, where: str
) -> float:
    """A duration in seconds from `low` to `high`; absent means the default.

    Raises:
        Refused: BAD_DURATION.
    """
    if not message.HasField(field):
        return default
    value = getattr(message, field)
    seconds = durations.seconds(value) if isinstance(value, Duration) else math.nan
    if low <= seconds <= high:
        return seconds
    raise invalid(
        "BAD_DURATION",
        f"{seconds:g} s is outside the bounds.",
        f"{where}.{field}",
        f"use {low:g} to {high:g} s",
    )


def moment(message: Message, field: str, last: float, where: str) -> float:
    """A point in time in Unix seconds, after 1970 and not after `last`; absent means 0.

    Raises:
        Refused: BAD_MOMENT.
    """
    if not message.HasField(field):
        return 0.0
    value = getattr(message, field)
    seconds = value.seconds + value.nanos / 1e9 if isinstance(value, Timestamp) else math.nan
    if 0.0 < seconds <= last:
        return seconds
    raise invalid(
        "BAD_MOMENT",
        f"{seconds:g} is no such time.",
        f"{where}.{field}",
        "give a time after 1970, in seconds since then",
    )


def choice(value: K, choices: Mapping[K, T], usual: T, code: str, where: str) -> T:
    """One of an enum's values; 0 means the usual one.

    Raises:
        Refused: With the code.
    """
    if not value:
        return usual
    if value in choices:
        return choices[value]
    names = " or ".join(str(known) for known in choices.values())
    raise invalid(code, f"{value} is none of the choices.", where, f"use {names}")


def known(value: str, names: Iterable[str], code: str, what: str, where: str) -> str:
    """A name out of those that exist.

    Raises:
        Refused: With the code; tells the names, a similar one first.
    """
    exist = tuple(names)
    if value in exist:
        return value
    similar = nearest(value, exist)
    hint = f"did you mean {similar}? " if similar else ""
    raise invalid(code, f"{what} {value[:40]!a}.", where, f"{hint}use {' or '.join(exist)}")
