"""The bot against a real gRPC server that follows a script."""

import asyncio
import shutil
import subprocess
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc import StatusCode, aio

from saurodrome.bot.v1 import bot_pb2, bot_pb2_grpc
from saurodrome.client import (
    Connected,
    Decision,
    Disconnected,
    Draining,
    Event,
    Faulted,
    IllegalAction,
    MatchEnded,
    Refused,
    Status,
    Unreachable,
    play,
)
from saurodrome.client.testing import ScriptedArbiter, ScriptedStream, decision, match
from saurodrome.client.testing._arbiter import ended

pytestmark = pytest.mark.wire


@pytest.fixture
async def arbiter() -> AsyncIterator[ScriptedArbiter]:
    async with ScriptedArbiter() as arbiter:
        yield arbiter


def first(d: Decision) -> object:
    return d.legal_actions[0]


class Running:
    """A bot that plays at an arbiter, with what it told."""

    def __init__(self, arbiter: ScriptedArbiter, choose: Any = first, **arguments: Any) -> None:
        self.events: list[Event] = []
        self._news = asyncio.Event()
        arguments.setdefault("token", "srd_bot_k3f9_secret")
        arguments.setdefault("server", arbiter.address)
        self.task: asyncio.Task[Status] = asyncio.create_task(
            play(choose, on_event=self._tell, **arguments)
        )

    def _tell(self, event: Event, _status: Status) -> None:
        self.events.append(event)
        self._news.set()

    async def until(self, kind: type[Event]) -> Any:
        """Waits for the first event of a kind."""
        while not self.told(kind):
            self._news.clear()
            await self._news.wait()
        return self.told(kind)[0]

    def told(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    async def stop(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


async def in_match(arbiter: ScriptedArbiter, **arguments: Any) -> ScriptedStream:
    """Comes as far as a match that is played."""
    stream = await arbiter.welcome()
    await stream.start(match(**arguments))
    await stream.ready()
    return stream


async def test_a_match_from_hello_to_its_result(arbiter: ScriptedArbiter) -> None:
    running = Running(arbiter, matches=1, max_concurrent=3)
    stream = await arbiter.accept()
    hello = await stream.hello()
    assert stream.metadata["authorization"] == "Bearer srd_bot_k3f9_secret"
    assert hello.max_concurrent_matches == 3
    assert [support.game for support in hello.games] == ["draftosaurus"]
    assert hello.sdk.startswith("saurodrome-client-python ")

    await stream.welcome()
    await stream.start(match())
    await stream.goodbye()
    await stream.ready()
    await stream.ask(decision())
    assert (await stream.reply()).action_id == 3
    await stream.end_match(match())
    stream.finish()

    status = await running.task
    assert (status.done, status.won, status.decisions) == (1, 1, 1)


async def test_two_matches_are_thought_about_at_once(arbiter: ScriptedArbiter) -> None:
    gate = threading.Barrier(2, timeout=10)

    def together(d: Decision) -> object:
        gate.wait()
        return d.default

    running = Running(arbiter, together, max_concurrent=2)
    stream = await arbiter.welcome()
    both = [match("a/1/1/0"), match("b/1/1/0")]
    for wanted in both:
        await stream.start(wanted)
        await stream.ready()
    for number, wanted in enumerate(both):
        await stream.ask(decision(of=wanted, decision_id=str(number)))

    assert {(await stream.reply()).decision_id for _ in both} == {"0", "1"}
    assert running.told(Faulted) == []
    await running.stop()


async def test_a_bot_that_thinks_holds_neither_reader_nor_writer(arbiter: ScriptedArbiter) -> None:
    thinks = threading.Event()

    def slow(d: Decision) -> object:
        thinks.wait(10)
        return d.default

    running = Running(arbiter, slow)
    stream = await in_match(arbiter)
    await stream.ask(decision())

    await stream.drain(reason="update")
    await running.until(Draining)
    thinks.set()

    assert (await stream.reply()).decision_id == "decision-1"
    await running.stop()


async def test_after_a_lost_connection_the_reply_is_sent_again(arbiter: ScriptedArbiter) -> None:
    running = Running(arbiter)
    stream = await in_match(arbiter)
    await stream.ask(decision())
    await stream.reply()

    await arbiter.stop()
    await arbiter.restart()
    stream = await arbiter.welcome(open_matches=1)
    await stream.start(match(ready=True))
    await stream.ask(decision())

    assert (await stream.reply()).action_id == 3
    assert [event.again for event in running.told(Connected)] == [False, True]
    assert running.told(Faulted) == []
    await running.stop()


async def test_ready_is_sent_again_if_the_server_does_not_know(arbiter: ScriptedArbiter) -> None:
    running = Running(arbiter)
    await in_match(arbiter)

    await arbiter.stop()
    await arbiter.restart()
    stream = await arbiter.welcome(open_matches=1)
    await stream.start(match(ready=False))

    assert (await stream.ready()).match_id == "test/1/1/0"
    await running.stop()


async def test_a_server_that_starts_later_is_found(arbiter: ScriptedArbiter) -> None:
    await arbiter.stop()
    running = Running(arbiter)
    assert (await running.until(Disconnected)).error.code == "UNREACHABLE"

    await arbiter.restart()
    await arbiter.welcome()

    await running.stop()


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (StatusCode.ABORTED, "SUPERSEDED"),
        (StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN"),
        (StatusCode.PERMISSION_DENIED, "NOT_A_BOT"),
        (StatusCode.FAILED_PRECONDITION, "HELLO_FIRST"),
        (StatusCode.INVALID_ARGUMENT, "MALFORMED"),
        (StatusCode.RESOURCE_EXHAUSTED, "TAKEOVERS"),
    ],
)
async def test_a_refusal_ends_the_run_with_its_words(
    arbiter: ScriptedArbiter, code: StatusCode, reason: str
) -> None:
    running = Running(arbiter)
    stream = await arbiter.accept()

    stream.refuse(code, reason, "so it is.", "from 10.0.0.7", "use one token a program")

    with pytest.raises(Refused) as caught:
        await running.task
    assert caught.value.code == reason
    assert caught.value.what == "so it is."
    assert caught.value.where.startswith("from 10.0.0.7; ")
    assert caught.value.do == "use one token a program"


async def test_a_bot_that_was_superseded_in_a_match_stays_away(arbiter: ScriptedArbiter) -> None:
    running = Running(arbiter)
    stream = await in_match(arbiter)

    stream.refuse(StatusCode.ABORTED, "SUPERSEDED", "another program took this bot's place.")

    with pytest.raises(Refused):
        await running.task
    with pytest.raises(asyncio.TimeoutError):
        async with asyncio.timeout(0.15):
            await arbiter.accept()


async def test_a_refusal_is_read_also_if_it_crosses_a_reply(arbiter: ScriptedArbiter) -> None:
    for _ in range(20):
        running = Running(arbiter)
        stream = await in_match(arbiter)

        # The replies of these are on their way, or fail to be, while the stream ends.
        for number in range(10):
            await stream.ask(decision(decision_id=str(number)))
        stream.refuse(StatusCode.ABORTED, "SUPERSEDED", "another program took this bot's place.")

        with pytest.raises(Refused) as caught:
            await running.task
        assert caught.value.code == "SUPERSEDED"


async def test_a_last_frame_is_read_also_if_the_end_crosses_a_reply(
    arbiter: ScriptedArbiter,
) -> None:
    for _ in range(20):
        running = Running(arbiter, matches=1)
        stream = await arbiter.welcome()
        await stream.start(match())
        await stream.goodbye()
        await stream.ready()

        for number in range(10):
            await stream.ask(decision(decision_id=str(number)))
        await stream.end_match(match())
        stream.finish()

        assert (await running.task).done == 1
        assert running.told(Disconnected) == []


async def test_an_orderly_end_is_one_also_if_it_crosses_a_reply() -> None:
    for _ in range(20):
        async with ScriptedArbiter() as arbiter:
            running = Running(arbiter)
            stream = await in_match(arbiter)

            for number in range(10):
                await stream.ask(decision(decision_id=str(number)))
            stream.finish()

            assert (await running.until(Disconnected)).error.code == "STREAM_ENDED"
            await running.stop()


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (StatusCode.UNAVAILABLE, "DRAINING"),
        (StatusCode.UNAVAILABLE, ""),
        (StatusCode.RESOURCE_EXHAUSTED, "FRAME_TOO_LARGE"),
        (StatusCode.INTERNAL, ""),
        (StatusCode.CANCELLED, ""),
    ],
)
async def test_a_stream_that_broke_is_opened_again(
    arbiter: ScriptedArbiter, code: StatusCode, reason: str
) -> None:
    running = Running(arbiter)
    stream = await arbiter.welcome()

    stream.refuse(code, reason, "so it is.")

    await arbiter.welcome()
    assert len(running.told(Disconnected)) == 1
    await running.stop()


async def test_a_refused_action_is_followed_by_the_default(arbiter: ScriptedArbiter) -> None:
    running = Running(arbiter)
    stream = await in_match(arbiter)
    asked = decision(default="S river")
    await stream.ask(asked)
    await stream.reply()

    await stream.judge(bot_pb2.Verdict.KIND_ILLEGAL, asked, message="not now", replies_left=1)

    assert (await stream.reply()).action_id == 7
    assert isinstance(running.told(Faulted)[0].error, IllegalAction)
    await running.stop()


async def test_faults_of_choose_are_answered_by_the_default(arbiter: ScriptedArbiter) -> None:
    running = Running(arbiter, lambda d: "S forest")
    stream = await in_match(arbiter)
    await stream.ask(decision(default="S river"))

    assert (await stream.reply()).action_id == 7
    assert running.told(Faulted)[0].error.code == "BAD_REPLY"
    await running.stop()


async def test_missed_results_are_told(arbiter: ScriptedArbiter) -> None:
    running = Running(arbiter)
    stream = await in_match(arbiter)
    stream.refuse(StatusCode.UNAVAILABLE)
    stream = await arbiter.accept()
    await stream.hello()
    await stream.welcome(missed=[ended(match(), (2, 1))])
    await stream.drain()

    assert (await running.until(MatchEnded)).missed
    await running.stop()


async def test_when_it_is_cancelled_the_server_sees_it_at_once(arbiter: ScriptedArbiter) -> None:
    running = Running(arbiter)
    stream = await arbiter.welcome()

    await running.stop()

    await stream.hung_up()


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
