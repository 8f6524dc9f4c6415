"""Seconds and the Duration and Timestamp messages, both ways."""

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

_MICROS = 1_000_000


def put(message: Duration | Timestamp, seconds: float) -> None:
    """Sets a message to a number of seconds, rounded to microseconds; marks it as present."""
    message.seconds, micros = divmod(round(seconds * _MICROS), _MICROS)
    message.nanos = micros * 1_000


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
