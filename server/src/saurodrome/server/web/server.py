"""The web server: uvicorn in the running loop, on a port of its own."""

import asyncio
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import uvicorn

from saurodrome.server.config import Config
from saurodrome.server.listening import bind
from saurodrome.server.web.app import Scrape, Shown, make_app
from saurodrome.server.web.connections import BoundedProtocol

GRACE = 1.0
"""Seconds that responses may take to end after a stop."""
_BACKLOG = 128
_MAX_REQUEST_HEAD = 16_384


class Health(NamedTuple):
    """What `/healthz` tells beside the status."""

    version: str
    bots_port: int


class WebServer:
    """Pages, health and metrics."""

    def __init__(
        self,
        config: Config,
        shown: Shown,
        metrics: Scrape,
        health: Health,
        trouble: Callable[[], str] = str,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """Binds the port.

        Args:
            config: Where to serve.
            shown: What the pages show.
            metrics: What makes the metrics page.
            health: What `/healthz` tells beside the status.
            trouble: Gives why results cannot be stored; empty while they can.
            tls: What TLS is spoken with; None: plain HTTP.

        Raises:
            Refused: PORT_IN_USE, PORT_FORBIDDEN or BAD_ADDRESS.
        """
        self._health = health
        self._trouble = trouble
        self._draining = False
        self._socket = bind(config.web_host or config.host, config.web_port, "web_port")
        self.port: int = self._socket.getsockname()[1]
        app = make_app(shown, metrics, health.version, self._told)
        serving = uvicorn.Config(
            app,
            http=BoundedProtocol,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            backlog=_BACKLOG,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=int(GRACE),
            h11_max_incomplete_event_size=_MAX_REQUEST_HEAD,
        )
        serving.load()
        serving.ssl = tls
        self._server = _Server(serving)
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Serves from now on."""
        self._task = asyncio.create_task(self._server.serve([self._socket]), name="web")
        started = asyncio.create_task(self._server.started_event.wait())
        await asyncio.wait((self._task, started), return_when=asyncio.FIRST_COMPLETED)
        started.cancel()
        if self._task.done():
            self._task.result()

    def drain(self) -> None:
        """Says 503 to health checks from now on."""
        self._draining = True

    async def stop(self) -> None:
        """Stops; connections that are still open after a second are cut."""
        if self._task is None:
            self._socket.close()
            return
        self._server.should_exit = True
        await self._task
        for connection in tuple(self._server.server_state.connections):
            if isinstance(connection, BoundedProtocol):
                connection.transport.abort()

    def _told(self) -> dict[str, object]:
        trouble = self._trouble()
        status = "draining" if self._draining else "degraded" if trouble else "serving"
        reason = {"reason": trouble} if trouble else {}
        return {"status": status, **reason, **self._health._asdict()}


class _Server(uvicorn.Server):
    """uvicorn that leaves signals to the process and tells when it has started."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.started_event = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Captures none: the process has one handler, and it is not here."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listens."""
        await super().startup(sockets)
        self.started_event.set()
