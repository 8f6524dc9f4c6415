"""A real gRPC server of tournaments with canned answers."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from grpc import StatusCode, aio

from saurodrome.client._status import DETAILS_KEY
from saurodrome.client.testing._arbiter import status_details
from saurodrome.client.tournaments import TournamentSettings, TournamentState
from saurodrome.tournament.v1 import messages_pb2 as messages
from saurodrome.tournament.v1 import tournament_pb2 as pb
from saurodrome.tournament.v1 import tournament_pb2_grpc
from tests.client.acts_bench import Acts

Context = aio.ServicerContext[Any, Any]


class Service(Acts):
    """Answers from a table, and notes what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.authorization: list[Any] = []
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

    async def ListLiveMatches(
        self, request: pb.ListLiveMatchesRequest, context: Context
    ) -> pb.ListLiveMatchesResponse:
        self._note(request, context)
        return pb.ListLiveMatchesResponse(more=7)

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
