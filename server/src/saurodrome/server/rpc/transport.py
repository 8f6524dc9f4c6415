"""A bot's gRPC stream as a `Transport` of frames."""

import asyncio

import grpc

from saurodrome.server.errors import Refused
from saurodrome.server.frames import Inbound, Outbound, Stamped
from saurodrome.server.rpc import inbound
from saurodrome.server.rpc.outbound import Encoder
from saurodrome.server.rpc.status import Context


class GrpcTransport:
    """Reads and writes one stream.

    gRPC ends a stream in many ways that look alike (cancelled, half-closed, killed, too large a
    message), so all of them are simply the end. It ends a call only in the handler's task:
    `close` says so by `closed`, and frees a reader that waits. A write under way is never
    cancelled, since the status of its call would never leave: see `written`.
    """

    def __init__(self, context: Context, encoder: Encoder) -> None:
        """Takes the call's context; belongs to the running loop."""
        self._context = context
        self._encoder = encoder
        self._time = asyncio.get_running_loop().time
        self.read_at = 0.0
        self._reader: asyncio.Task[None] | None = None
        self._reading = self._freed = self._writing = False
        self._written: asyncio.Future[None] | None = None
        self.closed: asyncio.Future[Refused | None] = asyncio.get_running_loop().create_future()
        """Done once the stream is to end; tells what was refused, if anything."""

    def read_by(self, task: asyncio.Task[None]) -> None:
        """Names the one task that reads, so that `close` can free it."""
        self._reader = task

    async def recv(self) -> Inbound | None:
        """Waits for the next frame; None when the stream has ended, however it ended.

        Raises:
            Refused: If what came is not a frame.
        """
        if self.closed.done():
            return None
        self._reading = True
        try:
            data = await self._context.read()
        except grpc.aio.BaseError:
            return None
        except asyncio.CancelledError:
            if self._freed and self._reader and self._reader.uncancel() == 0:
                return None
            raise
        finally:
            self._reading = False
        if data is grpc.aio.EOF or self.closed.done():
            return None
        self.read_at = self._time()
        return inbound.parse(data)

    async def send(self, frame: Outbound, stamped: Stamped | None = None) -> None:
        """Hands a frame over; may block while the peer does not read.

        Raises:
            ConnectionError: If the stream has ended.
        """
        if self.closed.done():
            raise ConnectionError("the stream is closed")
        self._writing = True
        try:
            data = self._encoder(frame)
            if stamped is not None and stamped.written is None:
                stamped.written = self._time()
            await self._context.write(data)
        except grpc.aio.BaseError:
            raise ConnectionError("the stream has ended") from None
        finally:
            self._writing = False
            if self._written and not self._written.done():
                self._written.set_result(None)

    async def written(self) -> None:
        """Waits for the write under way, if there is one: a status sent before would get lost."""
        if self._writing:
            self._written = asyncio.get_running_loop().create_future()
            await self._written

    def close(self, refusal: Refused | None) -> None:
        """Ends the stream: with OK, or with what was refused. Never blocks; twice is once."""
        if self.closed.done():
            return
        # Where it was raised is over; kept, it would keep this stream.
        self.closed.set_result(refusal and refusal.with_traceback(None))
        if self._reading and self._reader:
            self._freed = True
            self._reader.cancel()
