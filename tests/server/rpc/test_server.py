"""The server as a whole: health, reflection, ports, TLS, and how it stops."""

import asyncio
import shutil
import subprocess
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2  # type: ignore[import-untyped]
from grpc_reflection.v1alpha import reflection_pb2  # type: ignore[import-untyped]

from saurodrome.bot.v1 import bot_pb2
from saurodrome.server.certificates import certificates
from saurodrome.server.config import Config
from saurodrome.server.errors import Refused
from saurodrome.server.frames import Transport
from saurodrome.server.rpc.server import RpcServer
from tests.server.rpc.arena import BOT_TOKEN, Arena, bearer

pytestmark = pytest.mark.wire

SERVICES = ["saurodrome.bot.v1.BotService", "saurodrome.tournament.v1.TournamentService"]
REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"


async def health_of(arena: Arena, service: str) -> int:
    """What a health check is told."""
    request = health_pb2.HealthCheckRequest(service=service).SerializeToString()
    check = arena.raw("unary_unary", "/grpc.health.v1.Health/Check")
    return int(health_pb2.HealthCheckResponse.FromString(await check(request)).status)


async def test_health_needs_no_token_and_tells_when_the_server_drains(arena: Arena) -> None:
    for service in ("", *SERVICES):
        assert await health_of(arena, service) == health_pb2.HealthCheckResponse.SERVING
    await arena.server.drain()
    for service in ("", *SERVICES):
        assert await health_of(arena, service) == health_pb2.HealthCheckResponse.NOT_SERVING


async def test_reflection_lists_the_services(arena: Arena) -> None:
    call = arena.raw(
        "stream_stream", "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
    )()
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    await call.write(request.SerializeToString())
    answer = reflection_pb2.ServerReflectionResponse.FromString(await call.read())
    await call.done_writing()
    listed = {service.name for service in answer.list_services_response.service}
    assert listed >= set(SERVICES)


async def test_malformed_bytes_to_reflection_are_invalid(arena: Arena) -> None:
    call = arena.raw(
        "stream_stream", "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
    )()
    await call.write(b"\xff\xff\xff")
    assert await call.code() == grpc.StatusCode.INVALID_ARGUMENT


def start_on(arena: Arena, config: Config) -> None:
    """Tries to build one more server."""
    RpcServer(config, arena.backend)


async def test_a_second_server_does_not_get_the_port(arena: Arena) -> None:
    with pytest.raises(Refused) as caught:
        start_on(arena, Config(data=Path(), bots_port=arena.server.port))
    assert (caught.value.code, caught.value.where) == ("PORT_IN_USE", "bots_port")
    assert str(arena.server.port) in caught.value.what


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "arena.example"])
async def test_tokens_do_not_travel_in_the_clear_to_other_machines(arena: Arena, host: str) -> None:
    with pytest.raises(Refused) as caught:
        start_on(arena, Config(data=Path(), host=host, bots_port=0))
    assert caught.value.code == "PLAINTEXT_REFUSED"


async def test_an_address_of_another_machine_is_refused(arena: Arena) -> None:
    config = Config(data=Path(), host="192.0.2.1", bots_port=0, allow_plaintext=True)
    with pytest.raises(Refused) as caught:
        start_on(arena, config)
    assert caught.value.code == "BAD_ADDRESS"


needs_openssl = pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed")


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """A self-signed certificate for localhost and its key."""
    cert, key = folder / f"{name}.crt", folder / f"{name}.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
         "-days", "1", "-keyout", key, "-out", cert],
        check=True, capture_output=True,
    )  # fmt: skip
    return cert, key


@needs_openssl
async def test_with_tls_plaintext_is_not_served_and_the_right_ca_is(
    arena: Arena, tmp_path: Path
) -> None:
    cert, key = certificate(tmp_path, "own")
    other, _ = certificate(tmp_path, "other")
    config = Config(data=tmp_path, bots_port=0, tls_cert=cert, tls_key=key)
    server = RpcServer(config, arena.backend)
    await server.start()
    try:
        assert await list_games(server.port, cert) == grpc.StatusCode.OK
        assert await list_games(server.port, other) == grpc.StatusCode.UNAVAILABLE
        assert await list_games(server.port, None) == grpc.StatusCode.UNAVAILABLE
    finally:
        await server.stop(0)


async def list_games(port: int, ca: Path | None) -> grpc.StatusCode:
    """How a call ends that trusts a certificate, or speaks plaintext."""
    target = f"localhost:{port}"
    if ca is None:
        channel = grpc.aio.insecure_channel(target)
    else:
        roots = await asyncio.to_thread(ca.read_bytes)
        channel = grpc.aio.secure_channel(target, grpc.ssl_channel_credentials(roots))
    async with channel:
        call: Any = channel.unary_unary(f"/{SERVICES[0]}/ListGames")
        made = call(b"", metadata=bearer(BOT_TOKEN), timeout=5)
        code: grpc.StatusCode = await made.code()
        return code


@needs_openssl
def test_a_certificate_that_cannot_serve_is_refused(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path, "own")
    _, foreign = certificate(tmp_path, "other")
    broken = tmp_path / "broken.crt"
    broken.write_text("no certificate")
    pairs = [(cert, foreign), (broken, key), (tmp_path / "absent.crt", key), (cert, None)]
    for pair in pairs:
        config = Config(data=tmp_path, bots_port=0, tls_cert=pair[0], tls_key=pair[1])
        with pytest.raises(Refused) as caught:
            certificates(config)
        assert caught.value.code == "CERT_BAD"


async def test_stopping_ends_open_streams_and_waits_for_the_gate(arena: Arena) -> None:
    events: list[str] = []
    came = asyncio.Event()

    async def script(transport: Transport) -> None:
        while await transport.recv() is not None:
            events.append("frame")
            came.set()
        await asyncio.sleep(0.01)
        events.append("gate done")

    arena.gate.script = script
    call = arena.play()
    await call.write(bot_pb2.PlayRequest(goodbye=bot_pb2.Goodbye()).SerializeToString())
    async with asyncio.timeout(5):
        await came.wait()
    await arena.server.stop(0.2)
    assert events == ["frame", "gate done"]
    assert await call.code() == grpc.StatusCode.UNAVAILABLE
