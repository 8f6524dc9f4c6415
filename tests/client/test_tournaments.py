"""The client of TournamentService against a real gRPC server with canned answers."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from grpc import StatusCode, aio

from saurodrome.client import InputError, Refused, RequestError, Unreachable
from saurodrome.client._status import DETAILS_KEY
from saurodrome.client.testing._arbiter import status_details
from saurodrome.client.tournaments import (
    AsyncTournamentClient,
    TournamentClient,
    TournamentSettings,
    TournamentState,
)
from saurodrome.tournament.v1 import messages_pb2 as messages
from saurodrome.tournament.v1 import tournament_pb2 as pb
from saurodrome.tournament.v1 import tournament_pb2_grpc

Context = aio.ServicerContext[Any, Any]


class Service(tournament_pb2_grpc.TournamentServiceServicer):
    """Answers from a table, and notes what it was asked."""

    def __init__(self) -> None:
        self.requests: list[Any] = []
        self.authorization: list[Any] = []
        self.fail_first = 0
        self.bots = [messages.Bot(name=f"bot-{n}", number=n) for n in range(5)]

    def _note(self, request: Any, context: Context) -> None:
        self.requests.append(request)
        self.authorization.append(dict(context.invocation_metadata() or ())["authorization"])

    async def RegisterBot(
        self, request: pb.RegisterBotRequest, context: Context
    ) -> pb.RegisterBotResponse:
        self._note(request, context)
        if self.fail_first:
            self.fail_first -= 1
            await context.abort(StatusCode.UNAVAILABLE, "away")
        if request.name == "taken":
            rich = status_details(
                StatusCode.ALREADY_EXISTS, "NAME_TAKEN", "taken.", "--name", "choose another"
            )
            await context.abort(StatusCode.ALREADY_EXISTS, "taken.", ((DETAILS_KEY, rich),))
        return pb.RegisterBotResponse(bot=messages.Bot(name=request.name), token="srd_bot_x")

    async def ListBots(self, request: pb.ListBotsRequest, context: Context) -> pb.ListBotsResponse:
        self._note(request, context)
        start = int(request.page_token or 0)
        more = str(start + 2) if start + 2 < len(self.bots) else ""
        return pb.ListBotsResponse(bots=self.bots[start : start + 2], next_page_token=more)

    async def RotateBotToken(
        self, request: pb.RotateBotTokenRequest, context: Context
    ) -> pb.RotateBotTokenResponse:
        self._note(request, context)
        if self.fail_first:
            self.fail_first -= 1
            await context.abort(StatusCode.UNAVAILABLE, "away")
        return pb.RotateBotTokenResponse(token="srd_bot_y")

    async def CreateTournament(
        self, request: pb.CreateTournamentRequest, context: Context
    ) -> pb.CreateTournamentResponse:
        self._note(request, context)
        return pb.CreateTournamentResponse(
            tournament=messages.Tournament(
                settings=request.settings, state=TournamentState.TOURNAMENT_STATE_PLANNED
            )
        )

    def _tournament(self, request: Any, context: Context) -> messages.Tournament:
        self._note(request, context)
        return messages.Tournament(settings=TournamentSettings(name=request.name))

    async def StartTournament(
        self, request: pb.StartTournamentRequest, context: Context
    ) -> pb.StartTournamentResponse:
        return pb.StartTournamentResponse(tournament=self._tournament(request, context))

    async def PauseTournament(
        self, request: pb.PauseTournamentRequest, context: Context
    ) -> pb.PauseTournamentResponse:
        return pb.PauseTournamentResponse(tournament=self._tournament(request, context))

    async def ResumeTournament(
        self, request: pb.ResumeTournamentRequest, context: Context
    ) -> pb.ResumeTournamentResponse:
        return pb.ResumeTournamentResponse(tournament=self._tournament(request, context))

    async def CancelTournament(
        self, request: pb.CancelTournamentRequest, context: Context
    ) -> pb.CancelTournamentResponse:
        return pb.CancelTournamentResponse(tournament=self._tournament(request, context))

    async def GetTournament(
        self, request: pb.GetTournamentRequest, context: Context
    ) -> pb.GetTournamentResponse:
        return pb.GetTournamentResponse(tournament=self._tournament(request, context))

    async def ListTournaments(
        self, request: pb.ListTournamentsRequest, context: Context
    ) -> pb.ListTournamentsResponse:
        page = int(request.page_token or 0)
        return pb.ListTournamentsResponse(
            tournaments=[messages.Tournament(log_position=page)],
            next_page_token=str(page + 1) if page < 2 else "",
        )

    async def WatchTournament(
        self, request: pb.WatchTournamentRequest, context: Context
    ) -> AsyncIterator[pb.WatchTournamentResponse]:
        for done in range(3):
            yield pb.WatchTournamentResponse(tournament=messages.Tournament(matches_done=done))
        if request.name == "lost":
            await context.abort(StatusCode.NOT_FOUND, "gone")
        if request.name == "endless":
            await asyncio.Event().wait()

    async def GetStandings(
        self, request: pb.GetStandingsRequest, context: Context
    ) -> pb.GetStandingsResponse:
        self._note(request, context)
        return pb.GetStandingsResponse(standings=[messages.Standing(rank=1, bot="rex")])

    async def ListFaults(
        self, request: pb.ListFaultsRequest, context: Context
    ) -> pb.ListFaultsResponse:
        self._note(request, context)
        page = int(request.page_token or 0)
        return pb.ListFaultsResponse(
            faults=[messages.Fault(turn=page, bot=request.bot)],
            next_page_token=str(page + 1) if page < 2 else "",
        )

    async def ListMatches(
        self, request: pb.ListMatchesRequest, context: Context
    ) -> pb.ListMatchesResponse:
        page = int(request.page_token or 0)
        return pb.ListMatchesResponse(
            matches=[messages.Match(log_position=2 * page + n) for n in range(2)],
            next_page_token=str(page + 1) if page < 2 else "",
        )

    async def GetMatchRecord(
        self, request: pb.GetMatchRecordRequest, context: Context
    ) -> AsyncIterator[pb.GetMatchRecordResponse]:
        self._note(request, context)
        for chunk in (b"zwei gro\xc3", b"\x9fe ", b"St\xc3\xbccke"):
            yield pb.GetMatchRecordResponse(chunk=chunk)


async def serve(service: Service) -> tuple[aio.Server, str]:
    server = aio.server()
    tournament_pb2_grpc.add_TournamentServiceServicer_to_server(service, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    return server, f"127.0.0.1:{port}"


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
async def client(service: Service) -> AsyncIterator[AsyncTournamentClient]:
    server, address = await serve(service)
    async with AsyncTournamentClient(server=address, token="srd_admin_a_b") as client:
        yield client
    await server.stop(None)


@pytest.fixture
def blocking(service: Service) -> Iterator[TournamentClient]:
    """A blocking client of a server in another thread."""
    address: list[str] = []
    up, down = threading.Event(), threading.Event()

    async def run() -> None:
        server, found = await serve(service)
        address.append(found)
        up.set()
        await asyncio.to_thread(down.wait, 30)
        await server.stop(None)

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    assert up.wait(10)
    with TournamentClient(server=address[0], token="srd_admin_a_b") as client:
        yield client
    down.set()
    thread.join(10)


@pytest.mark.wire
async def test_a_bot_is_registered_with_a_request_id(
    client: AsyncTournamentClient, service: Service
) -> None:
    answer = await client.register_bot("rex", display_name="Rex", owner="ada")

    assert (answer.bot.name, answer.token) == ("rex", "srd_bot_x")
    request = service.requests[0]
    assert (request.name, request.display_name, request.owner) == ("rex", "Rex", "ada")
    assert len(request.request_id) == 32
    assert service.authorization == ["Bearer srd_admin_a_b"]


@pytest.mark.wire
async def test_a_call_with_a_request_id_is_repeated_with_the_same_one(
    client: AsyncTournamentClient, service: Service
) -> None:
    service.fail_first = 2

    await client.register_bot("rex")

    assert len(service.requests) == 3
    assert len({request.request_id for request in service.requests}) == 1


@pytest.mark.wire
async def test_a_call_without_one_is_not_repeated(
    client: AsyncTournamentClient, service: Service
) -> None:
    service.fail_first = 1

    with pytest.raises(Unreachable):
        await client.rotate_token("rex")

    assert len(service.requests) == 1


@pytest.mark.wire
async def test_two_calls_have_two_request_ids(
    client: AsyncTournamentClient, service: Service
) -> None:
    await client.register_bot("a")
    await client.create(TournamentSettings(name="cup"))

    assert service.requests[0].request_id != service.requests[1].request_id


@pytest.mark.wire
async def test_what_the_server_finds_wrong_is_an_error_with_its_words(
    client: AsyncTournamentClient, service: Service
) -> None:
    with pytest.raises(RequestError) as caught:
        await client.register_bot("taken")

    error = caught.value
    assert (error.code, error.what, error.do) == ("NAME_TAKEN", "taken.", "choose another")
    assert (error.exit_code, error.retry) == (2, False)
    assert len(service.requests) == 1


@pytest.mark.wire
async def test_lists_go_over_all_pages(client: AsyncTournamentClient) -> None:
    assert [bot.name for bot in await client.list_bots()] == [f"bot-{n}" for n in range(5)]
    assert [t.log_position for t in await client.list()] == [0, 1, 2]
    assert [m.log_position async for m in client.matches("cup")] == [0, 1, 2, 3, 4, 5]
    assert [(f.turn, f.bot) async for f in client.faults("cup", bot="rex")] == [
        (0, "rex"),
        (1, "rex"),
        (2, "rex"),
    ]


@pytest.mark.wire
async def test_a_tournament_is_led_by_name(client: AsyncTournamentClient) -> None:
    created = await client.create(TournamentSettings(name="cup", players=4))

    assert created.settings.players == 4
    assert created.state == TournamentState.TOURNAMENT_STATE_PLANNED
    for step in (client.start, client.pause, client.resume, client.cancel, client.get):
        assert (await step("cup")).settings.name == "cup"
    assert (await client.standings("cup")).standings[0].bot == "rex"


@pytest.mark.wire
async def test_watching_ends_with_the_tournament(client: AsyncTournamentClient) -> None:
    assert [now.matches_done async for now in client.watch("cup")] == [0, 1, 2]


@pytest.mark.wire
async def test_watching_tells_what_went_wrong(client: AsyncTournamentClient) -> None:
    with pytest.raises(RequestError) as caught:
        _ = [now async for now in client.watch("lost")]

    assert caught.value.status == "NOT_FOUND"


@pytest.mark.wire
async def test_watching_may_be_left(client: AsyncTournamentClient) -> None:
    watching = client.watch("endless")

    async for _ in watching:
        break
    await watching.aclose()


@pytest.mark.wire
async def test_a_record_is_joined_from_its_chunks(
    client: AsyncTournamentClient, service: Service
) -> None:
    record = await client.record("cup/1/1/0", attempt=2)

    assert record.decode() == "zwei große Stücke"
    assert (service.requests[0].match_id, service.requests[0].attempt) == ("cup/1/1/0", 2)


@pytest.mark.wire
def test_without_asyncio_it_is_the_same(blocking: TournamentClient) -> None:
    assert blocking.register_bot("rex").token == "srd_bot_x"
    assert blocking.rotate_token("rex") == "srd_bot_y"
    assert len(blocking.list_bots()) == 5
    assert blocking.create(TournamentSettings(name="cup")).settings.name == "cup"
    steps = (blocking.start, blocking.pause, blocking.resume, blocking.cancel, blocking.get)
    assert [step("cup").settings.name for step in steps] == ["cup"] * 5
    assert [t.log_position for t in blocking.list()] == [0, 1, 2]
    assert [now.matches_done for now in blocking.watch("cup")] == [0, 1, 2]
    assert blocking.standings("cup").standings[0].rank == 1
    assert len(list(blocking.faults("cup"))) == 3
    assert [m.log_position for m in blocking.matches("cup")] == [0, 1, 2, 3, 4, 5]
    assert blocking.record("cup/1/1/0").decode() == "zwei große Stücke"


@pytest.mark.wire
def test_without_asyncio_watching_may_be_left(blocking: TournamentClient) -> None:
    watching = blocking.watch("endless")

    assert next(watching).matches_done == 0
    watching.close()  # type: ignore[attr-defined]  # it is a generator

    assert blocking.get("cup").settings.name == "cup"


@pytest.mark.wire
def test_without_asyncio_errors_are_the_same(blocking: TournamentClient) -> None:
    with pytest.raises(RequestError):
        blocking.register_bot("taken")


@pytest.mark.wire
async def test_a_server_that_is_away_is_named() -> None:
    async with AsyncTournamentClient(server="127.0.0.1:1", token="t") as client:
        with pytest.raises(Unreachable) as caught:
            await client.get("cup")

    assert caught.value.what == "nothing answers at 127.0.0.1:1: connection refused."
    assert not isinstance(caught.value, Refused)


def test_the_admin_token_is_found_in_the_data_folder(tmp_path: Path) -> None:
    (tmp_path / "arena").mkdir()
    (tmp_path / "arena" / "admin.token").write_text("secret\n")

    assert AsyncTournamentClient(data_dir="arena").target.token == "secret"


def test_an_admin_token_of_the_environment_goes_before_a_bots(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SAURODROME_TOKEN", "bots")
    assert AsyncTournamentClient().target.token == "bots"

    monkeypatch.setenv("SAURODROME_ADMIN_TOKEN", "admins")
    assert AsyncTournamentClient().target.token == "admins"


def test_without_an_admin_token_it_says_where_one_lies() -> None:
    with pytest.raises(InputError) as caught:
        AsyncTournamentClient(data_dir="arena")

    assert caught.value.code == "TOKEN_MISSING"
    assert "arena/admin.token" in caught.value.where
    assert "saurodrome serve" in caught.value.do
