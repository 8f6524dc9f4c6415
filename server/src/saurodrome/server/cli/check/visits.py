"""Streams of the bot that is checked: what comes in, when, and what was wrong with it."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from saurodrome.server.errors import Kind, Refused
from saurodrome.server.frames import Hello, Inbound, Outbound, Transport
from saurodrome.server.observer import Observer

HELLO_TIME = 10.0
WRITE_TIME = 5.0
"""Seconds in which a bot must take a frame off its stream."""


class Gone(Exception):
    """The bot's stream has ended."""

    def __init__(self, reason: str) -> None:
        """Keeps why, in words."""
        super().__init__(reason)
        self.reason = reason


class Heard(NamedTuple):
    """A frame of the bot, and the loop time at which it was read."""

    frame: Inbound
    when: float


class Visit:
    """One stream of the bot, after its hello."""

    def __init__(self, hello: Hello, transport: Transport) -> None:
        """Takes a stream that has said hello."""
        self.hello = hello
        self.came = asyncio.get_running_loop().time()
        self.reason = "the bot ended it, or its connection broke"
        self.ended = False
        self._transport = transport
        self._frames: asyncio.Queue[Heard | None] = asyncio.Queue()

    def hears(self, frame: Inbound) -> None:
        """Takes a frame of the bot."""
        self._frames.put_nowait(Heard(frame, asyncio.get_running_loop().time()))

    def goes(self) -> None:
        """Notes the end of the stream."""
        self.ended = True
        self._frames.put_nowait(None)

    async def frame(self, until: float) -> Heard | None:
        """Waits for the bot's next frame; None if none came until a loop time.

        Raises:
            Gone: The stream has ended.
        """
        try:
            async with asyncio.timeout_at(until):
                heard = await self._frames.get()
        except TimeoutError:
            return None
        if heard is None:
            self._frames.put_nowait(None)
            raise Gone(self.reason)
        return heard

    async def send(self, frame: Outbound) -> None:
        """Writes a frame.

        Raises:
            Gone: The stream has ended, or the bot does not read.
        """
        try:
            async with asyncio.timeout(WRITE_TIME):
                await self._transport.send(frame)
        except TimeoutError:
            raise Gone(f"the bot did not read for {WRITE_TIME:.0f} s") from None
        except ConnectionError:
            raise Gone(self.reason) from None

    def close(self, refusal: Refused | None) -> None:
        """Ends the stream from our side."""
        self.reason = refusal.what if refusal else "it was ended"
        self._transport.close(refusal)


class Door(Observer):
    """Lets the bot's streams in: the gate of the arbiter that checks, and who hears of refusals."""

    def __init__(self) -> None:
        """Nobody has come yet."""
        self._came: asyncio.Queue[Visit | None] = asyncio.Queue()
        self._visits: list[Visit] = []
        self.refused: list[str] = []
        """Codes of calls and streams that were refused."""
        self.wrong: list[Refused] = []
        """Frames that broke the rules of the stream."""
        self.tell: Callable[[str], None] = lambda code: None
        """Hears of each refusal at once."""
        self.nobody: str = ""
        """Why no bot will come, once that is known."""
        self._visited = False

    def session_refused(self, code: str) -> None:
        """Keeps the code, but of what belongs to a check."""
        if code not in _OURS:
            self.refused.append(code)
            self.tell(code)

    async def serve(self, bot: str, transport: Transport) -> None:
        """Serves a stream until it ends."""
        try:
            hello = await self._hello(transport)
            if hello is not None:
                await self._read(Visit(hello, transport), transport)
        except Refused as refusal:
            self.wrong.append(refusal)
            transport.close(refusal)  # the call ends with it, and whoever guards it tells us

    def expects_nobody(self, why: str) -> None:
        """Ends the wait for the bot; for one that was here the wait goes on, it may come back.

        Args:
            why: In words.
        """
        if not self._visited:
            self.nobody = why
            self._came.put_nowait(None)

    async def next(self, until: float) -> Visit | None:
        """Waits for the newest stream that has not been given yet; None if none came in time."""
        try:
            async with asyncio.timeout_at(until):
                visit = await self._came.get()
        except TimeoutError:
            return None
        while not self._came.empty():
            visit = self._came.get_nowait()
        return visit

    async def _hello(self, transport: Transport) -> Hello | None:
        loop = asyncio.get_running_loop()
        timer = loop.call_later(HELLO_TIME, transport.close, _SILENT())
        try:
            frame = await transport.recv()
        finally:
            timer.cancel()
        if frame is None or isinstance(frame, Hello):
            return frame
        kind = type(frame).__name__.lower()
        what = f"The first frame was {kind}, hello is expected."
        raise Refused(Kind.WRONG_STATE, "HELLO_FIRST", what, "Play", "send hello first")

    async def _read(self, visit: Visit, transport: Transport) -> None:
        for older in self._visits:
            older.close(_SUPERSEDED())
        self._visits.append(visit)
        self._visited = True
        self._came.put_nowait(visit)
        try:
            while (frame := await transport.recv()) is not None:
                if isinstance(frame, Hello):
                    raise _HELLO_TWICE()
                visit.hears(frame)
        except Refused as refusal:
            visit.reason = f"[{refusal.code}] {refusal.what}"
            raise
        finally:
            self._visits.remove(visit)
            visit.goes()


_OURS = frozenset({"DRAINING", "SUPERSEDED"})
_SILENT = partial(
    Refused,
    Kind.TIMEOUT,
    "HELLO_TIMEOUT",
    f"No frame came within {HELLO_TIME:.0f} s.",
    "Play",
    "send hello as the first frame",
)
_SUPERSEDED = partial(
    Refused,
    Kind.SUPERSEDED,
    "SUPERSEDED",
    "A newer stream of this bot took over.",
    "Play",
    "use one stream for all matches",
)
_HELLO_TWICE = partial(
    Refused,
    Kind.WRONG_STATE,
    "HELLO_TWICE",
    "A second hello came on this stream.",
    "Play",
    "send hello once, as the first frame",
)
