"""TournamentService: organisers' calls, checked for form here and answered behind."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import grpc

from saurodrome.engine.game import Game
from saurodrome.server.contracts import Tournaments
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.rpc import checks, convert, settings
from saurodrome.server.rpc.acts import ID_CHARS, REQUEST_CHARS, ActsOnTournaments, who
from saurodrome.server.rpc.auth import asking
from saurodrome.server.rpc.pages import cursor, number, page, page_size
from saurodrome.server.settings import check_display_name, check_name
from saurodrome.server.store.access import Role
from saurodrome.tournament.v1 import tournament_pb2 as pb

SERVICE = pb.DESCRIPTOR.services_by_name["TournamentService"].full_name
"""The full name of the service."""
CHUNK_BYTES = 32_768
"""Bytes of a match record in one message."""
_TEXT_CHARS = 64
_ORGANISERS = frozenset({Role.ADMIN, Role.ORGANISER})

Context = grpc.aio.ServicerContext[Any, Any]


class TournamentService(ActsOnTournaments):
    """Translates between messages and what the server behind it understands.

    Raises everywhere: `Refused`, which the guard turns into a status.
    """

    def __init__(self, tournaments: Tournaments, games: Sequence[Game]) -> None:
        """Takes who answers, and which games there are."""
        self._tournaments = tournaments
        self._games = games

    async def RegisterBot(
        self, request: pb.RegisterBotRequest, context: Context
    ) -> pb.RegisterBotResponse:
        """Registers a bot and issues its token."""
        name = check_name(request.name, "name")
        registered = await self._tournaments.register_bot(
            name,
            check_display_name(request.display_name, "display_name") or name,
            checks.text(request.owner, _TEXT_CHARS, "owner"),
            _request_id(request.request_id),
        )
        return pb.RegisterBotResponse(bot=convert.bot(registered.status), token=registered.token)

    async def ListBots(self, request: pb.ListBotsRequest, context: Context) -> pb.ListBotsResponse:
        """Lists the bots, by name."""
        size = page_size(request.page_size)
        after = cursor(request.page_token, "bots")
        found = await self._tournaments.list_bots(after, size + 1)
        bots, token = page(found, size, convert.bot, lambda s: s.bot.name, "bots")
        return pb.ListBotsResponse(bots=bots, next_page_token=token)

    async def RotateBotToken(
        self, request: pb.RotateBotTokenRequest, context: Context
    ) -> pb.RotateBotTokenResponse:
        """Issues a new token for a bot."""
        token = await self._tournaments.rotate_token(check_name(request.name, "name"))
        return pb.RotateBotTokenResponse(token=token)

    async def CreateTournament(
        self, request: pb.CreateTournamentRequest, context: Context
    ) -> pb.CreateTournamentResponse:
        """Creates a tournament from settings."""
        progress = await self._tournaments.create(
            settings.from_message(request.settings, self._games), _request_id(request.request_id)
        )
        return pb.CreateTournamentResponse(tournament=convert.tournament(progress))

    async def StartTournament(
        self, request: pb.StartTournamentRequest, context: Context
    ) -> pb.StartTournamentResponse:
        """Starts one that is planned."""
        progress = await self._tournaments.start(check_name(request.name, "name"), who())
        return pb.StartTournamentResponse(tournament=convert.tournament(progress))

    async def PauseTournament(
        self, request: pb.PauseTournamentRequest, context: Context
    ) -> pb.PauseTournamentResponse:
        """Stops leasing matches."""
        progress = await self._tournaments.pause(check_name(request.name, "name"))
        return pb.PauseTournamentResponse(tournament=convert.tournament(progress))

    async def ResumeTournament(
        self, request: pb.ResumeTournamentRequest, context: Context
    ) -> pb.ResumeTournamentResponse:
        """Goes on after a pause."""
        progress = await self._tournaments.resume(check_name(request.name, "name"))
        return pb.ResumeTournamentResponse(tournament=convert.tournament(progress))

    async def CancelTournament(
        self, request: pb.CancelTournamentRequest, context: Context
    ) -> pb.CancelTournamentResponse:
        """Ends it for good."""
        progress = await self._tournaments.cancel(check_name(request.name, "name"))
        return pb.CancelTournamentResponse(tournament=convert.tournament(progress))

    async def GetTournament(
        self, request: pb.GetTournamentRequest, context: Context
    ) -> pb.GetTournamentResponse:
        """Tells the state of one."""
        progress = await self._tournaments.get(check_name(request.name, "name"))
        return pb.GetTournamentResponse(tournament=convert.tournament(progress))

    async def ListTournaments(
        self, request: pb.ListTournamentsRequest, context: Context
    ) -> pb.ListTournamentsResponse:
        """Lists tournaments, newest first."""
        size = page_size(request.page_size)
        before = number(request.page_token, "tournaments")
        found = await self._tournaments.list_tournaments(before, size + 1)
        tournaments, token = page(
            found, size, convert.tournament, lambda p: p.tournament.number, "tournaments"
        )
        return pb.ListTournamentsResponse(tournaments=tournaments, next_page_token=token)

    async def WatchTournament(
        self, request: pb.WatchTournamentRequest, context: Context
    ) -> AsyncIterator[pb.WatchTournamentResponse]:
        """Streams progress."""
        async for progress in self._tournaments.watch(check_name(request.name, "name")):
            yield pb.WatchTournamentResponse(tournament=convert.tournament(progress))

    async def GetStandings(
        self, request: pb.GetStandingsRequest, context: Context
    ) -> pb.GetStandingsResponse:
        """Gives the table, as it is or as it was."""
        position = request.log_position if request.HasField("log_position") else None
        event = request.event if request.HasField("event") else None
        name = check_name(request.name, "name")
        await self._check_public(name)
        return convert.table(await self._tournaments.standings(name, position, event))

    async def ListFaults(
        self, request: pb.ListFaultsRequest, context: Context
    ) -> pb.ListFaultsResponse:
        """Lists faults, newest first."""
        name = check_name(request.name, "name")
        bot = check_name(request.bot, "bot") if request.bot else ""
        size = page_size(request.page_size)
        before = number(request.page_token, "faults")
        found = await self._tournaments.faults(name, bot, before, size + 1)
        faults, token = page(
            found, size, lambda item: convert.fault(item[1]), lambda item: item[0], "faults"
        )
        return pb.ListFaultsResponse(faults=faults, next_page_token=token)

    async def ListMatches(
        self, request: pb.ListMatchesRequest, context: Context
    ) -> pb.ListMatchesResponse:
        """Lists results in the order of the log."""
        name = check_name(request.name, "name")
        await self._check_public(name)
        size = page_size(request.page_size)
        after = number(request.page_token, "matches") or 0
        found = await self._tournaments.matches(name, after, size + 1)
        matches, token = page(found, size, convert.match, lambda m: m.result.position, "matches")
        return pb.ListMatchesResponse(matches=matches, next_page_token=token)

    async def GetMatchRecord(
        self, request: pb.GetMatchRecordRequest, context: Context
    ) -> AsyncIterator[pb.GetMatchRecordResponse]:
        """Gives a match record in chunks."""
        match_id = checks.text(request.match_id, ID_CHARS, "match_id")
        record = await self._tournaments.record(
            match_id, request.attempt, _author(), for_all=request.for_all
        )
        for start in range(0, len(record), CHUNK_BYTES):
            yield pb.GetMatchRecordResponse(chunk=record[start : start + CHUNK_BYTES])

    async def ListLiveMatches(
        self, request: pb.ListLiveMatchesRequest, context: Context
    ) -> pb.ListLiveMatchesResponse:
        """Lists matches that are being played, as spectators may see them."""
        name = check_name(request.name, "name")
        match_id = checks.text(request.match_id, ID_CHARS, "match_id")
        live = await self._tournaments.live(name, match_id, insider=_organises())
        return pb.ListLiveMatchesResponse(
            matches=map(convert.live_match, live.matches), more=live.more
        )

    async def _check_public(self, name: str) -> None:
        """Keeps a table that is not published from all but the organisers.

        Raises:
            Refused: NOT_PUBLISHED.
        """
        if _organises():
            return
        if not (await self._tournaments.get(name)).table_is_public:
            raise Refused(
                Kind.FORBIDDEN,
                "NOT_PUBLISHED",
                f"The table of {name} is published when it is over.",
                "settings.publish_table",
                "ask again then, or ask an organiser",
            )


def _organises() -> bool:
    """Whether an organiser asks; where nobody is told apart, everybody is one."""
    caller = asking()
    return caller is None or caller.role in _ORGANISERS


def _author() -> str | None:
    """The author who asks; None where an organiser does."""
    caller = asking()
    return None if caller is None or _organises() else caller.name


def _request_id(value: str) -> str:
    return checks.text(value, REQUEST_CHARS, "request_id")
