"""TLS over the wire: who is let in, and certificates that are renewed while bots play."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from saurodrome.client import InputError
from saurodrome.client._channel import open_channel
from saurodrome.client._target import Found, Target
from saurodrome.server import tokens
from saurodrome.server.config import Config
from saurodrome.server.roster import Roster
from saurodrome.server.rpc.server import RpcServer
from saurodrome.server.store.memory import MemoryStore
from tests.server.certificates import Pair, issue
from tests.server.rpc.arena import BOT_TOKEN, Arena, Told, bearer, told

pytestmark = [
    pytest.mark.wire,
    pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed"),
]

LIST_GAMES = "/saurodrome.bot.v1.BotService/ListGames"
OK, UNAVAILABLE = grpc.StatusCode.OK, grpc.StatusCode.UNAVAILABLE


class Papers:
    """Certificates of an authority and of nobody's."""

    def __init__(self, folder: Path) -> None:
        self.authority = issue(folder, "authority", subject="authority")
        self.other = issue(folder, "other", subject="other")
        self.server = issue(folder, "server", by=self.authority)
        self.rex = issue(folder, "rex", by=self.authority, subject="rex")
        self.ann = issue(folder, "ann", by=self.authority, subject="ann")
        self.expired = issue(
            folder, "expired", by=self.authority, subject="rex", more=("-days", "-1")
        )
        self.foreign = issue(folder, "foreign", by=self.other, subject="rex")


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Papers:
    """Made once."""
    return Papers(tmp_path_factory.mktemp("papers"))


async def channel(port: int, ca: Path | None, own: Pair | None = None) -> grpc.aio.Channel:
    """A connection of its own that trusts an authority, or speaks plain text."""
    target, options = f"localhost:{port}", [("grpc.use_local_subchannel_pool", 1)]
    if ca is None:
        return grpc.aio.insecure_channel(target, options=options)
    roots = await asyncio.to_thread(ca.read_bytes)
    files = [await asyncio.to_thread(path.read_bytes) for path in own] if own else [None, None]
    credentials = grpc.ssl_channel_credentials(roots, files[1], files[0])
    return grpc.aio.secure_channel(target, credentials, options=options)


async def ask(connection: grpc.aio.Channel, token: str = BOT_TOKEN) -> Told:
    """How a call ends."""
    call: Any = connection.unary_unary(LIST_GAMES)
    return await told(call(b"", metadata=bearer(token), timeout=10))


async def end(port: int, ca: Path | None, own: Pair | None = None, token: str = BOT_TOKEN) -> Told:
    """How a call on a new connection ends."""
    async with await channel(port, ca, own) as connection:
        return await ask(connection, token)


@asynccontextmanager
async def served(arena: Arena) -> AsyncIterator[RpcServer]:
    """Serves for a while."""
    await arena.server.start()
    yield arena.server
    await arena.channel.close()
    await arena.server.stop(0)


async def test_a_renewed_certificate_is_served_to_newcomers_and_those_inside_stay(
    tmp_path: Path,
) -> None:
    old, new = issue(tmp_path, "old"), issue(tmp_path, "new")
    files = Pair(tmp_path / "tls.crt", tmp_path / "tls.key")
    for path, source in zip(files, old, strict=True):
        shutil.copy(source, path)
    config = Config(data=tmp_path, bots_port=0, tls_cert=files.cert, tls_key=files.key)
    async with served(Arena(config)) as server, await channel(server.port, old.cert) as inside:
        assert (await ask(inside)).code is OK
        for path, source in zip(files, new, strict=True):
            shutil.copy(source, path)
        assert (await end(server.port, new.cert)).code is UNAVAILABLE
        assert server.certificates
        assert server.certificates.look()
        assert (await end(server.port, new.cert)).code is OK
        assert (await end(server.port, old.cert)).code is UNAVAILABLE
        assert (await ask(inside)).code is OK


@pytest.fixture
async def mutual(papers: Papers, tmp_path: Path) -> AsyncIterator[tuple[int, str]]:
    """The port of a server that wants certificates of clients, and the token of rex."""
    roster = Roster(MemoryStore(), tokens.new_token("admin").digest, lambda: 1.0)
    _, token = await roster.register("rex", "", "", "")
    config = Config(
        data=tmp_path,
        bots_port=0,
        tls_cert=papers.server.cert,
        tls_key=papers.server.key,
        tls_client_ca=papers.authority.cert,
    )
    async with served(Arena(config, roster)) as server:
        yield server.port, token


async def test_who_bears_the_name_of_its_token_is_let_in(
    mutual: tuple[int, str], papers: Papers
) -> None:
    port, token = mutual
    assert (await end(port, papers.authority.cert, papers.rex, token)).code is OK


async def test_the_python_client_shows_the_certificate_that_the_environment_names(
    mutual: tuple[int, str], papers: Papers, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, token = mutual
    server = Found(f"localhost:{port}", "the test")
    target = Target.of(server, Found(token, "the test"), ca=papers.authority.cert)
    monkeypatch.setenv("SAURODROME_CLIENT_CERT", str(papers.rex.cert))
    monkeypatch.setenv("SAURODROME_CLIENT_KEY", str(papers.rex.key))
    async with open_channel(target) as connection:
        assert (await ask(connection, token)).code is OK
    monkeypatch.setenv("SAURODROME_CLIENT_KEY", "gone.key")
    with pytest.raises(InputError) as error:
        open_channel(target)
    assert (error.value.code, error.value.where) == ("CERT_MISSING", "gone.key")


@pytest.mark.case("SE-07")
async def test_the_certificate_of_another_is_not_enough(
    mutual: tuple[int, str], papers: Papers
) -> None:
    port, token = mutual
    answer = await end(port, papers.authority.cert, papers.ann, token)
    assert (answer.code, answer.reason) == (grpc.StatusCode.UNAUTHENTICATED, "CERT_MISMATCH")


@pytest.mark.parametrize("own", ["none", "expired", "foreign", "plain text"])
@pytest.mark.case("SE-07")
async def test_without_a_good_certificate_there_is_no_connection(
    mutual: tuple[int, str], papers: Papers, own: str
) -> None:
    port, token = mutual
    shown = {"expired": papers.expired, "foreign": papers.foreign}.get(own)
    ca = None if own == "plain text" else papers.authority.cert
    assert (await end(port, ca, shown, token)).code is UNAVAILABLE
    assert (await end(port, papers.authority.cert, papers.rex, token)).code is OK  # it lives on
