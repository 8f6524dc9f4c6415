"""AccessService over the wire: tokens are issued, listed and end, and their streams with them."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from saurodrome.bot.v1 import bot_pb2
from saurodrome.server import tokens
from saurodrome.server.contracts import Progress
from saurodrome.server.roster import Roster
from saurodrome.server.rpc import live
from saurodrome.server.store.access import Role
from saurodrome.server.store.memory import MemoryStore
from saurodrome.tournament.v1 import access_pb2 as pb
from saurodrome.tournament.v1 import tournament_pb2
from tests.server.rpc.arena import Arena, bearer, refusal, told

pytestmark = pytest.mark.wire

ADMIN = tokens.new_token("admin")
WITHIN = 5.0
"""Seconds in which a live stream must end with its token."""


class Clock:
    """A wall clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


class Keys:
    """A server with a roster, and AccessService as an administrator calls it."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.roster = Roster(MemoryStore(), ADMIN.digest, self.clock)
        self.arena = Arena(roster=self.roster)

    async def call(self, method: str, request: Any, answer: Any) -> Any:
        data = await self.arena.unary(
            f"tournament.v1.AccessService/{method}", request.SerializeToString(), ADMIN.token
        )
        return answer.FromString(data)

    async def issue(self, role: "pb.Role.ValueType", holder: str, **more: Any) -> Any:
        request = pb.IssueTokenRequest(role=role, holder=holder, **more)
        return await self.call("IssueToken", request, pb.IssueTokenResponse)

    async def revoke(self, token_id: str) -> Any:
        request = pb.RevokeTokenRequest(token_id=token_id)
        return await self.call("RevokeToken", request, pb.RevokeTokenResponse)

    def watch(self, token: str) -> Any:
        path = "/saurodrome.tournament.v1.TournamentService/WatchTournament"
        request = tournament_pb2.WatchTournamentRequest(name="weekend").SerializeToString()
        return self.arena.raw("unary_stream", path)(request, metadata=bearer(token))


@pytest.fixture
async def keys(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Keys]:
    """A server that looks for expired tokens often."""
    monkeypatch.setattr(live, "LOOK", 0.02)
    made = Keys()
    await made.arena.server.start()
    yield made
    await made.arena.channel.close()
    await made.arena.server.stop(0)


def goodbye() -> bytes:
    """A frame of a bot."""
    return bot_pb2.PlayRequest(goodbye=bot_pb2.Goodbye()).SerializeToString()


async def test_a_token_is_shown_once_and_listed_without_its_secret(keys: Keys) -> None:
    issued = await keys.issue(pb.ROLE_AUTHOR, "ada", valid_for=Duration(seconds=60))
    caller = keys.roster.who(issued.token)
    assert caller
    assert (caller.role, caller.name) == (Role.AUTHOR, "ada")
    assert (issued.about.issued.seconds, issued.about.expires.seconds) == (1_000, 1_060)
    assert (issued.about.issuer, issued.about.HasField("revoked")) == ("admin", False)
    listed = await keys.call("ListTokens", pb.ListTokensRequest(), pb.ListTokensResponse)
    assert list(listed.tokens) == [issued.about]
    assert issued.token.split("_")[3] not in str(listed)


async def test_tokens_are_listed_in_pages_by_holder(keys: Keys) -> None:
    for holder in ("ada", "bob", "ada", "ada"):
        await keys.issue(pb.ROLE_SPECTATOR, holder)
    request = pb.ListTokensRequest(holder="ada", page_size=2)
    first = await keys.call("ListTokens", request, pb.ListTokensResponse)
    request.page_token = first.next_page_token
    second = await keys.call("ListTokens", request, pb.ListTokensResponse)
    assert [len(page.tokens) for page in (first, second)] == [2, 1]
    assert {token.holder for page in (first, second) for token in page.tokens} == {"ada"}
    assert second.next_page_token == ""


WRONG = [
    (pb.IssueTokenRequest(holder="ada"), "BAD_ROLE"),
    (pb.IssueTokenRequest(role=pb.ROLE_UNSPECIFIED, holder="ada"), "BAD_ROLE"),
    (pb.IssueTokenRequest(role=pb.ROLE_AUTHOR, holder="Ada\n"), "BAD_NAME"),
    (pb.IssueTokenRequest(role=pb.ROLE_BOT, holder="nobody"), "UNKNOWN_BOT"),
    (
        pb.IssueTokenRequest(role=pb.ROLE_AUTHOR, holder="ada", valid_for=Duration(seconds=-1)),
        "BAD_DURATION",
    ),
    (
        pb.IssueTokenRequest(role=pb.ROLE_AUTHOR, holder="ada", valid_for=Duration(seconds=10**9)),
        "BAD_DURATION",
    ),
]


@pytest.mark.parametrize(("request_", "reason"), WRONG, ids=lambda v: str(v)[:30])
async def test_what_is_asked_wrongly_is_refused(
    keys: Keys, request_: pb.IssueTokenRequest, reason: str
) -> None:
    data = request_.SerializeToString()
    path = "tournament.v1.AccessService/IssueToken"
    assert (await refusal(keys.arena.unary(path, data, ADMIN.token))).reason == reason
    assert keys.roster.issued("", None, 9) == ()


async def test_an_unknown_token_cannot_be_revoked(keys: Keys) -> None:
    data = pb.RevokeTokenRequest(token_id="nope").SerializeToString()
    path = "tournament.v1.AccessService/RevokeToken"
    assert (await refusal(keys.arena.unary(path, data, ADMIN.token))).reason == "UNKNOWN_TOKEN"


@pytest.mark.case("SE-03")
async def test_a_revoked_token_ends_a_bots_stream_and_none_of_its_frames_counts_any_more(
    keys: Keys,
) -> None:
    frames: asyncio.Queue[object] = asyncio.Queue()

    revoked = asyncio.Event()

    async def collect(transport: Any) -> None:
        frames.put_nowait(await transport.recv())
        await revoked.wait()
        frames.put_nowait(await transport.recv())

    keys.arena.gate.script = collect
    _, token = await keys.roster.register("rex", "", "", "")
    other = (await keys.issue(pb.ROLE_BOT, "rex")).token
    streams = [keys.arena.play(token), keys.arena.play(other)]
    async with asyncio.timeout(WITHIN):
        for stream in streams:
            await stream.write(goodbye())
            await stream.write(goodbye())
            assert await frames.get() is not None
        await keys.revoke(token.split("_")[2])
        revoked.set()
        second = [await frames.get(), await frames.get()]
        end = await told(streams[0])
    assert second.count(None) == 1  # only the other stream's counts
    assert (end.code, end.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_REVOKED")
    again = await told(keys.arena.play(token))
    assert (again.code, again.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")
    other_end = await told(streams[1])  # its script is over
    assert other_end.code is grpc.StatusCode.OK


@pytest.mark.case("SE-03")
async def test_an_expired_token_ends_what_it_opened(keys: Keys) -> None:
    _, first = await keys.roster.register("rex", "", "", "")
    issued = await keys.issue(pb.ROLE_BOT, "rex", valid_for=Duration(seconds=60))
    inside: asyncio.Queue[None] = asyncio.Queue()

    async def come(transport: Any) -> None:
        inside.put_nowait(None)
        await transport.recv()

    keys.arena.gate.script = come
    stays, goes = keys.arena.play(first), keys.arena.play(issued.token)
    async with asyncio.timeout(WITHIN):
        await inside.get()
        await inside.get()
        keys.clock.now += 60
        end = await told(goes)
    assert (end.code, end.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_EXPIRED")
    assert not stays.done()
    stays.cancel()


async def test_a_watcher_whose_token_is_revoked_is_told_so_although_nothing_happens(
    keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_go = asyncio.Event()

    async def watch(name: str) -> AsyncIterator[Progress]:
        try:
            yield keys.arena.tournaments.progress
            await asyncio.Event().wait()
        finally:
            let_go.set()

    monkeypatch.setattr(keys.arena.tournaments, "watch", watch)
    issued = await keys.issue(pb.ROLE_SPECTATOR, "sue")
    watching = keys.watch(issued.token)
    async with asyncio.timeout(WITHIN):
        await watching.read()
        await keys.revoke(issued.about.token_id)
        end = await told(watching)
        await let_go.wait()
    assert (end.code, end.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_REVOKED")


async def test_the_audit_log_is_told_newest_first(keys: Keys) -> None:
    issued = await keys.issue(pb.ROLE_SPECTATOR, "sue")
    await keys.revoke(issued.about.token_id)
    log = await keys.call("ListAudit", pb.ListAuditRequest(page_size=1), pb.ListAuditResponse)
    (entry,) = log.entries
    assert (entry.who, entry.role, entry.act) == (
        "admin",
        pb.ROLE_ADMIN,
        "AccessService/RevokeToken",
    )
    assert (entry.number, entry.subject, entry.outcome) == (2, issued.about.token_id, "done")
    request = pb.ListAuditRequest(page_token=log.next_page_token)
    log = await keys.call("ListAudit", request, pb.ListAuditResponse)
    assert [(e.number, e.act, e.subject) for e in log.entries] == [
        (1, "AccessService/IssueToken", "sue as spectator")
    ]
