"""What organisers do to a tournament besides starting and stopping it, as calls."""

from collections.abc import Sequence
from typing import Any

import grpc

from saurodrome.server.contracts import Progress, TournamentAct, Tournaments
from saurodrome.server.rpc import checks, convert
from saurodrome.server.rpc.auth import asking
from saurodrome.server.rpc.pages import number, page, page_size
from saurodrome.server.settings import check_name
from saurodrome.server.store.records import Event, EventKind
from saurodrome.tournament.v1 import acts_pb2 as pb
from saurodrome.tournament.v1 import tournament_pb2_grpc as stubs

ID_CHARS = 128
"""Characters of a match id."""
REQUEST_CHARS = 64
"""Characters of a request id."""
_REASON_CHARS = 200
_EXPLAINED = frozenset({EventKind.DISQUALIFIED, EventKind.VOIDED})
"""Acts against a bot, or a result, need a reason."""

Context = grpc.aio.ServicerContext[Any, Any]


def who() -> str:
    """Who asks, for the events of a tournament."""
    caller = asking()
    return caller.name if caller and caller.name else "organiser"


class ActsOnTournaments(stubs.TournamentServiceServicer):
    """The methods of TournamentService that leave an event."""

    _tournaments: Tournaments

    async def EnterTournament(
        self, request: pb.EnterTournamentRequest, context: Context
    ) -> pb.EnterTournamentResponse:
        """Enters a bot."""
        role = "candidate" if request.candidate else ""
        progress, event = await self._act(EventKind.JOINED, request, role)
        return pb.EnterTournamentResponse(tournament=progress, event=event)

    async def WithdrawBot(
        self, request: pb.WithdrawBotRequest, context: Context
    ) -> pb.WithdrawBotResponse:
        """Withdraws a bot."""
        progress, event = await self._act(EventKind.WITHDRAWN, request)
        return pb.WithdrawBotResponse(tournament=progress, event=event)

    async def ReadmitBot(
        self, request: pb.ReadmitBotRequest, context: Context
    ) -> pb.ReadmitBotResponse:
        """Takes a bot back."""
        progress, event = await self._act(EventKind.READMITTED, request)
        return pb.ReadmitBotResponse(tournament=progress, event=event)

    async def DisqualifyBot(
        self, request: pb.DisqualifyBotRequest, context: Context
    ) -> pb.DisqualifyBotResponse:
        """Disqualifies a bot."""
        progress, event = await self._act(EventKind.DISQUALIFIED, request)
        return pb.DisqualifyBotResponse(tournament=progress, event=event)

    async def VoidMatch(
        self, request: pb.VoidMatchRequest, context: Context
    ) -> pb.VoidMatchResponse:
        """Voids a result."""
        progress, event = await self._act(EventKind.VOIDED, request)
        return pb.VoidMatchResponse(tournament=progress, event=event)

    async def ListTournamentEvents(
        self, request: pb.ListTournamentEventsRequest, context: Context
    ) -> pb.ListTournamentEventsResponse:
        """Lists what was done."""
        name = check_name(request.name, "name")
        size = page_size(request.page_size)
        after = number(request.page_token, "events") or 0
        found: Sequence[Event] = await self._tournaments.events(name, after, size + 1)
        events, token = page(found, size, convert.event, lambda e: e.number, "events")
        return pb.ListTournamentEventsResponse(events=events, next_page_token=token)

    async def _act(self, kind: EventKind, request: Any, role: str = "") -> tuple[Any, Any]:
        name = check_name(request.name, "name")
        voids = kind is EventKind.VOIDED
        reason = checks.text(request.reason, _REASON_CHARS, "reason")
        if not reason and kind in _EXPLAINED:
            raise checks.invalid(
                "NO_REASON", "No reason is given.", "reason", "say why: it is shown in the table"
            )
        act = TournamentAct(
            kind,
            bot="" if voids else check_name(request.bot, "bot"),
            match_id=checks.text(request.match_id, ID_CHARS, "match_id") if voids else "",
            role=role,
            reason=reason,
            who=who(),
            request_id=checks.text(request.request_id, REQUEST_CHARS, "request_id"),
        )
        done: tuple[Progress, Event] = await self._tournaments.act(name, act)
        return convert.tournament(done[0]), convert.event(done[1])
