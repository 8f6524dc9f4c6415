"""What organisers do to a running tournament, answered with what was asked."""

from typing import Any

from grpc import StatusCode, aio

from saurodrome.tournament.v1 import acts_pb2 as acts
from saurodrome.tournament.v1 import tournament_pb2_grpc

Context = aio.ServicerContext[Any, Any]


class Acts(tournament_pb2_grpc.TournamentServiceServicer):
    """The methods of acts; the first `fail_first` calls do not come through."""

    def __init__(self) -> None:
        self.requests: list[Any] = []
        self.fail_first = 0

    async def _event(
        self, kind: acts.EventKind.ValueType, request: Any, context: Context
    ) -> acts.TournamentEvent:
        self.requests.append(request)
        if self.fail_first:
            self.fail_first -= 1
            await context.abort(StatusCode.UNAVAILABLE, "away")
        return acts.TournamentEvent(kind=kind, reason=request.reason)

    async def EnterTournament(
        self, request: acts.EnterTournamentRequest, context: Context
    ) -> acts.EnterTournamentResponse:
        event = await self._event(acts.EVENT_KIND_JOINED, request, context)
        return acts.EnterTournamentResponse(event=event)

    async def WithdrawBot(
        self, request: acts.WithdrawBotRequest, context: Context
    ) -> acts.WithdrawBotResponse:
        event = await self._event(acts.EVENT_KIND_WITHDRAWN, request, context)
        return acts.WithdrawBotResponse(event=event)

    async def ReadmitBot(
        self, request: acts.ReadmitBotRequest, context: Context
    ) -> acts.ReadmitBotResponse:
        event = await self._event(acts.EVENT_KIND_READMITTED, request, context)
        return acts.ReadmitBotResponse(event=event)

    async def DisqualifyBot(
        self, request: acts.DisqualifyBotRequest, context: Context
    ) -> acts.DisqualifyBotResponse:
        event = await self._event(acts.EVENT_KIND_DISQUALIFIED, request, context)
        return acts.DisqualifyBotResponse(event=event)

    async def VoidMatch(
        self, request: acts.VoidMatchRequest, context: Context
    ) -> acts.VoidMatchResponse:
        event = await self._event(acts.EVENT_KIND_VOIDED, request, context)
        return acts.VoidMatchResponse(event=event)

    async def ListTournamentEvents(
        self, request: acts.ListTournamentEventsRequest, context: Context
    ) -> acts.ListTournamentEventsResponse:
        page = int(request.page_token or 0)
        return acts.ListTournamentEventsResponse(
            events=[acts.TournamentEvent(number=2 * page + n) for n in range(2)],
            next_page_token=str(page + 1) if page < 2 else "",
        )
