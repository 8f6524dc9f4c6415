"""Seconds and the Duration and Timestamp messages, both ways."""

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from saurodrome.server.rpc.encoding import number_tag, varint

_MICROS = 1_000_000
_SECONDS = number_tag(Duration.SECONDS_FIELD_NUMBER)
_NANOS = number_tag(Duration.NANOS_FIELD_NUMBER)


def put(message: Duration | Timestamp, seconds: float) -> None:
    """Sets a message to a number of seconds, rounded to microseconds; marks it as present."""
    message.seconds, micros = divmod(round(seconds * _MICROS), _MICROS)
    message.nanos = micros * 1_000


def encoded(seconds: float) -> bytes:
    """The bytes of a Duration, as `put` sets it."""
    micros = round(seconds * _MICROS)
    whole, micros = micros // _MICROS, micros % _MICROS
    nanos = _NANOS + varint(micros * 1_000) if micros else b""
    if whole < 0:  # the varint of a negative number is that of its 64 bits
        whole += 1 << 64
    return _SECONDS + varint(whole) + nanos if whole else nanos


def duration(seconds: float) -> Duration:
    """A duration; below zero is zero."""
    message = Duration()
    put(message, max(seconds, 0.0))
    return message


def timestamp(unix_seconds: float) -> Timestamp:
    """A point in time."""
    message = Timestamp()
    put(message, unix_seconds)
    return message


def seconds(message: Duration) -> float:
    """How many seconds a duration is."""
    return message.seconds + message.nanos / 1_000_000_000
