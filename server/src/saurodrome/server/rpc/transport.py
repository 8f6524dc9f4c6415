"""A bot's gRPC stream as a `Transport` of frames."""

import asyncio

import grpc

from saurodrome.server.errors import Refused
from saurodrome.server.frames import Inbound, Outbound
from saurodrome.server.rpc import inbound
from saurodrome.server.rpc.outbound import Encoder
from saurodrome.server.rpc.status import Context

Task = asyncio.Task[object]


class GrpcTransport:
    """Reads and writes one stream.

    gRPC ends a stream in many ways that look alike (cancelled, half-closed, killed, too large a
    message), so all of them are simply the end. It ends a call only in the handler's task:
    `close` says so by `closed`, and frees a reader or writer that waits.
    """

    def __init__(self, context: Context, encoder: Encoder) -> None:
        """Takes the call's context; belongs to the running loop."""
        self._context = context
        self._encoder = encoder
        self._reader: Task | None = None
        self._writer: Task | None = None
        self._freed: set[Task] = set()
        self.closed: asyncio.Future[Refused | None] = asyncio.get_running_loop().create_future()
        """Done once the stream is to end; tells what was refused, if anything."""

    async def recv(self) -> Inbound | None:
        """Waits for the next frame; None when the stream has ended, however it ended.

        Raises:
            Refused: If what came is not a frame.
        """
        if self.closed.done():
            return None
        self._reader = task = _this_task()
        try:
            request = await self._context.read()
        except grpc.aio.BaseError:
            return None
        except asyncio.CancelledError:
            if self._cancelled_from_outside(task):
                raise
            return None
        finally:
            self._reader = None
        return None if request is grpc.aio.EOF else inbound.frame(request)

    async def send(self, frame: Outbound) -> None:
        """Hands a frame over; may block while the peer does not read.

        Raises:
            ConnectionError: If the stream has ended.
        """
        if self.closed.done():
            raise ConnectionError("the stream is closed")
        data = self._encoder(frame)
        self._writer = task = _this_task()
        try:
            await self._context.write(data)
        except grpc.aio.BaseError:
            raise ConnectionError("the stream has ended") from None
        except asyncio.CancelledError:
            if self._cancelled_from_outside(task):
                raise
            raise ConnectionError("the stream has ended") from None
        finally:
            self._writer = None

    def close(self, refusal: Refused | None) -> None:
        """Ends the stream: with OK, or with what was refused. Never blocks; twice is once."""
        if self.closed.done():
            return
        self.closed.set_result(refusal)
        for task in {self._reader, self._writer} - {None, _this_task_or_none()}:
            if task is not None:
                self._freed.add(task)
                task.cancel()

    def _cancelled_from_outside(self, task: Task) -> bool:
        """Whether somebody else than `close` or gRPC itself cancels the task."""
        if task in self._freed:
            self._freed.discard(task)
            return task.uncancel() > 0
        return task.cancelling() > 0


def _this_task_or_none() -> Task | None:
    try:
        return asyncio.current_task()
    except RuntimeError:  # from a callback of another loop or none
        return None


def _this_task() -> Task:
    task = asyncio.current_task()
    if task is None:
        raise RuntimeError("frames are read and written by tasks")
    return task
