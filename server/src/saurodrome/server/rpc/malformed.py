"""What stands for bytes that are no message, so that no parser's error reaches the peer."""

from collections.abc import AsyncIterator, Callable
from typing import Any, NamedTuple

from google.protobuf.message import DecodeError

from saurodrome.server.errors import Kind, Refused


class Malformed(NamedTuple):
    """Bytes that were no message of the expected kind, by their number."""

    size: int


def tolerant(deserializer: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    """A deserializer that gives a `Malformed` where the other one raises.

    gRPC ends the call with UNKNOWN and the exception's text if a deserializer raises.
    """

    def deserialize(data: bytes) -> Any:
        try:
            return deserializer(data)
        except (DecodeError, ValueError, RecursionError):
            return Malformed(len(data))

    return deserialize


def refusal(message: Malformed, where: str) -> Refused:
    """What the sender of a malformed message is told."""
    return Refused(
        Kind.INVALID,
        "MALFORMED",
        f"{message.size} bytes are not the message that belongs here.",
        where,
        "send protobuf messages made from this server's .proto files",
    )


async def well_formed(requests: AsyncIterator[Any], where: str) -> AsyncIterator[Any]:
    """The requests of a stream.

    Raises:
        Refused: MALFORMED.
    """
    async for request in requests:
        if isinstance(request, Malformed):
            raise refusal(request, where)
        yield request
