"""The client of TournamentService for programs that have an event loop."""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Callable, Coroutine
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from grpc import aio

from saurodrome.client._channel import metadata_of, open_channel
from saurodrome.client._errors import Unreachable
from saurodrome.client._probe import explain
from saurodrome.client._status import from_rpc_error
from saurodrome.client._target import Target, find_server, find_token
from saurodrome.tournament.v1 import acts_pb2 as acts
from saurodrome.tournament.v1 import messages_pb2 as messages
from saurodrome.tournament.v1 import tournament_pb2 as pb
from saurodrome.tournament.v1 import tournament_pb2_grpc

Standings = pb.GetStandingsResponse
Live = pb.ListLiveMatchesResponse
"""A table: `tournament`, `standings` (best first), `seat_wins`, `rating_method` and reference."""

CALL_SECONDS = 30.0
"""How long one call may take."""
TRIES = 3
"""Tries of a call that is safe to repeat, since it carries a request_id."""
TRY_AGAIN_AFTER = 0.2
"""Seconds between two of them."""
PAGE = 500
"""Entries of a listing that are asked for at once."""
_VARIABLES = ("SAURODROME_ADMIN_TOKEN", "SAURODROME_TOKEN")
_NO_TOKEN = (
    "`saurodrome serve` writes admin.token into its data directory at its first start;"
    " for a server elsewhere: --token-file FILE"
)

_T = TypeVar("_T")
_Request = TypeVar("_Request")
_Response = TypeVar("_Response")


class AsyncTournamentClient:
    """TournamentService for programs that have an event loop; use it as a context manager.

    Every method raises `ServerError` if the call does not work.

    Attributes:
        target: The server and how to get in.
    """

    def __init__(
        self,
        *,
        server: str | None = None,
        token: str | None = None,
        token_file: str | Path | None = None,
        data_dir: str | Path = ".saurodrome",
        tls: bool = False,
        ca: str | Path | None = None,
    ) -> None:
        """Finds server and admin token; nothing is connected yet.

        Args:
            server: ``host:port``; else ``SAURODROME_SERVER``, else ``localhost:7741``.
            token: The admin token; else from `token_file`, ``SAURODROME_ADMIN_TOKEN``,
                ``SAURODROME_TOKEN``, or ``admin.token`` in `data_dir`.
            token_file: A file that holds the token.
            data_dir: The server's data directory, if it is on this machine.
            tls: Speak TLS.
            ca: A file with the certificates to trust, with TLS; else the system's.

        Raises:
            InputError: No token was found, or an argument is wrong.
        """
        self.target = target_of(server, token, token_file, data_dir, tls=tls, ca=ca)
        self._channel: aio.Channel | None = None

    async def __aenter__(self) -> Self:
        """Gives the client itself."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Closes the connection."""
        await self.close()

    async def close(self) -> None:
        """Closes the connection; the next call opens another."""
        channel, self._channel = self._channel, None
        if channel is not None:
            await channel.close()

    @property
    def _stub(self) -> tournament_pb2_grpc.TournamentServiceStub:
        if self._channel is None:
            self._channel = open_channel(self.target)
        return tournament_pb2_grpc.TournamentServiceStub(self._channel)

    async def _call(
        self,
        method: "aio.UnaryUnaryMultiCallable[_Request, _Response]",
        request: _Request,
        tries: int = 1,
    ) -> _Response:
        """Makes a call, again if it did not get through and may be repeated."""
        while True:
            try:
                return await method(
                    request, metadata=metadata_of(self.target), timeout=CALL_SECONDS
                )
            except aio.AioRpcError as error:
                cause = from_rpc_error(error, self.target)
            tries -= 1
            if not tries or not isinstance(cause, Unreachable):
                raise await explain(cause, self.target)
            await asyncio.sleep(TRY_AGAIN_AFTER)

    async def register_bot(
        self, name: str, *, display_name: str = "", owner: str = ""
    ) -> pb.RegisterBotResponse:
        """Registers a bot: gives `bot` and its `token`, which is shown this once only."""
        request = pb.RegisterBotRequest(
            request_id=request_id(), name=name, display_name=display_name, owner=owner
        )
        return await self._call(self._stub.RegisterBot, request, TRIES)

    async def list_bots(self) -> tuple[messages.Bot, ...]:
        """Lists the bots, by name."""

        async def page(token: str) -> tuple[tuple[messages.Bot, ...], str]:
            request = pb.ListBotsRequest(page_size=PAGE, page_token=token)
            response = await self._call(self._stub.ListBots, request)
            return tuple(response.bots), response.next_page_token

        return tuple([bot async for bot in _entries(page)])

    async def rotate_token(self, name: str) -> str:
        """Issues a new token for a bot; the old one ends at once, its stream too."""
        request = pb.RotateBotTokenRequest(name=name)
        return (await self._call(self._stub.RotateBotToken, request)).token

    async def create(self, settings: messages.TournamentSettings) -> messages.Tournament:
        """Creates a tournament; it is not started yet."""
        request = pb.CreateTournamentRequest(request_id=request_id(), settings=settings)
        return (await self._call(self._stub.CreateTournament, request, TRIES)).tournament

    async def start(self, name: str) -> messages.Tournament:
        """Starts a tournament that is planned."""
        request = pb.StartTournamentRequest(name=name)
        return (await self._call(self._stub.StartTournament, request)).tournament

    async def pause(self, name: str) -> messages.Tournament:
        """Starts no more matches; those in flight end."""
        request = pb.PauseTournamentRequest(name=name)
        return (await self._call(self._stub.PauseTournament, request)).tournament

    async def resume(self, name: str) -> messages.Tournament:
        """Goes on after a pause."""
        request = pb.ResumeTournamentRequest(name=name)
        return (await self._call(self._stub.ResumeTournament, request)).tournament

    async def cancel(self, name: str) -> messages.Tournament:
        """Ends a tournament for good; matches in flight are void."""
        request = pb.CancelTournamentRequest(name=name)
        return (await self._call(self._stub.CancelTournament, request)).tournament

    async def enter(
        self, name: str, bot: str, *, candidate: bool = False, reason: str = ""
    ) -> acts.TournamentEvent:
        """Enters a bot, before the start or late; of a gauntlet perhaps as a candidate."""
        request = acts.EnterTournamentRequest(
            request_id=request_id(), name=name, bot=bot, candidate=candidate, reason=reason
        )
        return (await self._call(self._stub.EnterTournament, request, TRIES)).event

    async def withdraw(self, name: str, bot: str, *, reason: str = "") -> acts.TournamentEvent:
        """Withdraws a bot: it plays no further match, and what it played counts."""
        request = acts.WithdrawBotRequest(
            request_id=request_id(), name=name, bot=bot, reason=reason
        )
        return (await self._call(self._stub.WithdrawBot, request, TRIES)).event

    async def readmit(self, name: str, bot: str, *, reason: str = "") -> acts.TournamentEvent:
        """Takes a bot back that was withdrawn."""
        request = acts.ReadmitBotRequest(request_id=request_id(), name=name, bot=bot, reason=reason)
        return (await self._call(self._stub.ReadmitBot, request, TRIES)).event

    async def disqualify(self, name: str, bot: str, *, reason: str) -> acts.TournamentEvent:
        """Disqualifies a bot: it plays no further match, and none of its matches counts."""
        request = acts.DisqualifyBotRequest(
            request_id=request_id(), name=name, bot=bot, reason=reason
        )
        return (await self._call(self._stub.DisqualifyBot, request, TRIES)).event

    async def void(self, match_id: str, *, reason: str) -> acts.TournamentEvent:
        """Voids the result of a match; it is played again if its bots still play."""
        request = acts.VoidMatchRequest(
            request_id=request_id(),
            name=match_id.partition("/")[0],
            match_id=match_id,
            reason=reason,
        )
        return (await self._call(self._stub.VoidMatch, request, TRIES)).event

    def events(self, name: str) -> AsyncGenerator[acts.TournamentEvent, None]:
        """Goes over what organisers and rules did, oldest first."""

        async def page(token: str) -> tuple[tuple[acts.TournamentEvent, ...], str]:
            request = acts.ListTournamentEventsRequest(name=name, page_size=PAGE, page_token=token)
            response = await self._call(self._stub.ListTournamentEvents, request)
            return tuple(response.events), response.next_page_token

        return _entries(page)

    async def get(self, name: str) -> messages.Tournament:
        """Tells the state of a tournament."""
        request = pb.GetTournamentRequest(name=name)
        return (await self._call(self._stub.GetTournament, request)).tournament

    async def list(self) -> tuple[messages.Tournament, ...]:
        """Lists the tournaments, newest first."""

        async def page(token: str) -> tuple[tuple[messages.Tournament, ...], str]:
            request = pb.ListTournamentsRequest(page_size=PAGE, page_token=token)
            response = await self._call(self._stub.ListTournaments, request)
            return tuple(response.tournaments), response.next_page_token

        return tuple([tournament async for tournament in _entries(page)])

    async def watch(self, name: str) -> AsyncGenerator[messages.Tournament, None]:
        """Gives the tournament at once, after changes, and a last time when it is over."""
        call = self._stub.WatchTournament(
            pb.WatchTournamentRequest(name=name), metadata=metadata_of(self.target)
        )
        try:
            async for response in call:
                yield response.tournament
        except aio.AioRpcError as error:
            raise from_rpc_error(error, self.target) from None
        finally:
            call.cancel()

    async def standings(
        self, name: str, *, position: int | None = None, event: int | None = None
    ) -> Standings:
        """Gives the table, with the tournament and how the ratings are defined.

        Args:
            name: The tournament.
            position: As it was at this position of the log; left out, as it is now.
            event: And after the event of this number; left out, after all up to the position.
        """
        request = pb.GetStandingsRequest(name=name, log_position=position, event=event)
        return await self._call(self._stub.GetStandings, request)

    def faults(self, name: str, *, bot: str = "") -> AsyncGenerator[messages.Fault, None]:
        """Goes over the faults, newest first; only those of one bot if it is named."""

        async def page(token: str) -> tuple[tuple[messages.Fault, ...], str]:
            request = pb.ListFaultsRequest(name=name, bot=bot, page_size=PAGE, page_token=token)
            response = await self._call(self._stub.ListFaults, request)
            return tuple(response.faults), response.next_page_token

        return _entries(page)

    def matches(self, name: str) -> AsyncGenerator[messages.Match, None]:
        """Goes over the results in the order of the log."""

        async def page(token: str) -> tuple[tuple[messages.Match, ...], str]:
            request = pb.ListMatchesRequest(name=name, page_size=PAGE, page_token=token)
            response = await self._call(self._stub.ListMatches, request)
            return tuple(response.matches), response.next_page_token

        return _entries(page)

    async def live(self, name: str, match_id: str = "") -> Live:
        """Gives the matches that are being played, or one of them with its board."""
        request = pb.ListLiveMatchesRequest(name=name, match_id=match_id)
        return await self._call(self._stub.ListLiveMatches, request)

    async def record(self, match_id: str, *, attempt: int = 0, for_all: bool = False) -> bytes:
        """Gives a match record, UTF-8 text; of the attempt that counts unless told otherwise.

        Args:
            match_id: The match.
            attempt: The attempt.
            for_all: As it may be published: without notes that are for their authors alone.
        """
        request = pb.GetMatchRecordRequest(match_id=match_id, attempt=attempt, for_all=for_all)
        call = self._stub.GetMatchRecord(
            request,
            metadata=metadata_of(self.target),
            timeout=CALL_SECONDS,
        )
        try:
            return b"".join([response.chunk async for response in call])
        except aio.AioRpcError as error:
            raise from_rpc_error(error, self.target) from None


def target_of(
    server: str | None,
    token: str | None,
    token_file: str | Path | None,
    data_dir: str | Path,
    *,
    tls: bool,
    ca: str | Path | None,
) -> Target:
    """Finds server and admin token; arguments and errors as of `AsyncTournamentClient`."""
    usual = [Path(data_dir) / "admin.token"]
    found = find_token(token, token_file, usual, _NO_TOKEN, _VARIABLES)
    return Target.of(find_server(server), found, tls=tls, ca=ca)


def request_id() -> str:
    """Makes the id by which a server knows a request that is repeated."""
    return secrets.token_hex(16)


async def _entries(
    page: Callable[[str], Coroutine[Any, Any, tuple[tuple[_T, ...], str]]],
) -> AsyncGenerator[_T, None]:
    """Goes over all pages; `page` takes a page token and gives the entries and the next one."""
    token = ""
    while True:
        entries, token = await page(token)
        for entry in entries:
            yield entry
        if not token:
            return
