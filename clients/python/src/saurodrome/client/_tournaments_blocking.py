"""The client of TournamentService for scripts without asyncio."""

import asyncio
import builtins
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import grpc

from saurodrome.client._channel import metadata_of, open_blocking_channel
from saurodrome.client._errors import InputError, ServerError, Unreachable
from saurodrome.client._probe import explain
from saurodrome.client._status import from_blocking_error
from saurodrome.client._target import Target
from saurodrome.client._tournaments import (
    CALL_SECONDS,
    PAGE,
    TRIES,
    TRY_AGAIN_AFTER,
    Live,
    Standings,
    request_id,
    target_of,
)
from saurodrome.tournament.v1 import acts_pb2 as acts
from saurodrome.tournament.v1 import messages_pb2 as messages
from saurodrome.tournament.v1 import tournament_pb2 as pb
from saurodrome.tournament.v1 import tournament_pb2_grpc

_T = TypeVar("_T")


class TournamentClient:
    """TournamentService for scripts without asyncio; use it as a context manager.

    Its methods are those of `AsyncTournamentClient`. It has no event loop, and may be used from
    several threads, also while bots run in this program: gRPC does not bear two event loops in
    one process, and the second would print tracebacks of the first one's. Once it is closed, its
    methods raise `InputError`.
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
        """Finds server and admin token, as `AsyncTournamentClient` does.

        Raises:
            InputError: No token was found, or an argument is wrong.
        """
        self.target: Target = target_of(server, token, token_file, data_dir, tls=tls, ca=ca)
        self._channel = open_blocking_channel(self.target)
        channel: Any = self._channel  # the stub takes both kinds, its types tell of one
        self._stub: Any = tournament_pb2_grpc.TournamentServiceStub(channel)
        self._closed = False

    def __enter__(self) -> Self:
        """Gives the client itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Closes the connection."""
        self.close()

    def close(self) -> None:
        """Closes the connection for good, and listings that were not read to their end."""
        self._closed = True
        self._channel.close()

    def _check_open(self) -> None:
        if self._closed:
            raise InputError(
                "CLIENT_CLOSED",
                "the client of tournaments is closed.",
                where=f"server {self.target.server}",
                do="make its calls, and read its listings, before the end of its `with`",
            )

    def _call(self, method: str, request: object, tries: int = 1) -> Any:
        """Makes a call, again if it did not get through and may be repeated."""
        while True:
            self._check_open()
            try:
                return getattr(self._stub, method)(
                    request, metadata=metadata_of(self.target), timeout=CALL_SECONDS
                )
            except grpc.RpcError as error:
                self._check_open()  # else another thread has closed it meanwhile
                cause = from_blocking_error(error, self.target)
            tries -= 1
            if not tries or not isinstance(cause, Unreachable):
                raise _explained(cause, self.target)
            time.sleep(TRY_AGAIN_AFTER)

    def _stream(self, method: str, request: object, seconds: float | None) -> Iterator[Any]:
        """Gives what a call streams; ends it when it is left."""
        self._check_open()
        call = getattr(self._stub, method)(
            request, metadata=metadata_of(self.target), timeout=seconds
        )
        try:
            yield from call
        except grpc.RpcError as error:
            self._check_open()
            raise from_blocking_error(error, self.target) from None
        finally:
            call.cancel()

    def _entries(self, page: Callable[[str], tuple[Sequence[_T], str]]) -> Iterator[_T]:
        """Goes over all pages; `page` takes a page token and gives the entries and the next."""
        token = ""
        while True:
            entries, token = page(token)
            for entry in entries:
                self._check_open()
                yield entry
            if not token:
                return

    def register_bot(
        self, name: str, *, display_name: str = "", owner: str = ""
    ) -> pb.RegisterBotResponse:
        """Registers a bot: gives `bot` and its `token`, which is shown this once only."""
        request = pb.RegisterBotRequest(
            request_id=request_id(), name=name, display_name=display_name, owner=owner
        )
        answer: pb.RegisterBotResponse = self._call("RegisterBot", request, TRIES)
        return answer

    def list_bots(self) -> tuple[messages.Bot, ...]:
        """Lists the bots, by name."""

        def page(token: str) -> tuple[Sequence[messages.Bot], str]:
            request = pb.ListBotsRequest(page_size=PAGE, page_token=token)
            answer: pb.ListBotsResponse = self._call("ListBots", request)
            return answer.bots, answer.next_page_token

        return tuple(self._entries(page))

    def rotate_token(self, name: str) -> str:
        """Issues a new token for a bot; the old one ends at once, its stream too."""
        answer: pb.RotateBotTokenResponse = self._call(
            "RotateBotToken", pb.RotateBotTokenRequest(name=name)
        )
        return answer.token

    def create(self, settings: messages.TournamentSettings) -> messages.Tournament:
        """Creates a tournament; it is not started yet."""
        request = pb.CreateTournamentRequest(request_id=request_id(), settings=settings)
        return self._tournament("CreateTournament", request, TRIES)

    def start(self, name: str) -> messages.Tournament:
        """Starts a tournament that is planned."""
        return self._tournament("StartTournament", pb.StartTournamentRequest(name=name))

    def pause(self, name: str) -> messages.Tournament:
        """Starts no more matches; those in flight end."""
        return self._tournament("PauseTournament", pb.PauseTournamentRequest(name=name))

    def resume(self, name: str) -> messages.Tournament:
        """Goes on after a pause."""
        return self._tournament("ResumeTournament", pb.ResumeTournamentRequest(name=name))

    def cancel(self, name: str) -> messages.Tournament:
        """Ends a tournament for good; matches in flight are void."""
        return self._tournament("CancelTournament", pb.CancelTournamentRequest(name=name))

    def enter(
        self, name: str, bot: str, *, candidate: bool = False, reason: str = ""
    ) -> acts.TournamentEvent:
        """Enters a bot, before the start or late; of a gauntlet perhaps as a candidate."""
        request = acts.EnterTournamentRequest(
            request_id=request_id(), name=name, bot=bot, candidate=candidate, reason=reason
        )
        return self._event("EnterTournament", request)

    def withdraw(self, name: str, bot: str, *, reason: str = "") -> acts.TournamentEvent:
        """Withdraws a bot: it plays no further match, and what it played counts."""
        request = acts.WithdrawBotRequest(
            request_id=request_id(), name=name, bot=bot, reason=reason
        )
        return self._event("WithdrawBot", request)

    def readmit(self, name: str, bot: str, *, reason: str = "") -> acts.TournamentEvent:
        """Takes a bot back that was withdrawn."""
        request = acts.ReadmitBotRequest(request_id=request_id(), name=name, bot=bot, reason=reason)
        return self._event("ReadmitBot", request)

    def disqualify(self, name: str, bot: str, *, reason: str) -> acts.TournamentEvent:
        """Disqualifies a bot: it plays no further match, and none of its matches counts."""
        request = acts.DisqualifyBotRequest(
            request_id=request_id(), name=name, bot=bot, reason=reason
        )
        return self._event("DisqualifyBot", request)

    def void(self, match_id: str, *, reason: str) -> acts.TournamentEvent:
        """Voids the result of a match; it is played again if its bots still play."""
        request = acts.VoidMatchRequest(
            request_id=request_id(),
            name=match_id.partition("/")[0],
            match_id=match_id,
            reason=reason,
        )
        return self._event("VoidMatch", request)

    def events(self, name: str) -> Iterator[acts.TournamentEvent]:
        """Goes over what organisers and rules did, oldest first."""

        def page(token: str) -> tuple[Sequence[acts.TournamentEvent], str]:
            request = acts.ListTournamentEventsRequest(name=name, page_size=PAGE, page_token=token)
            answer: acts.ListTournamentEventsResponse = self._call("ListTournamentEvents", request)
            return answer.events, answer.next_page_token

        return self._entries(page)

    def _event(self, method: str, request: object) -> acts.TournamentEvent:
        noted: acts.TournamentEvent = self._call(method, request, TRIES).event
        return noted

    def get(self, name: str) -> messages.Tournament:
        """Tells the state of a tournament."""
        return self._tournament("GetTournament", pb.GetTournamentRequest(name=name))

    def _tournament(self, method: str, request: object, tries: int = 1) -> messages.Tournament:
        now: messages.Tournament = self._call(method, request, tries).tournament
        return now

    def list(self) -> tuple[messages.Tournament, ...]:
        """Lists the tournaments, newest first."""

        def page(token: str) -> tuple[Sequence[messages.Tournament], str]:
            request = pb.ListTournamentsRequest(page_size=PAGE, page_token=token)
            answer: pb.ListTournamentsResponse = self._call("ListTournaments", request)
            return answer.tournaments, answer.next_page_token

        return tuple(self._entries(page))

    def watch(self, name: str) -> Iterator[messages.Tournament]:
        """Gives the tournament at once, after changes, and a last time when it is over."""
        request = pb.WatchTournamentRequest(name=name)
        for answer in self._stream("WatchTournament", request, None):
            yield answer.tournament

    def standings(
        self, name: str, *, position: int | None = None, event: int | None = None
    ) -> Standings:
        """Gives the table, with the tournament and how the ratings are defined.

        Args:
            name: The tournament.
            position: As it was at this position of the log; left out, as it is now.
            event: And after the event of this number; left out, after all up to the position.
        """
        request = pb.GetStandingsRequest(name=name, log_position=position, event=event)
        table: Standings = self._call("GetStandings", request)
        return table

    def faults(self, name: str, *, bot: str = "") -> Iterator[messages.Fault]:
        """Goes over the faults, newest first; only those of one bot if it is named."""

        def page(token: str) -> tuple[Sequence[messages.Fault], str]:
            request = pb.ListFaultsRequest(name=name, bot=bot, page_size=PAGE, page_token=token)
            answer: pb.ListFaultsResponse = self._call("ListFaults", request)
            return answer.faults, answer.next_page_token

        return self._entries(page)

    def matches(self, name: str) -> Iterator[messages.Match]:
        """Goes over the results in the order of the log."""

        def page(token: str) -> tuple[Sequence[messages.Match], str]:
            request = pb.ListMatchesRequest(name=name, page_size=PAGE, page_token=token)
            answer: pb.ListMatchesResponse = self._call("ListMatches", request)
            return answer.matches, answer.next_page_token

        return self._entries(page)

    def live(self, name: str, match_id: str = "") -> Live:
        """Gives the matches that are being played, or one of them with its board."""
        request = pb.ListLiveMatchesRequest(name=name, match_id=match_id)
        shown: Live = self._call("ListLiveMatches", request)
        return shown

    def record(self, match_id: str, *, attempt: int = 0, for_all: bool = False) -> bytes:
        """Gives a match record, UTF-8 text; of the attempt that counts unless told otherwise.

        Args:
            match_id: The match.
            attempt: The attempt.
            for_all: As it may be published: without notes that are for their authors alone.
        """
        request = pb.GetMatchRecordRequest(match_id=match_id, attempt=attempt, for_all=for_all)
        chunks: builtins.list[bytes] = [
            part.chunk for part in self._stream("GetMatchRecord", request, CALL_SECONDS)
        ]
        return b"".join(chunks)


def _explained(error: ServerError, target: Target) -> ServerError:
    """Looks into a failure, where this thread has no event loop that must not stand still."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(explain(error, target))
    return error
