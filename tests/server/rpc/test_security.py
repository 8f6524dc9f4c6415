"""Live bots and their tokens: revoked ones, one in many hands, and messages that are sent again."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import pytest

from saurodrome.bot.v1 import bot_pb2, games_pb2
from saurodrome.server.config import Config
from saurodrome.server.port import TimeControl
from saurodrome.server.store.records import Termination
from saurodrome.tournament.v1 import access_pb2, tournament_pb2
from tests.server.rpc.arena import bearer, told
from tests.server.rpc.whole import Whole

pytestmark = pytest.mark.wire

WITHIN = 5.0
"""Seconds in which a revoked bot must be gone."""
PATIENCE = 30.0
TIME = TimeControl(ready=20.0, decision=10.0, margin=1.0, sealed=20.0)


@pytest.fixture
async def whole() -> AsyncIterator[Whole]:
    """An arbiter that serves."""
    async with Whole(Config(data=Path(), bots_port=0)) as serving:
        yield serving


class Player:
    """A bot in plain gRPC that takes the first action; it keeps what it sends and hears."""

    def __init__(self, whole: Whole, token: str) -> None:
        self._channel = whole.channel()
        method: Any = self._channel.stream_stream("/saurodrome.bot.v1.BotService/Play")
        self.call = method(metadata=bearer(token))
        self.replies: list[bytes] = []
        self.verdicts: list[bot_pb2.Verdict] = []
        self.ended: list[bot_pb2.MatchEnded] = []

    async def send(self, **frame: Any) -> bytes:
        """Sends a frame."""
        data = bot_pb2.PlayRequest(**frame).SerializeToString()
        await self.call.write(data)
        return data

    async def hear(self, what: str) -> Any:
        """Reads up to a frame of some kind; gets ready for matches, answers what else is asked."""
        while (data := await self.call.read()) is not grpc.aio.EOF:
            frame = bot_pb2.PlayResponse.FromString(data)
            kind = frame.WhichOneof("frame")
            if kind == "match_started":
                started = frame.match_started
                await self.send(
                    ready=bot_pb2.Ready(match_id=started.match_id, attempt=started.attempt)
                )
            elif kind == "verdict":
                self.verdicts.append(frame.verdict)
            elif kind == "match_ended":
                self.ended.append(frame.match_ended)
            if kind == what:
                return getattr(frame, kind)
            if kind == "decision":
                await self.answer(frame.decision)
        return None

    async def answer(self, decision: bot_pb2.Decision) -> None:
        """Takes the first action."""
        reply = bot_pb2.Reply(
            decision_id=decision.decision_id, action_id=decision.legal_actions[0].id
        )
        self.replies.append(await self.send(reply=reply))

    async def close(self) -> None:
        """Goes."""
        self.call.cancel()
        await self._channel.close()


async def hello(whole: Whole, token: str) -> Player:
    """A bot that has come in."""
    player = Player(whole, token)
    await player.send(hello=bot_pb2.Hello(sdk="raw"))
    await player.hear("welcome")
    return player


async def plays_on(player: Player) -> None:
    """Plays until its stream ends."""
    with suppress(grpc.aio.AioRpcError, asyncio.CancelledError):
        await player.hear("nothing")


@pytest.mark.case("SE-03")
async def test_a_revoked_bot_is_gone_at_once_and_the_match_ends_by_the_rule(whole: Whole) -> None:
    tokens = await whole.register("ann", "bob")
    ann, bob = [await hello(whole, tokens[name]) for name in ("ann", "bob")]
    playing = asyncio.create_task(plays_on(bob))
    slow = TIME._replace(decision=0.5, margin=0.1)
    await whole.begin(
        "cup", "draftosaurus", "summer", "ann", "bob", time=slow, rounds=1, join_timeout=1.0
    )
    async with asyncio.timeout(PATIENCE):
        decision = await ann.hear("decision")
    token_id = tokens["ann"].split("_")[2]
    request = access_pb2.RevokeTokenRequest(token_id=token_id).SerializeToString()
    async with asyncio.timeout(WITHIN), whole.channel() as channel:
        path = "/saurodrome.tournament.v1.AccessService/RevokeToken"
        revoke: Any = channel.unary_unary(path)
        await revoke(request, metadata=bearer(whole.admin_token))
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await ann.answer(decision)
            await ann.hear("nothing")
        end = await told(ann.call)
    # A client that writes on a stream that was ended may see its own mistake instead.
    assert end.code in (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.INTERNAL)
    again = await told(Player(whole, tokens["ann"]).call)
    assert (again.code, again.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")
    async with asyncio.timeout(PATIENCE):
        await whole.over("cup")
    results = [listed.result for listed in await whole.organiser.matches("cup", 0, 9)]
    seats = [{seat.bot: seat for seat in result.seats} for result in results]
    ends = [result.termination for result in results]
    assert sorted(ends) == [Termination.ABSENT, Termination.FORFEIT]
    begun = seats[ends.index(Termination.FORFEIT)]
    assert begun["ann"].forfeited
    assert begun["ann"].timeouts == 3  # its reply was not used
    assert [each["bob"].placement for each in seats] == [1, 1]
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    await bob.close()


@pytest.mark.case("SE-08")
async def test_of_twenty_programs_with_one_token_one_plays(whole: Whole) -> None:
    tokens = await whole.register("ann", "bob")
    players = [Player(whole, tokens["ann"]) for _ in range(20)]

    async def come(player: Player) -> None:
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await player.send(hello=bot_pb2.Hello(sdk="raw"))
            await player.hear("nothing")

    tasks = [asyncio.create_task(come(player)) for player in players]
    async with asyncio.timeout(PATIENCE):
        while sum(not task.done() for task in tasks) > 1:
            waiting = [task for task in tasks if not task.done()]
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        bob = await hello(whole, tokens["bob"])
        await whole.begin("cup", "draftosaurus", "summer", "ann", "bob", time=TIME, rounds=1)
        tasks.append(asyncio.create_task(plays_on(bob)))
        progress = await whole.over("cup")
    ends = [await told(player.call) for player in players if player.call.done()]
    allowed = {"SUPERSEDED", "TAKEOVERS", "TOO_MANY_STREAMS"}
    assert len(ends) == 19
    assert {end.reason for end in ends} <= allowed
    assert (progress.done, progress.void) == (2, 0)
    results = [listed.result for listed in await whole.organiser.matches("cup", 0, 9)]
    assert {result.termination for result in results} == {Termination.FINISHED}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for player in (*players, bob):
        await player.close()


@pytest.mark.case("SE-08")
async def test_messages_of_one_match_are_worth_nothing_in_the_next(whole: Whole) -> None:
    tokens = await whole.register("ann", "bob")
    ann, bob = [await hello(whole, tokens[name]) for name in ("ann", "bob")]
    playing = asyncio.create_task(plays_on(bob))
    await whole.begin(
        "cup", "draftosaurus", "summer", "ann", "bob", time=TIME, rounds=1, concurrency=1
    )
    async with asyncio.timeout(PATIENCE):
        await ann.hear("match_ended")
        first = list(ann.replies)
        decision = await ann.hear("decision")
        for data in first:
            await ann.call.write(data)
        await ann.answer(decision)
        await ann.hear("match_ended")
        await whole.over("cup")
    assert len(first) > 5
    kinds = [bot_pb2.Verdict.Kind.Name(verdict.kind) for verdict in ann.verdicts]
    assert len(kinds) == len(first)
    assert set(kinds) <= {"KIND_STALE", "KIND_DUPLICATE"}
    assert all(verdict.decision_id != decision.decision_id for verdict in ann.verdicts)
    assert ann.ended[1].match_id != ann.ended[0].match_id
    results = [listed.result for listed in await whole.organiser.matches("cup", 0, 9)]
    assert [seat.illegal + seat.timeouts for r in results for seat in r.seats] == [0] * 4
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    for player in (ann, bob):
        await player.close()


@pytest.mark.case("SE-09")
def test_nothing_that_is_sent_to_the_server_is_an_archive() -> None:
    """No request has a field of bytes, so that nothing can be unpacked that should not be."""
    files = (bot_pb2, games_pb2, tournament_pb2, access_pb2)
    services = [s for f in files for s in f.DESCRIPTOR.services_by_name.values()]
    waiting = [method.input_type for service in services for method in service.methods]
    seen = set()
    while waiting:
        message = waiting.pop()
        if message.full_name in seen:
            continue
        seen.add(message.full_name)
        for field in message.fields:
            assert field.type != field.TYPE_BYTES, field.full_name
            if field.message_type is not None:
                waiting.append(field.message_type)
    assert len(seen) > 20
