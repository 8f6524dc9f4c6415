"""The pieces of the protobuf encoding with which ready bytes are put together."""

from typing import Final

_ONE_BYTE = tuple(bytes((n,)) for n in range(128))
VARINT: Final = 0
"""The wire type of integers, flags and enums."""
LENGTH_DELIMITED: Final = 2
"""The wire type of messages, strings and bytes."""


def varint(number: int) -> bytes:
    """The base-128 varint of a number.

    Raises:
        ValueError: It is negative.
    """
    if 0 <= number < 128:
        return _ONE_BYTE[number]
    if number < 16_384:
        return bytes((number & 127 | 128, number >> 7))
    return bytes((number & 127 | 128, number >> 7 & 127 | 128)) + varint(number >> 14)


def short_varint(data: bytes, at: int) -> tuple[int, int]:
    """The number of a varint of one to three bytes, and where it ends.

    Raises:
        IndexError: There is none, or it is longer.
    """
    number = data[at]
    if number < 128:
        return number, at + 1
    number += (data[at + 1] - 1) << 7  # the bit that says that more follows is 1 << 7
    if number < 16_384:
        return number, at + 2
    number += (data[at + 2] - 1) << 14
    if number < 2_097_152:
        return number, at + 3
    raise IndexError


def tag(field: int) -> bytes:
    """The tag of a field whose value is a message, a string or bytes."""
    return varint(field << 3 | LENGTH_DELIMITED)


def number_tag(field: int) -> bytes:
    """The tag of a field whose value is an integer, a flag or an enum."""
    return varint(field << 3 | VARINT)


def delimited(field: bytes, value: bytes) -> bytes:
    """A field, given by its tag, whose value is a message, a string or bytes."""
    return field + varint(len(value)) + value
