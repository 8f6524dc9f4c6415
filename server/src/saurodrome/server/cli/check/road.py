"""The way between a bot and the arbiter that checks it: one that can break, freeze and close."""

import asyncio
from contextlib import suppress
from typing import Protocol

from saurodrome.server.listening import bind

_PIECE = 65_536


class Way(Protocol):
    """What may happen to connections on their way."""

    def cut(self) -> None:
        """Breaks all of them, as a network does that resets them."""
        ...

    def freeze(self) -> None:
        """Lets nothing more through on the present ones, which stay open."""
        ...

    async def close(self) -> None:
        """Breaks all of them and lets nobody in."""
        ...

    async def open_again(self) -> None:
        """Lets them in again."""
        ...


class Road:
    """Passes TCP connections on to a port of this machine.

    Attributes:
        port: The port that bots connect to.
    """

    def __init__(self, host: str, port: int) -> None:
        """Binds the port, so that nobody else gets it; `open` lets connections in.

        Args:
            host: The address to listen on.
            port: The port; 0 takes a free one.

        Raises:
            Refused: The port cannot be had.
        """
        self._host = host
        self._bound = bind(host, port, "HOST:PORT")
        self.port: int = self._bound.getsockname()[1]
        self._goal = 0
        self._server: asyncio.Server | None = None
        self._lanes: set[_Lane] = set()

    async def open(self, goal: int) -> None:
        """Lets connections in and passes them on.

        Args:
            goal: The port of this machine that they go to.
        """
        self._goal = goal
        self._server = await asyncio.start_server(self._pass_on, sock=self._bound)

    async def close(self) -> None:
        """Breaks all connections and lets nobody in."""
        if self._server is not None:
            self._server.close()
            self._server = None
        self._bound.close()
        self.cut()
        await asyncio.sleep(0)

    async def open_again(self) -> None:
        """Lets connections in again, on the same port."""
        self._bound = bind(self._host, self.port, "HOST:PORT")
        await self.open(self._goal)

    def cut(self) -> None:
        """Breaks all connections, as a network does that resets them."""
        for lane in tuple(self._lanes):
            lane.cut()

    def freeze(self) -> None:
        """Lets nothing more through on the present connections, which stay open."""
        for lane in self._lanes:
            lane.frozen = True

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there = await asyncio.open_connection("127.0.0.1", self._goal)
        except OSError:
            writer.transport.abort()
            return
        lane = _Lane(writer, there[1])
        self._lanes.add(lane)
        try:
            await asyncio.gather(lane.carry(reader, there[1]), lane.carry(there[0], writer))
        finally:
            self._lanes.discard(lane)


class _Lane:
    """One connection, both ways."""

    def __init__(self, *ends: asyncio.StreamWriter) -> None:
        self._ends = ends
        self.frozen = False

    def cut(self) -> None:
        for end in self._ends:
            end.transport.abort()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carries bytes one way, to the end of either side."""
        with suppress(OSError):
            while piece := await reader.read(_PIECE):
                if self.frozen:
                    continue  # it is lost on the way, and nobody hears of it
                writer.write(piece)
                await writer.drain()
        if not self.frozen:
            self.cut()
