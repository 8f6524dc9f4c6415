"""What a bot finds where it connects: no gRPC, nobody, TLS or none."""

import asyncio
import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
from grpc import aio

from saurodrome.bot.v1 import bot_pb2_grpc
from saurodrome.client import (
    Connected,
    Refused,
    Unreachable,
    play,
)
from saurodrome.client.testing import ScriptedArbiter
from tests.client.wire_bench import Running, first

pytestmark = pytest.mark.wire


@pytest.fixture
async def arbiter() -> AsyncIterator[ScriptedArbiter]:
    async with ScriptedArbiter() as arbiter:
        yield arbiter


async def test_what_speaks_no_grpc_is_named() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        await reader.read()
        writer.close()

    web = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = web.sockets[0].getsockname()[1]
    async with web:
        with pytest.raises(Refused) as caught:
            await play(first, server=f"127.0.0.1:{port}", token="t")

    assert caught.value.code == "WRONG_PORT"


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
