"""Who may call what, for every RPC that the descriptors name, and what is told otherwise."""

import asyncio
import statistics
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor

from saurodrome.bot.v1 import bot_pb2
from saurodrome.server.contracts import Progress
from saurodrome.server.rpc import guard
from saurodrome.server.store.interface import StoreTrouble
from saurodrome.tournament.v1 import tournament_pb2
from tests.server.rpc.arena import ADMIN_TOKEN, BOT_TOKEN, Arena, Told, bearer, refusal, told

pytestmark = pytest.mark.wire

BOT_SERVICE = "saurodrome.bot.v1.BotService"


def methods() -> Iterator[MethodDescriptor]:
    """Every RPC of the two services."""
    for file in (bot_pb2.DESCRIPTOR, tournament_pb2.DESCRIPTOR):
        for service in file.services_by_name.values():
            yield from service.methods


METHODS = list(methods())


async def call(arena: Arena, method: MethodDescriptor, metadata: Any, data: bytes = b"") -> Told:
    """How a call with these metadata ends, whatever kind of method it is."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    if method.client_streaming:
        made = arena.raw("stream_stream", path)(metadata=metadata)
        await made.done_writing()
    elif method.server_streaming:
        made = arena.raw("unary_stream", path)(data, metadata=metadata)
    else:
        made = arena.raw("unary_unary", path)(data, metadata=metadata)
    return await told(made)


@pytest.mark.case("SE-01", "PA-09")
@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.full_name)
async def test_whatever_is_wrong_with_a_token_the_answer_is_one(
    arena: Arena, method: MethodDescriptor
) -> None:
    good = BOT_TOKEN if method.containing_service.full_name == BOT_SERVICE else ADMIN_TOKEN
    wrong: list[tuple[tuple[str, str], ...]] = [
        (),
        (("authorization", ""),),
        (("authorization", "Bearer "),),
        (("authorization", good),),
        (("authorization", f"BEARER {good}"),),
        (("authorization", f"Bearer {good[:-1]}x"),),
        (("authorization", f"Bearer {good} "),),
        (("authorization", f"Bearer {good}"), ("authorization", "Bearer x")),
        (("authorization", "Bearer x"), ("authorization", f"Bearer {good}")),
        (("authorization", f"Bearer {good}"), ("authorization", f"Bearer {good}")),
    ]
    ends = [await call(arena, method, metadata) for metadata in wrong]
    assert {end.code for end in ends} == {grpc.StatusCode.UNAUTHENTICATED}
    assert {(end.details, end.reason, end.where, end.do) for end in ends} == {
        (ends[0].details, "TOKEN_UNKNOWN", ends[0].where, ends[0].do)
    }
    assert arena.tournaments.calls == []
    assert arena.gate.bots == []
    assert len(arena.observer.codes) == len(wrong)


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.full_name)
async def test_a_token_of_the_other_role_is_not_enough(
    arena: Arena, method: MethodDescriptor
) -> None:
    other = ADMIN_TOKEN if method.containing_service.full_name == BOT_SERVICE else BOT_TOKEN
    end = await call(arena, method, bearer(other))
    assert (end.code, end.reason) == (grpc.StatusCode.PERMISSION_DENIED, "WRONG_ROLE")
    assert arena.tournaments.calls == []
    assert arena.gate.bots == []


@pytest.mark.parametrize(
    "method", [m for m in METHODS if not m.client_streaming], ids=lambda m: m.full_name
)
async def test_malformed_requests_get_a_status_without_names_of_python(
    arena: Arena, method: MethodDescriptor
) -> None:
    bot = method.containing_service.full_name == BOT_SERVICE
    end = await call(arena, method, bearer(BOT_TOKEN if bot else ADMIN_TOKEN), b"\xff\xff\xff\xff")
    assert (end.code, end.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")
    assert not any(word in end.details for word in ("Error", "class", "google", "Exception"))


async def test_an_exception_behind_a_unary_call_shows_only_an_id(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def broken(name: str) -> None:
        raise RuntimeError("table scores of the database")

    monkeypatch.setattr(arena.tournaments, "get", broken)
    request = tournament_pb2.GetTournamentRequest(name="weekend").SerializeToString()
    end = await refusal(arena.unary("tournament.v1.TournamentService/GetTournament", request))
    assert (end.code, end.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
    assert "database" not in end.details + end.where + end.do
    assert end.details.split("id ")[1][:8] in capsys.readouterr().out


async def test_trouble_of_the_store_is_told_by_its_code_and_may_be_tried_again(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(name: str) -> None:
        raise StoreTrouble("STORE_FULL", "/data/arena.db: database or disk is full")

    monkeypatch.setattr(arena.tournaments, "get", full)
    request = tournament_pb2.GetTournamentRequest(name="weekend").SerializeToString()
    end = await refusal(arena.unary("tournament.v1.TournamentService/GetTournament", request))
    assert (end.code, end.reason) == (grpc.StatusCode.UNAVAILABLE, "STORE_FULL")
    assert "/data" not in end.details + end.where + end.do
    assert "try again" in end.do


@pytest.mark.parametrize("reads", [True, False], ids=["between frames", "while it does not read"])
async def test_a_watcher_that_goes_is_let_go(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, reads: bool
) -> None:
    let_go = asyncio.Event()

    async def watch(name: str) -> AsyncIterator[Progress]:
        try:
            while True:
                yield arena.tournaments.progress
                await asyncio.sleep(0.001 if reads else 0)
        finally:
            let_go.set()

    monkeypatch.setattr(arena.tournaments, "watch", watch)
    request = tournament_pb2.WatchTournamentRequest(name="weekend").SerializeToString()
    path = "/saurodrome.tournament.v1.TournamentService/WatchTournament"
    watching = arena.raw("unary_stream", path)(request, metadata=bearer(ADMIN_TOKEN))
    await watching.read()
    watching.cancel()
    await asyncio.wait_for(let_go.wait(), 5)
    assert caplog.records == []


async def test_an_unknown_method_is_unimplemented(arena: Arena) -> None:
    end = await refusal(arena.unary("bot.v1.BotService/Cheat"))
    assert end.code == grpc.StatusCode.UNIMPLEMENTED


async def test_large_metadata_end_the_call(arena: Arena) -> None:
    metadata = (*bearer(BOT_TOKEN), ("x-much", "x" * 100_000))
    made = arena.raw("stream_stream", f"/{BOT_SERVICE}/Play")(metadata=metadata)
    assert await made.code() == grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_calls_without_a_token_cannot_fill_the_server(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "MAX_PUBLIC_CALLS", 3)
    path = "/grpc.health.v1.Health/Watch"
    open_calls: list[Any] = []
    for _ in range(3):
        watching = arena.raw("unary_stream", path)(b"")
        await watching.read()
        open_calls.append(watching)
    refused = arena.raw("unary_stream", path)(b"")
    end = await told(refused)
    assert (end.code, end.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS")
    open_calls[0].cancel()
    async with asyncio.timeout(5):
        while not await again(arena, path):
            pass
    for watching in open_calls:
        watching.cancel()


async def again(arena: Arena, path: str) -> bool:
    """Whether one more call is let in."""
    watching = arena.raw("unary_stream", path)(b"")
    try:
        return bool(await watching.read())
    except grpc.aio.AioRpcError:
        return False
    finally:
        watching.cancel()


@pytest.mark.case("SE-01")
async def test_a_wrong_secret_takes_as_long_as_an_unknown_id(arena: Arena) -> None:
    async def took(token: str) -> float:
        start = time.perf_counter()
        await refusal(arena.unary("bot.v1.BotService/ListGames", token=token))
        return time.perf_counter() - start

    known, unknown = [], []
    for _ in range(200):
        known.append(await took(BOT_TOKEN[:-1] + "x"))
        unknown.append(await took("srd_bot_zzzzzzzz_" + "b" * 32))
    assert abs(statistics.median(known) - statistics.median(unknown)) < 0.005
