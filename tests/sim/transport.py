"""The second implementation of `Transport`: a pair of queues with faults on the way."""

import asyncio
from collections import deque
from collections.abc import Callable
from random import Random
from typing import NamedTuple, TypeVar

from saurodrome.server.errors import Refused
from saurodrome.server.frames import Inbound, Outbound, Stamped

F = TypeVar("F")
NoteFrame = Callable[[str, object], None]
"""Hears of each frame when the server's end wrote or read it: `out` or `in`, and the frame."""


class Way(NamedTuple):
    """What happens on the way; the way never changes the order of frames.

    Attributes:
        fastest: Seconds that a frame takes at least.
        slowest: Seconds that it takes at most.
        twice: How many of the peer's frames arrive twice, 0 to 1.
        window: Frames that the peer may leave unread before a send blocks.
    """

    fastest: float = 0.0
    slowest: float = 0.0
    twice: float = 0.0
    window: int = 64


class _Half:
    """One direction: things arrive in order, each after its delay."""

    def __init__(self, way: Way, rng: Random, arrive: Callable[[object], None]) -> None:
        self._way = way
        self._rng = rng
        self._arrive = arrive
        self._loop = asyncio.get_running_loop()
        self._last = 0.0
        self._flying: deque[tuple[object, asyncio.TimerHandle]] = deque()

    def put(self, thing: object) -> None:
        """Send something on its way."""
        delay = self._rng.uniform(self._way.fastest, self._way.slowest)
        self._last = max(self._last, self._loop.time() + delay)
        if self._last <= self._loop.time() and not self._flying:
            self._arrive(thing)
        else:
            self._flying.append((thing, self._loop.call_at(self._last, self._land)))

    def cut(self) -> None:
        """Lose what is on its way."""
        for _, timer in self._flying:
            timer.cancel()
        self._flying.clear()

    def _land(self) -> None:
        # Timers of one instant may come in any order: things do not.
        self._arrive(self._flying.popleft()[0])


class _End(NamedTuple):
    """The end of a stream, after all frames before it."""

    refusal: Refused | None


class Link:
    """The server's end of a stream; its other end is `peer`."""

    def __init__(
        self,
        peer: "Peer",
        way: Way,
        rng: Random,
        note: NoteFrame = lambda direction, frame: None,
    ) -> None:
        """Connect a peer."""
        self._loop = asyncio.get_running_loop()
        self._way = way
        self._rng = rng
        self._note = note
        self._down = _Half(way, rng, peer.arrive)
        self._up = _Half(way, rng, self._arrived)
        self._inbox: deque[Inbound | Refused] = deque()
        self._wake: asyncio.Future[None] | None = None
        self._gone = False
        self._closed = False
        self.read_at = 0.0
        self.peer = peer
        peer.link = self

    # the server's side: `Transport`

    async def recv(self) -> Inbound | None:
        """Wait for the next frame; None when the stream has ended."""
        while not self._closed:
            if self._inbox:
                frame = self._inbox.popleft()
                if isinstance(frame, Refused):
                    raise frame
                self._note("in", frame)
                self.read_at = self._loop.time()
                return frame
            if self._gone:
                return None
            await self._sleep()
        return None

    async def send(self, frame: Outbound, stamped: Stamped | None = None) -> None:
        """Hand a frame over, once there is room for it."""
        if stamped is not None and stamped.written is None:
            stamped.written = self._loop.time()
        while not self._ended and self.peer.unread >= self._way.window:
            await self.peer.room()
        if self._ended:
            raise ConnectionError("the stream has ended")
        self._note("out", frame)
        self.peer.unread += 1
        self._down.put(frame)

    def close(self, refusal: Refused | None) -> None:
        """End the stream; the peer sees the end after the frames before it."""
        if self._closed:
            return
        self._closed = True
        self._awake()
        self.peer.make_room()
        if not self._gone:
            self._down.put(_End(refusal))

    # the peer's side

    def carry(self, frame: Inbound | Refused) -> None:
        """Take a frame from the peer."""
        self._up.put(frame)
        if self._rng.random() < self._way.twice:
            self._up.put(frame)

    def finish(self) -> None:
        """The peer ends the stream in order."""
        self._up.put(_End(None))

    def drop(self, notice: float) -> None:
        """The connection breaks; this end notices after some seconds."""
        self._up.cut()
        self._down.cut()
        self._loop.call_later(notice, self._lost)

    @property
    def _ended(self) -> bool:
        return self._closed or self._gone

    def _arrived(self, thing: object) -> None:
        if isinstance(thing, _End):
            self._lost()
        elif not self._ended:
            self._inbox.append(thing)  # type: ignore[arg-type]
            self._awake()

    def _lost(self) -> None:
        self._gone = True
        self._awake()
        self.peer.make_room()

    async def _sleep(self) -> None:
        self._wake = self._loop.create_future()
        await self._wake

    def _awake(self) -> None:
        if self._wake and not self._wake.done():
            self._wake.set_result(None)


class Peer:
    """A bot's end of a stream: hears frames by a callback, keeps them, and sends its own."""

    link: Link

    def __init__(
        self, hears: Callable[[Outbound], None] = lambda frame: None, *, reads: bool = True
    ) -> None:
        """Begin; a peer that does not read leaves frames on the way.

        Args:
            hears: Called with each frame.
            reads: Whether it reads at all.
        """
        self._hears = hears
        self.reads = reads
        """Whether it reads; a peer that stops leaves frames on the way."""
        self._unseen: deque[object] = deque()
        self._room: asyncio.Future[None] | None = None
        self.unread = 0
        self.inbox: list[Outbound] = []
        """All frames that it read."""
        self.ended: asyncio.Future[Refused | None] = asyncio.get_running_loop().create_future()
        """Done when the peer knows that the stream ended; gives what was refused."""

    def send(self, *frames: Inbound | Refused) -> None:
        """Send frames; a `Refused` stands for bytes that are no frame."""
        for frame in frames:
            if not self.ended.done():
                self.link.carry(frame)

    def finish(self) -> None:
        """End the stream in order."""
        self.link.finish()

    def drop(self, notice: float = 0.0) -> None:
        """Break the connection; the server notices after some seconds."""
        if not self.ended.done():
            self.ended.set_result(None)
            self.link.drop(notice)

    def read_on(self) -> None:
        """Begin to read, with all that waits."""
        self.reads = True
        while self._unseen:
            self._see(self._unseen.popleft())

    def got(self, kind: type[F]) -> list[F]:
        """Return the frames of a kind that it read."""
        return [frame for frame in self.inbox if isinstance(frame, kind)]

    # the link's side

    def arrive(self, thing: object) -> None:
        """Take what comes down the link."""
        if self.reads:
            self._see(thing)
        else:
            self._unseen.append(thing)

    async def room(self) -> None:
        """Wait until there is room again, or the stream has ended."""
        self._room = asyncio.get_running_loop().create_future()
        await self._room

    def make_room(self) -> None:
        """Wake whoever waits for room."""
        if self._room and not self._room.done():
            self._room.set_result(None)

    def _see(self, thing: object) -> None:
        if self.ended.done():
            return
        if isinstance(thing, _End):
            self.ended.set_result(thing.refusal)
            return
        self.unread -= 1
        self.make_room()
        self.inbox.append(thing)  # type: ignore[arg-type]
        self._hears(thing)  # type: ignore[arg-type]
