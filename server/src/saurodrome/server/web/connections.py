"""Connections of the web server: few, and none for long."""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_CONNECTIONS = 256
"""Connections at once; one more ends the oldest."""
LIFETIME = 30.0
"""Seconds that a connection may last, whether it sends, reads or does neither."""


class BoundedProtocol(H11Protocol):
    """HTTP/1.1 that a silent or slow client cannot hold on to.

    uvicorn waits for ever for the first request of a connection and for the reader of a
    response. Nothing here takes long, so every connection simply ends after a while.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Lets the connection in, at the cost of the oldest if there are too many."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._end = self.loop.call_later(LIFETIME, transport.abort)
        if len(self.connections) > MAX_CONNECTIONS:
            self._end_the_oldest()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets it."""
        self._end.cancel()
        super().connection_lost(exc)

    def _end_the_oldest(self) -> None:
        others = [c for c in self.connections if isinstance(c, BoundedProtocol)]
        # One that was ended just now is in the set until the loop's next turn.
        left = [c for c in others if not c.transport.is_closing()]
        if len(left) > MAX_CONNECTIONS:
            min(left, key=lambda connection: connection._since).transport.abort()
