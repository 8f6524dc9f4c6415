"""The client of TournamentService for scripts without asyncio."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from saurodrome.client._errors import InputError
from saurodrome.client._target import Target
from saurodrome.client._tournaments import AsyncTournamentClient, Standings
from saurodrome.tournament.v1 import messages_pb2 as messages
from saurodrome.tournament.v1 import tournament_pb2 as pb

_T = TypeVar("_T")


class TournamentClient:
    """TournamentService for scripts without asyncio; use it as a context manager.

    Its methods are those of `AsyncTournamentClient`. It belongs to one thread. Once it is closed,
    they raise `InputError`.
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
        self._client = AsyncTournamentClient(
            server=server, token=token, token_file=token_file, data_dir=data_dir, tls=tls, ca=ca
        )
        self._runner = asyncio.Runner()
        self._closed = False

    @property
    def target(self) -> Target:
        """The server and how to get in."""
        return self._client.target

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
        if not self._closed:
            self._run(self._client.close())
            self._runner.close()
            self._closed = True

    def _run(self, coroutine: Coroutine[Any, Any, _T]) -> _T:
        if self._closed:
            coroutine.close()
            raise InputError(
                "CLIENT_CLOSED",
                "the client of tournaments is closed.",
                where=f"server {self.target.server}",
                do="make its calls, and read its listings, before the end of its `with`",
            )
        return self._runner.run(coroutine)

    def _iterate(self, entries: AsyncGenerator[_T, None]) -> Iterator[_T]:
        async def following() -> tuple[_T, ...]:
            async for entry in entries:
                return (entry,)
            return ()

        try:
            while entry := self._run(following()):
                yield from entry
        finally:
            if not self._closed:  # else the runner has closed it
                self._run(entries.aclose())

    def register_bot(
        self, name: str, *, display_name: str = "", owner: str = ""
    ) -> pb.RegisterBotResponse:
        """Registers a bot: gives `bot` and its `token`, which is shown this once only."""
        return self._run(self._client.register_bot(name, display_name=display_name, owner=owner))

    def list_bots(self) -> tuple[messages.Bot, ...]:
        """Lists the bots, by name."""
        return self._run(self._client.list_bots())

    def rotate_token(self, name: str) -> str:
        """Issues a new token for a bot; the old one ends at once, its stream too."""
        return self._run(self._client.rotate_token(name))

    def create(self, settings: messages.TournamentSettings) -> messages.Tournament:
        """Creates a tournament; it is not started yet."""
        return self._run(self._client.create(settings))

    def start(self, name: str) -> messages.Tournament:
        """Starts a tournament that is planned."""
        return self._run(self._client.start(name))

    def pause(self, name: str) -> messages.Tournament:
        """Starts no more matches; those in flight end."""
        return self._run(self._client.pause(name))

    def resume(self, name: str) -> messages.Tournament:
        """Goes on after a pause."""
        return self._run(self._client.resume(name))

    def cancel(self, name: str) -> messages.Tournament:
        """Ends a tournament for good; matches in flight are void."""
        return self._run(self._client.cancel(name))

    def get(self, name: str) -> messages.Tournament:
        """Tells the state of a tournament."""
        return self._run(self._client.get(name))

    def list(self) -> tuple[messages.Tournament, ...]:
        """Lists the tournaments, newest first."""
        return self._run(self._client.list())

    def watch(self, name: str) -> Iterator[messages.Tournament]:
        """Gives the tournament at once, after changes, and a last time when it is over."""
        return self._iterate(self._client.watch(name))

    def standings(self, name: str) -> Standings:
        """Gives the table, with the tournament and how the ratings are defined."""
        return self._run(self._client.standings(name))

    def faults(self, name: str, *, bot: str = "") -> Iterator[messages.Fault]:
        """Goes over the faults, newest first; only those of one bot if it is named."""
        return self._iterate(self._client.faults(name, bot=bot))

    def matches(self, name: str) -> Iterator[messages.Match]:
        """Goes over the results in the order of the log."""
        return self._iterate(self._client.matches(name))

    def record(self, match_id: str, *, attempt: int = 0) -> bytes:
        """Gives a match record, UTF-8 text; of the attempt that counts unless told otherwise."""
        return self._run(self._client.record(match_id, attempt=attempt))
