"""The web server on a real socket: ports, slow clients, and its end."""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
import pytest

from saurodrome.server.config import Config
from saurodrome.server.contracts import Progress, Spectacles, Table
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.web import Health, WebServer, connections

pytestmark = pytest.mark.wire


class Nothing:
    """No tournaments, and a metrics page of half a megabyte."""

    def latest(self, limit: int) -> tuple[Progress, ...]:
        return ()

    async def get(self, name: str) -> Progress:
        raise Refused(Kind.NOT_FOUND, "UNKNOWN_TOURNAMENT", "No such tournament.")

    async def standings(
        self, name: str, position: int | None = None, event: int | None = None
    ) -> Table:
        raise Refused(Kind.NOT_FOUND, "UNKNOWN_TOURNAMENT", "No such tournament.")

    async def live(self, name: str, match_id: str, *, insider: bool) -> Spectacles:
        raise Refused(Kind.NOT_FOUND, "UNKNOWN_TOURNAMENT", "No such tournament.")

    def parts(self) -> Iterator[bytes]:
        yield b"# x\n" * 131_072


def make(port: int = 0) -> WebServer:
    """A server that does not run yet."""
    fake = Nothing()
    return WebServer(Config(data=Path(), web_port=port), fake, fake, Health("1.2.3", 7741))


@asynccontextmanager
async def running() -> AsyncIterator[WebServer]:
    """A server that runs."""
    server = make()
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


async def get(server: WebServer, path: str) -> httpx.Response:
    """Asks for a page on a connection of its own."""
    async with httpx.AsyncClient(timeout=5) as http:
        return await http.get(f"http://127.0.0.1:{server.port}{path}")


async def test_it_serves_and_leaves_the_signals_alone() -> None:
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    async with running() as server:
        answer = await get(server, "/healthz")
        assert answer.json() == {"status": "serving", "version": "1.2.3", "bots_port": 7741}
        assert "server" not in answer.headers
        assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == before
        server.drain()
        assert (await get(server, "/healthz")).status_code == 503
    with pytest.raises(httpx.ConnectError):
        await get(server, "/healthz")


async def test_it_says_that_results_cannot_be_stored() -> None:
    trouble = "STORE_FULL"
    fake = Nothing()
    config = Config(data=Path(), web_port=0)
    server = WebServer(config, fake, fake, Health("1.2.3", 7741), lambda: trouble)
    await server.start()
    try:
        told = await get(server, "/healthz")
        assert told.status_code == 503
        assert (told.json()["status"], told.json()["reason"]) == ("degraded", "STORE_FULL")
        trouble = ""
        assert (await get(server, "/healthz")).json()["status"] == "serving"
    finally:
        await server.stop()


async def test_a_port_that_is_taken_is_refused() -> None:
    async with running() as server:
        with pytest.raises(Refused) as caught:
            make(server.port)
    assert (caught.value.code, caught.value.where) == ("PORT_IN_USE", "web_port")


async def test_a_server_that_never_started_gives_its_port_back() -> None:
    server = make()
    await server.stop()
    socket.create_server(("127.0.0.1", server.port)).close()


async def silent(server: WebServer, count: int) -> list[asyncio.StreamWriter]:
    """Opens connections that send nothing."""
    opened = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(count)]
    return [writer for _, writer in opened]


async def close(writers: list[asyncio.StreamWriter]) -> None:
    """Closes connections, ended or not."""
    for writer in writers:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


@pytest.mark.case("ML-04")
async def test_silent_connections_do_not_keep_a_scrape_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 20)
    async with running() as server:
        writers = await silent(server, 60)
        answer = await asyncio.wait_for(get(server, "/metrics"), 1)
        assert len(answer.content) == 524_288
        assert len(server._server.server_state.connections) <= 21
        await close(writers)


async def test_a_silent_connection_ends_after_its_lifetime(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "LIFETIME", 0.05)
    async with running() as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        with suppress(ConnectionError):
            assert await asyncio.wait_for(reader.read(), 2) == b""
        await close([writer])


async def test_a_client_that_does_not_read_does_not_hold_up_the_end() -> None:
    async with running() as server:
        raw = socket.create_connection(("127.0.0.1", server.port))
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n" * 8)
        assert len((await get(server, "/metrics")).content) == 524_288
        stopping = asyncio.create_task(server.stop())
        await asyncio.wait_for(stopping, 5)
        raw.close()


@pytest.mark.parametrize(
    "data",
    [b"\x00\xff\r\n\r\n", b"GET / HTTP/1.1\r\nx: " + b"y" * 70_000, b"PRI * HTTP/2.0\r\n\r\n"],
    ids=["bytes", "large head", "HTTP/2"],
)
async def test_garbage_is_answered_or_cut_and_harms_nobody(data: bytes) -> None:
    async with running() as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(data)
        with suppress(ConnectionError):
            answer = await asyncio.wait_for(reader.read(1_000), 5)
            assert not answer or answer.startswith(b"HTTP/1.1 4")
        await close([writer])
        assert (await get(server, "/healthz")).status_code == 200
