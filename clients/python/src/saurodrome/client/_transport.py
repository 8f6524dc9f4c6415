"""One stream of frames between a bot and the server."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar

from grpc import StatusCode, aio

from saurodrome.bot.v1 import bot_pb2, bot_pb2_grpc
from saurodrome.client._channel import metadata_of, open_channel
from saurodrome.client._status import from_rpc_error
from saurodrome.client._target import Target

_STATUS_POLLS, _POLL_SECONDS = 20, 0.01
_T = TypeVar("_T")


class Transport(Protocol):
    """A stream of frames: one task reads, one task writes."""

    async def recv(self) -> bot_pb2.PlayResponse | None:
        """Waits for the next frame; never put a timeout around it, it would end the stream.

        Returns:
            The frame; None when the server has ended the stream in order.

        Raises:
            ServerError: The stream broke, or the server refused it.
        """
        ...

    async def send(self, frame: bot_pb2.PlayRequest, /) -> None:
        """Hands a frame over.

        Raises:
            ConnectionError: The stream has ended; `recv` tells why.
        """
        ...

    async def close(self) -> None:
        """Ends the stream at once, if it has not ended."""
        ...


class GrpcTransport:
    """A stream over gRPC, with a channel of its own."""

    def __init__(self, target: Target) -> None:
        """Begins to connect; `recv` tells how that went.

        Raises:
            InputError: The file of certificates cannot be read.
        """
        self._target = target
        self._channel = open_channel(target)
        # No wait_for_ready: a try that fails says why, and the bot tries again by itself.
        stub = bot_pb2_grpc.BotServiceStub(self._channel)
        self._call = stub.Play(metadata=metadata_of(target))
        # Iterated, not read(): that one stops at the first failed write, though there may be
        # frames to read yet, and the status only comes after the last of them.
        self._frames = aiter(self._call)
        self._first: aio.AioRpcError | None = None
        self._call.add_done_callback(self._note_status)

    async def recv(self) -> bot_pb2.PlayResponse | None:
        """Waits for the next frame; None at the end of the stream.

        Raises:
            ServerError: The stream broke, or the server refused it.
        """
        try:
            return await anext(self._frames, None)
        except aio.AioRpcError as error:
            true = await self._true_status(error)
            if true.code() is StatusCode.OK:
                return None
            raise from_rpc_error(true, self._target, stream=True) from None

    async def send(self, frame: bot_pb2.PlayRequest, /) -> None:
        """Hands a frame over.

        Raises:
            ConnectionError: The stream has ended.
        """
        try:
            await self._call.write(frame)
        except (aio.AioRpcError, asyncio.InvalidStateError) as error:
            raise ConnectionError("the stream has ended") from error

    def _note_status(self, _call: object) -> None:
        """Keeps the status that the stream ended with, before a failed write hides it."""
        self._first = _at_once(_status(self._call))

    async def _true_status(self, error: aio.AioRpcError) -> aio.AioRpcError:
        """Finds the status that a write hid which failed because the stream had ended.

        Such a write puts INTERNAL in its place (grpc/grpc#36066): over the true status if that
        came before, else until it comes. A bot that took SUPERSEDED for INTERNAL would return
        and fight.
        """
        if error.code() is not StatusCode.INTERNAL:
            return error
        if self._first is not None and self._first.code() is not StatusCode.INTERNAL:
            return self._first
        for _ in range(_STATUS_POLLS):
            await asyncio.sleep(_POLL_SECONDS)
            if await self._call.code() is not StatusCode.INTERNAL:
                return await _status(self._call)
        return error

    async def close(self) -> None:
        """Ends the stream and the connection."""
        self._call.cancel()
        await self._channel.close()


async def _status(call: "aio.Call") -> aio.AioRpcError:
    """Reads the status of a call that has ended."""
    return aio.AioRpcError(
        await call.code(),
        aio.Metadata(),
        await call.trailing_metadata(),
        await call.details(),
    )


def _at_once(coroutine: Coroutine[Any, Any, _T]) -> _T | None:
    """Runs a coroutine that does not wait; None if it does wait."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        value: _T = end.value
        return value
    finally:
        coroutine.close()
    return None
