"""The bot against a real gRPC server that follows a script."""

import asyncio
import threading
from collections.abc import AsyncIterator

import pytest
from grpc import StatusCode

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client import (
    Connected,
    Decision,
    Disconnected,
    Draining,
    Faulted,
    IllegalAction,
    MatchEnded,
    Move,
    Refused,
)
from saurodrome.client.games import GAMES
from saurodrome.client.testing import ScriptedArbiter, decision, match
from saurodrome.client.testing._arbiter import ended
from tests.client.wire_bench import Running, in_match

pytestmark = pytest.mark.wire


@pytest.fixture
async def arbiter() -> AsyncIterator[ScriptedArbiter]:
    async with ScriptedArbiter() as arbiter:
        yield arbiter


async def test_a_match_from_hello_to_its_result(arbiter: ScriptedArbiter) -> None:
    running = Running(arbiter, matches=1, max_concurrent=3)
    stream = await arbiter.accept()
    hello = await stream.hello()
    assert stream.metadata["authorization"] == "Bearer srd_bot_k3f9_secret"
    assert hello.max_concurrent_matches == 3
    assert [support.game for support in hello.games] == sorted(GAMES)
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


async def test_hello_names_the_games_to_which_the_bot_is_limited(
    arbiter: ScriptedArbiter,
) -> None:
    running = Running(arbiter, games=["draftosaurus/winter"])

    hello = await (await arbiter.accept()).hello()

    assert hello.games == [bot_pb2.GameSupport(game="draftosaurus", variants=["winter"])]
    await running.stop()


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


@pytest.mark.parametrize(
    ("given", "sent"), [("S forest", None), (-1, None), (2**32, None), (99, 99)]
)
async def test_the_server_hears_of_faults_then_of_the_default(
    arbiter: ScriptedArbiter, given: object, sent: int | None
) -> None:
    running = Running(arbiter, lambda d: given)
    stream = await in_match(arbiter)
    asked = decision(default="S river")
    await stream.ask(asked)

    reply = await stream.reply()
    assert (reply.action_id if reply.HasField("choice") else None) == sent
    await stream.judge(bot_pb2.Verdict.KIND_ILLEGAL, asked, replies_left=2)

    assert (await stream.reply()).action_id == 7
    assert len(running.told(Faulted)) == 1
    await running.stop()


async def test_a_note_reaches_the_server(arbiter: ScriptedArbiter) -> None:
    running = Running(arbiter, lambda d: Move(d.default, note="nothing better"))
    stream = await in_match(arbiter)
    await stream.ask(decision(default="S river"))

    reply = await stream.reply()

    assert (reply.action_id, reply.note) == (7, "nothing better")
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
