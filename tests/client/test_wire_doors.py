"""What a bot finds where it connects: no gRPC, nobody, TLS or none."""

import asyncio
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc import aio

from saurodrome.bot.v1 import bot_pb2_grpc
from saurodrome.client import (
    Connected,
    Refused,
    Unreachable,
    _probe,
    play,
)
from saurodrome.client._target import Found, Target
from saurodrome.client.testing import ScriptedArbiter
from saurodrome.client.tournaments import AsyncTournamentClient
from tests.client.wire_bench import Running, first

pytestmark = pytest.mark.wire


@pytest.fixture
async def arbiter() -> AsyncIterator[ScriptedArbiter]:
    async with ScriptedArbiter() as arbiter:
        yield arbiter


@asynccontextmanager
async def pages(health: bytes) -> AsyncIterator[str]:
    """A web port that answers everything but /healthz with an error; gives its address."""
    answering: list[asyncio.Task[Any] | None] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answering.append(asyncio.current_task())
        asked = await reader.readuntil(b"\r\n\r\n")
        found = asked.startswith(b"GET /healthz HTTP/1.")
        status, body = (b"200 OK", health) if found else (b"400 Bad Request", b"")
        head = b"HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n" % (status, len(body))
        writer.write(head + body)
        await reader.read()
        writer.close()

    web = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with web:
        yield f"127.0.0.1:{web.sockets[0].getsockname()[1]}"
    await asyncio.gather(*filter(None, answering))


@pytest.mark.parametrize(
    "health",
    [b"", b"no JSON", b"[1]", b"{}", b'{"bots_port": "1"}', b'{"bots_port": 0}', b"[" * 50_000],
)
async def test_what_speaks_no_grpc_is_named(health: bytes) -> None:
    async with pages(health) as server:
        with pytest.raises(Refused) as caught:
            await play(first, server=server, token="t")

    assert caught.value.code == "WRONG_PORT"
    assert (
        caught.value.what == f"{server} does not speak gRPC; it may be the port of the web pages."
    )


async def test_the_right_port_is_told_where_the_pages_know_it() -> None:
    async with pages(b'{"status": "serving", "bots_port": 7799}') as server:
        with pytest.raises(Refused) as of_bot:
            await play(first, server=server, token="t")
        async with AsyncTournamentClient(server=server, token="t") as client:
            with pytest.raises(Refused) as of_organiser:
                await client.get("cup")

    for error in (of_bot.value, of_organiser.value):
        assert error.code == "WRONG_PORT"
        assert error.what.endswith("bots and organisers use port 7799.")
        assert error.do.startswith("name 127.0.0.1:7799 as the server")


async def test_a_web_port_that_is_silent_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_probe, "PROBE_SECONDS", 0.05)
    wrong = Refused("WRONG_PORT", "speaks HTTP.", status="UNAVAILABLE")

    with socket.create_server(("127.0.0.1", 0)) as silent:
        server = f"127.0.0.1:{silent.getsockname()[1]}"
        target = Target.of(Found(server, "--server"), Found("t", "token="))
        assert await _probe.explain(wrong, target) is wrong


async def test_a_server_that_hangs_up_is_tried_again_and_given_up() -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    door = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    port = door.sockets[0].getsockname()[1]
    async with door:
        with pytest.raises(Unreachable) as caught:
            await play(first, server=f"127.0.0.1:{port}", token="t", give_up_after=0.05)

    assert caught.value.code == "UNREACHABLE"


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """A key and a certificate of localhost that signs itself."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl makes the certificate")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    line = f"req -x509 -newkey rsa:2048 -nodes -keyout {key} -out {certificate} -days 1"
    name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run([openssl, *line.split(), *name], check=True, capture_output=True)
    return key, certificate


async def test_tls_is_spoken_where_it_is_wanted_and_asked_for_where_not(
    certificate: tuple[Path, Path],
) -> None:
    key, trusted = certificate
    credentials = grpc.ssl_server_credentials([(key.read_bytes(), trusted.read_bytes())])
    arbiter = ScriptedArbiter()
    server = aio.server()
    bot_pb2_grpc.add_BotServiceServicer_to_server(arbiter, server)
    address = f"localhost:{server.add_secure_port('localhost:0', credentials)}"
    await server.start()

    with pytest.raises(Refused) as plain:
        await play(first, server=address, token="t")
    with pytest.raises(Refused) as stranger:
        await play(first, server=address, token="t", tls=True)
    running = Running(arbiter, server=address, ca=str(trusted))
    await arbiter.welcome()
    await running.until(Connected)

    assert plain.value.code == "TLS_NEEDED"
    assert stranger.value.code == "CERT_UNTRUSTED"
    await running.stop()
    await server.stop(None)


async def test_a_server_of_plain_text_is_named_to_a_client_of_tls(
    arbiter: ScriptedArbiter,
) -> None:
    with pytest.raises(Refused) as caught:
        await play(first, server=arbiter.address, token="t", tls=True)

    assert caught.value.code == "TLS_NOT_SPOKEN"
