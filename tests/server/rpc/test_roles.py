"""Roles over the wire: what each may call, for every RPC that the descriptors name."""

from collections.abc import AsyncIterator
from typing import NamedTuple

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor

from saurodrome.bot.v1 import bot_pb2
from saurodrome.server import tokens
from saurodrome.server.roster import Roster
from saurodrome.server.rpc import oversight, permissions
from saurodrome.server.store.access import Act, Role
from saurodrome.server.store.memory import MemoryStore
from saurodrome.tournament.v1 import access_pb2, acts_pb2, tournament_pb2
from tests.server.rpc.arena import Arena, Told, bearer, told

pytestmark = pytest.mark.wire

ADMIN = tokens.new_token("admin")
READ = {"GetTournament", "ListTournaments", "WatchTournament", "GetStandings", "ListMatches"}
READ |= {"ListTournamentEvents", "ListBots", "ListLiveMatches"}
AUTHORS = READ | {"RegisterBot", "RotateBotToken", "ListFaults", "GetMatchRecord"}


class House(NamedTuple):
    """A running server and a token of each role."""

    arena: Arena
    roster: Roster
    tokens: dict[Role, str]

    async def end(self, method: MethodDescriptor, token: str, request: bytes = b"") -> Told:
        """How a call ends, whatever kind of method it is."""
        path = f"/{method.containing_service.full_name}/{method.name}"
        if method.client_streaming:
            call = self.arena.raw("stream_stream", path)(metadata=bearer(token))
            await call.done_writing()
        elif method.server_streaming:
            call = self.arena.raw("unary_stream", path)(request, metadata=bearer(token))
        else:
            call = self.arena.raw("unary_unary", path)(request, metadata=bearer(token))
        return await told(call)

    async def acts(self) -> list[tuple[str, str, str, str | None]]:
        """The audit log, oldest first: who, what, about what, and how it came out."""
        acts: tuple[Act, ...] = await self.arena.audit.acts()
        return [
            (act.who, act.act.rpartition("/")[2], act.subject, act.outcome)
            for act in reversed(acts)
        ]


@pytest.fixture
async def house() -> AsyncIterator[House]:
    """A server that knows a bot of ada's, and ada, olga and sue."""
    roster = Roster(MemoryStore(), ADMIN.digest, lambda: 1_000.0)
    _, bot = await roster.register("rex", "Rex", "ada", "")
    await roster.register("foe", "Foe", "bob", "")
    issued = {Role.ADMIN: ADMIN.token, Role.BOT: bot}
    people = {Role.ORGANISER: "olga", Role.AUTHOR: "ada", Role.SPECTATOR: "sue"}
    for role, name in people.items():
        issued[role] = (await roster.issue(role, name, None, "admin", replace=False)).token
    arena = Arena(roster=roster)
    await arena.server.start()
    yield House(arena, roster, issued)
    await arena.channel.close()
    await arena.server.stop(0)


METHODS = [
    method
    for file in (bot_pb2.DESCRIPTOR, tournament_pb2.DESCRIPTOR, access_pb2.DESCRIPTOR)
    for service in file.services_by_name.values()
    for method in service.methods
]


def may(role: Role, method: MethodDescriptor) -> bool:
    """What the README says."""
    service = method.containing_service.name
    if service == "BotService":
        return role is Role.BOT
    if service == "AccessService":
        return role is Role.ADMIN
    names = {Role.AUTHOR: AUTHORS, Role.SPECTATOR: READ, Role.BOT: set[str]()}
    return role in (Role.ADMIN, Role.ORGANISER) or method.name in names[role]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.full_name)
@pytest.mark.case("SE-02")
async def test_every_rpc_is_for_its_roles_only(house: House, method: MethodDescriptor) -> None:
    for role in Role:
        end = await house.end(method, house.tokens[role])
        if may(role, method):
            assert end.reason not in ("WRONG_ROLE", "TOKEN_UNKNOWN", "SHUT"), (role, end.details)
            assert end.code not in (grpc.StatusCode.UNIMPLEMENTED, grpc.StatusCode.UNKNOWN)
        else:
            assert (end.code, end.reason) == (grpc.StatusCode.PERMISSION_DENIED, "WRONG_ROLE"), role
            house.arena.tournaments.calls.clear()


@pytest.mark.case("SE-02")
async def test_who_may_not_changes_nothing_and_stands_in_no_audit_log(house: House) -> None:
    for method in METHODS:
        for role in Role:
            if not may(role, method):
                await house.end(method, house.tokens[role])
    assert house.arena.tournaments.calls == []
    assert house.arena.gate.bots == []
    assert await house.acts() == []


def test_what_changes_something_is_noted_and_what_reads_is_not() -> None:
    acts = {name.rpartition("/")[2] for name in permissions.ACTS}
    assert {"StartTournament", "RotateBotToken", "IssueToken", "DisqualifyBot"} <= acts
    assert not {"GetTournament", "ListAudit", "WatchTournament", "Play"} & acts


def method_of(name: str) -> MethodDescriptor:
    """The method of a name."""
    return next(method for method in METHODS if method.name == name)


async def test_acts_are_noted_with_who_and_how_they_came_out(house: House) -> None:
    olga = house.tokens[Role.ORGANISER]
    start = method_of("StartTournament")
    for name in ("weekend", "nope"):
        request = tournament_pb2.StartTournamentRequest(name=name).SerializeToString()
        await house.end(start, olga, request)
    await house.end(method_of("GetStandings"), olga)
    assert await house.acts() == [
        ("olga", "StartTournament", "weekend", "done"),
        ("olga", "StartTournament", "nope", "UNKNOWN_TOURNAMENT"),
    ]
    (newest, *_) = await house.arena.audit.acts()
    assert olga.split("_")[2] == newest.token_id
    assert olga not in repr(newest)


def test_a_match_says_in_its_id_which_tournament_it_is_of() -> None:
    of = acts_pb2.VoidMatchRequest
    assert permissions.subject(of(name="cup", match_id="cup/1/2/1")) == "cup/1/2/1"
    assert permissions.subject(of(name="cup", match_id="1/2/1")) == "cup 1/2/1"


async def test_nothing_is_done_that_cannot_be_noted(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(act: object) -> int:
        raise RuntimeError("no")

    monkeypatch.setattr(house.arena.audit, "add_act", broken)
    request = tournament_pb2.StartTournamentRequest(name="weekend").SerializeToString()
    end = await house.end(method_of("StartTournament"), house.tokens[Role.ADMIN], request)
    assert end.code is grpc.StatusCode.INTERNAL
    assert house.arena.tournaments.calls == []


async def test_an_author_registers_own_bots_only(house: House) -> None:
    ada, register = house.tokens[Role.AUTHOR], method_of("RegisterBot")
    for owner, reason in (("", ""), ("ada", ""), ("bob", "NOT_YOURS")):
        request = tournament_pb2.RegisterBotRequest(name="max", owner=owner)
        end = await house.end(register, ada, request.SerializeToString())
        assert end.reason == reason
    owners = [call[3] for call in house.arena.tournaments.calls if call[0] == "register_bot"]
    assert owners == ["ada", "ada"]
    assert [outcome for *_, outcome in await house.acts()] == ["done", "done", "NOT_YOURS"]


async def test_an_author_cannot_fill_the_audit_log(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oversight, "MAX_AUTHORS_ACTS", 3)
    request = tournament_pb2.RotateBotTokenRequest(name="foe").SerializeToString()
    rotate = method_of("RotateBotToken")
    ends = [await house.end(rotate, house.tokens[Role.AUTHOR], request) for _ in range(4)]
    assert [end.reason for end in ends] == ["NOT_YOURS"] * 3 + ["TOO_MANY_ACTS"]
    assert ends[3].code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert len(await house.acts()) == 3
    organisers = await house.end(rotate, house.tokens[Role.ORGANISER], request)
    assert organisers.reason == ""


@pytest.mark.parametrize(("bot", "reason"), [("rex", ""), ("foe", "NOT_YOURS"), ("x", "NOT_YOURS")])
async def test_an_author_renews_tokens_of_own_bots_only(
    house: House, bot: str, reason: str
) -> None:
    request = tournament_pb2.RotateBotTokenRequest(name=bot).SerializeToString()
    end = await house.end(method_of("RotateBotToken"), house.tokens[Role.AUTHOR], request)
    assert end.reason == reason
    assert [call[0] for call in house.arena.tournaments.calls] == ["rotate_token"] * (not reason)


@pytest.mark.parametrize(("bot", "reason"), [("rex", ""), ("foe", "NOT_YOURS"), ("", "NOT_YOURS")])
async def test_an_author_sees_the_faults_of_own_bots_only(
    house: House, bot: str, reason: str
) -> None:
    request = tournament_pb2.ListFaultsRequest(name="weekend", bot=bot).SerializeToString()
    end = await house.end(method_of("ListFaults"), house.tokens[Role.AUTHOR], request)
    assert end.reason == reason
    assert bool(house.arena.tournaments.calls) is not bool(reason)


async def test_notes_are_told_to_their_author_and_to_organisers_and_published_to_nobody(
    house: House,
) -> None:
    method = method_of("GetMatchRecord")
    for role, for_all in ((Role.AUTHOR, False), (Role.ORGANISER, False), (Role.ORGANISER, True)):
        request = tournament_pb2.GetMatchRecordRequest(match_id="weekend/1/1/1", for_all=for_all)
        await house.end(method, house.tokens[role], request.SerializeToString())
    asked = [call[3:] for call in house.arena.tournaments.calls]
    assert asked == [("ada", False), (None, False), (None, True)]


async def test_only_organisers_see_matches_that_are_not_published(house: House) -> None:
    request = tournament_pb2.ListLiveMatchesRequest(name="weekend").SerializeToString()
    for role in (Role.SPECTATOR, Role.AUTHOR, Role.ORGANISER, Role.ADMIN):
        await house.end(method_of("ListLiveMatches"), house.tokens[role], request)
    insiders = [call[3] for call in house.arena.tournaments.calls]
    assert insiders == [False, False, True, True]
