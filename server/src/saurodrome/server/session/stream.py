"""The writing side of one stream: a bounded outbox and the one task that empties it."""

import asyncio
from collections import deque
from functools import partial

from saurodrome.server.errors import Kind, Refused
from saurodrome.server.frames import Outbound, Transport
from saurodrome.server.session.decision import OpenDecision

OUTBOX_FRAMES = 256
"""Frames that wait for a bot that does not read, before its stream is cut."""
WRITE_LIMIT = 2.0
"""Seconds that one frame may wait for its peer to read while others queue behind it."""


class Stream:
    """What a session writes to. Nobody who writes ever waits."""

    def __init__(self, transport: Transport) -> None:
        """Wraps a transport; `run` must be a task before frames flow."""
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._outbox: deque[tuple[Outbound, OpenDecision | None]] = deque()
        self._wake: asyncio.Future[None] | None = None
        self._writing_since: float | None = None
        self._finish = False
        self.reason = "disconnected"
        self.closed = False
        """Nothing that comes on this stream counts any more."""

    def send(self, frame: Outbound, decision: OpenDecision | None = None) -> None:
        """Queues a frame; the write of a decision's frame is stamped on the decision."""
        self._outbox.append((frame, decision))
        if self.closed:
            return
        stuck = self._writing_since is not None and (
            self._loop.time() - self._writing_since > WRITE_LIMIT
        )
        if stuck or len(self._outbox) > OUTBOX_FRAMES:
            self.close(_SLOW_READER())
        elif self._wake and not self._wake.done():
            self._wake.set_result(None)

    def close(self, refusal: Refused | None) -> None:
        """Ends the stream now; frames that were not written will not be."""
        if refusal:
            self.reason = refusal.code
        self.closed = True
        self._transport.close(refusal)

    def finish(self) -> None:
        """Ends the stream with OK once the outbox is empty."""
        self.reason = "goodbye"
        self._finish = True
        if self._wake and not self._wake.done():
            self._wake.set_result(None)

    def stop(self) -> None:
        """Writes nothing more; a write under way is left to end, for its call's sake."""
        self.closed = True
        if self._wake and not self._wake.done():
            self._wake.set_result(None)

    def unwritten(self) -> list[Outbound]:
        """The frames that did not leave before the stream ended."""
        return [frame for frame, _ in self._outbox]

    async def run(self) -> None:
        """Writes until the stream ends."""
        try:
            while True:
                while self._outbox and not self.closed:
                    frame, decision = self._outbox[0]
                    self._writing_since = now = self._loop.time()
                    if decision:
                        decision.taken = now
                    await self._transport.send(frame, decision)
                    self._writing_since = None
                    self._outbox.popleft()
                if self._finish:
                    self._transport.close(None)
                if self._finish or self.closed:
                    return
                self._wake = self._loop.create_future()
                await self._wake
        except ConnectionError:
            return  # the reader sees the end as well and detaches


_SLOW_READER = partial(
    Refused,
    Kind.EXHAUSTED,
    "SLOW_READER",
    f"The bot did not read its stream for {WRITE_LIMIT:.0f} s.",
    "Play",
    "read frames all the time and think on another thread",
)
