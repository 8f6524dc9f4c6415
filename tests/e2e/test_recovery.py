"""Backups of a running server, and networks that delay: what real processes make of them."""

import asyncio
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from tests.e2e.hall import Hall
from tests.e2e.processes import ServerProcess
from tests.e2e.shell import saurodrome
from tests.e2e.wirebots import WireBot

pytestmark = [pytest.mark.wire, pytest.mark.slow, pytest.mark.timeout(180)]


@pytest.mark.case("CR-07")
async def test_a_backup_under_load_is_a_prefix_of_the_log_and_serves_elsewhere(
    tmp_path: Path,
) -> None:
    backup, elsewhere = tmp_path / "backup.db", tmp_path / "elsewhere"
    with ServerProcess(tmp_path / "data") as server:
        hall = Hall(server)
        # 250 ms more than a bot thinks: five times what a backup may add to a decision.
        async with hall.playing(thinks=0.05, limit=0.3):
            await hall.done(3)
            arguments = ("backup", "--data", str(server.data), "--to", str(backup))
            done = await asyncio.to_thread(saurodrome, *arguments, cwd=tmp_path)
            assert done.code == 0, done.text
            hall.thinks = 0.0
            live = await hall.over()
    begun = time.monotonic()
    restored = saurodrome("restore", str(backup), "--data", str(elsewhere), cwd=tmp_path)
    assert restored.code == 0, restored.text
    with ServerProcess(elsewhere) as server:
        assert time.monotonic() - begun <= 5 * 10.0
        again = Hall(server)
        again.cup.tokens = hall.cup.tokens
        async with again.cup.client() as client:
            kept = [match async for match in client.matches("cup")]
        assert 3 <= len(kept) < len(live)
        assert kept == live[: len(kept)]
        exported = tmp_path / "out"
        options = ("--server", server.address, "--token-file", str(server.admin_token))
        export = ("tournament", "export", "cup", "--to", str(exported), *options)
        done = await asyncio.to_thread(saurodrome, *export, cwd=tmp_path)
        assert done.code == 0, done.text
    verified = saurodrome("replay", "verify", str(exported), cwd=tmp_path)
    assert verified.code == 0, verified.text


@pytest.mark.case("P29")
async def test_a_network_that_delays_up_to_two_seconds_ejects_nobody(tmp_path: Path) -> None:
    """Keepalive pings go every 10 s and wait 5 s: they come late here, both ways."""
    with ServerProcess(tmp_path / "data") as server:
        hall = Hall(server)
        async with hall.cup.client() as client:
            token = (await client.register_bot("ann")).token
        async with delaying(server.address) as address, WireBot(address, token) as bot:
            await asyncio.sleep(32.0)
            assert bot.streams == 1
            assert bot.ends == []


@asynccontextmanager
async def delaying(address: str) -> AsyncIterator[str]:
    """Passes bytes on to a server, up to two seconds late; gives the address to connect to."""
    host, port = address.split(":")
    chance = random.Random(29)
    passing: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        other_reader, other_writer = await asyncio.open_connection(host, int(port))
        for source, sink in ((reader, other_writer), (other_reader, writer)):
            passing[asyncio.create_task(_pass_on(source, sink, chance))] = sink

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    async with server:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        for task, sink in passing.items():
            task.cancel()
            sink.close()
        await asyncio.gather(*passing, return_exceptions=True)
        await asyncio.gather(*(s.wait_closed() for s in passing.values()), return_exceptions=True)


async def _pass_on(
    source: asyncio.StreamReader, sink: asyncio.StreamWriter, chance: random.Random
) -> None:
    with suppress(ConnectionError):
        while data := await source.read(65536):
            await asyncio.sleep(chance.uniform(0.0, 2.0))
            sink.write(data)
        sink.close()
