"""A bot at a server: connects, plays, connects again, leaves."""

from collections.abc import Callable
from pathlib import Path

from saurodrome.client._events import Event, Status
from saurodrome.client._strategy import Strategy


class Bot:
    """Plays matches at a server with a strategy, until it is told to leave.

    Attributes:
        status: The figures of the status line, always up to date.
    """

    def __init__(
        self,
        strategy: Strategy,
        *,
        server: str | None = None,
        token: str | None = None,
        token_file: str | Path | None = None,
        name: str | None = None,
        matches: int | None = None,
        max_concurrent: int = 1,
        strict: bool = False,
        tls: bool = False,
        ca: str | Path | None = None,
        give_up_after: float | None = None,
        on_event: Callable[[Event, Status], object] | None = None,
    ) -> None:
        """Finds server and token; nothing is connected yet.

        Args:
            strategy: The bot's brain.
            server: ``host:port``; else ``SAURODROME_SERVER``, else ``localhost:7741``.
            token: The bot's token; else from `token_file`, ``SAURODROME_TOKEN`` or
                ``.saurodrome/<name>.token``.
            token_file: A file that holds the token.
            name: The bot's name, to find its token; else the strategy's.
            matches: Leave after this many matches with a result; None means never.
            max_concurrent: How many matches at once, 1 to 64; `choose` runs in as many threads.
            strict: Stop at the bot's first fault instead of playing the default action.
            tls: Speak TLS.
            ca: A file with the certificates to trust, with TLS; else the system's.
            give_up_after: Seconds without a connection after which to give up; None: never.
            on_event: Told every event and the figures after it, in the network's thread.

        Raises:
            InputError: No token was found, or an argument is wrong.
        """
        self.status = Status()
        raise NotImplementedError

    async def play(self) -> Status:
        """Plays until the matches are played or `leave` or `stop` is called.

        Raises:
            ServerError: The server does not let the bot in, or `give_up_after` is over.
            BotFault: With `strict`: the bot's first fault.
        """
        raise NotImplementedError

    def run(self) -> Status:
        """Plays as `play` does, without asyncio, and minds signals.

        The first Ctrl-C (or SIGTERM) takes no new matches and finishes the open ones, the
        second stops at once; `Status.stopped_by` then names the signal.

        Raises:
            ServerError: As for `play`.
            BotFault: As for `play`.
        """
        raise NotImplementedError

    def leave(self) -> None:
        """Takes no new matches and ends `play` when the open ones have ended; any thread."""
        raise NotImplementedError

    def stop(self) -> None:
        """Ends `play` at once; open matches go on without the bot; any thread."""
        raise NotImplementedError
