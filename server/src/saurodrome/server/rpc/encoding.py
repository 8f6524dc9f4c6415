"""The two pieces of the protobuf encoding with which ready bytes are put together."""

_ONE_BYTE = tuple(bytes((n,)) for n in range(128))
_LENGTH_DELIMITED = 2


def varint(number: int) -> bytes:
    """The base-128 varint of a number that is not negative."""
    if number < 128:
        return _ONE_BYTE[number]
    if number < 16_384:
        return bytes((number & 127 | 128, number >> 7))
    return bytes((number & 127 | 128,)) + varint(number >> 7)


def tag(field: int) -> bytes:
    """The tag of a field whose value is a message, a string or bytes."""
    return varint(field << 3 | _LENGTH_DELIMITED)
