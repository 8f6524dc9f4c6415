"""The gate that a bot's stream comes through: hello first, then its session."""

import asyncio
from collections.abc import Callable
from functools import partial

from saurodrome.server.errors import Kind, Refused
from saurodrome.server.frames import Hello, Transport
from saurodrome.server.session.session import Session
from saurodrome.server.session.stream import WRITE_LIMIT, Stream

HELLO_TIME = 10.0
"""Seconds in which the first frame of a stream must come."""


class Gate:
    """Serves streams: the caller's task reads, one more task writes, nothing else runs there."""

    def __init__(
        self, session_of: Callable[[str], Session], changed: Callable[[], None] = lambda: None
    ) -> None:
        """Opens.

        Args:
            session_of: Gives the session of a bot.
            changed: Called when a bot came or went.
        """
        self._session_of = session_of
        self._changed = changed
        self._closed: Refused | None = None

    def shut(self, refusal: Refused) -> None:
        """Refuses every further stream; those inside stay."""
        self._closed = refusal

    async def serve(self, bot: str, transport: Transport) -> None:
        """Serves one stream of an authenticated bot until it ends, however it ends."""
        try:
            hello = await self._hello(transport)
            if hello:
                await self._run(self._session_of(bot), Stream(transport), hello, transport)
        except Refused as refusal:
            transport.close(refusal)

    async def _hello(self, transport: Transport) -> Hello | None:
        self._open()
        # The timer closes the stream; a timeout around the read would break it for good.
        loop = asyncio.get_running_loop()
        timer = loop.call_later(HELLO_TIME, transport.close, _HELLO_TIMEOUT())
        try:
            frame = await transport.recv()
        finally:
            timer.cancel()
        self._open()  # who was on the way in when it was shut would stay for ever
        if frame is None or isinstance(frame, Hello):
            return frame
        raise Refused(
            Kind.WRONG_STATE,
            "HELLO_FIRST",
            f"The first frame was {type(frame).__name__.lower()}, hello is expected.",
            "Play",
            "see the table at the top of bot.proto",
        )

    def _open(self) -> None:
        if self._closed:
            raise self._closed.again()

    async def _run(
        self, session: Session, stream: Stream, hello: Hello, transport: Transport
    ) -> None:
        session.attach(stream, hello)
        writer = asyncio.get_running_loop().create_task(stream.run())
        self._changed()
        try:
            while (frame := await transport.recv()) is not None and not stream.closed:
                session.receive(frame, transport.read_at)
        except Refused as refusal:
            stream.close(refusal)
        finally:
            stream.stop()
            _limit_the_end(writer)
            session.detach(stream)
            self._changed()


def _limit_the_end(writer: asyncio.Task[None]) -> None:
    """Lets a write under way end by itself, unless the peer does not read."""
    timer = asyncio.get_running_loop().call_later(WRITE_LIMIT, writer.cancel)
    writer.add_done_callback(lambda _: timer.cancel())


_HELLO_TIMEOUT = partial(
    Refused,
    Kind.TIMEOUT,
    "HELLO_TIMEOUT",
    f"No frame came within {HELLO_TIME:.0f} s.",
    "Play",
    "send hello as the first frame; see the table at the top of bot.proto",
)
