"""A bot at a server: finds server and token, plays, minds signals."""

import asyncio
import functools
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client._errors import InputError
from saurodrome.client._events import Event, Status
from saurodrome.client._last import LAST
from saurodrome.client._presence import Presence
from saurodrome.client._probe import explain
from saurodrome.client._rulesets import Rulesets
from saurodrome.client._session import Session
from saurodrome.client._strategy import Strategy
from saurodrome.client._supports import supports
from saurodrome.client._target import Target, find_server, find_token
from saurodrome.client._transport import GrpcTransport
from saurodrome.client._version import SDK

MAX_CONCURRENT = 64
"""The most matches at once that a bot may ask for."""
_VERSION_CHARS = 64
_LAST_WORDS = 0.05  # seconds; an operation that was cancelled ends within one or two ms


class Bot:
    """Plays matches at a server with a strategy, until it is told to leave.

    Attributes:
        target: The server and how to get in.
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
        last_decision: str | Path = LAST,
    ) -> None:
        """Finds server and token; nothing is connected yet.

        Args:
            strategy: The bot's brain, from `load` or `strategy_of`.
            server: ``host:port``; else ``SAURODROME_SERVER``, else ``localhost:7741``.
            token: The bot's token; else from `token_file`, ``SAURODROME_TOKEN`` or
                ``.saurodrome/<name>.token``, here or beside the bot's file.
            token_file: A file that holds the token.
            name: The bot's name, to find its token; else the strategy's.
            matches: Leave after this many matches with a result; None means never.
            max_concurrent: How many matches at once, 1 to 64; `choose` runs in as many threads.
            strict: Stop at the bot's first fault instead of playing the default action.
            tls: Speak TLS.
            ca: A file with the certificates to trust; else the system's. Means TLS.
            give_up_after: Seconds without a connection after which to give up; None: never.
            on_event: Told every event and the figures after it, in the network's thread.
            last_decision: The file that keeps the newest decision with a fault.

        Raises:
            InputError: No token was found, or an argument is wrong.
        """
        _check_range("max_concurrent", max_concurrent, 1, MAX_CONCURRENT)
        _check_range("matches", 1 if matches is None else matches, 1, None)
        name = name or strategy.name
        found = find_token(token, token_file, _token_files(name, strategy), _how(name))
        self.target = Target.of(find_server(server), found, tls=tls, ca=ca)
        hello, rulesets = _hello(strategy, max_concurrent), Rulesets(self.target)
        self._presence = Presence(
            strategy,
            lambda host: Session(
                host,
                hello,
                server=self.target.server,
                matches=matches,
                strict=strict,
                rulesets=rulesets,
            ),
            functools.partial(GrpcTransport, self.target),
            workers=max_concurrent,
            explain=functools.partial(explain, target=self.target),
            on_event=on_event,
            last_decision=Path(last_decision),
            give_up_after=give_up_after,
        )

    @property
    def status(self) -> Status:
        """The figures of the status line, always up to date."""
        return self._presence.session.status

    async def play(self) -> Status:
        """Plays until the matches are played or `leave` or `stop` is called.

        Raises:
            ServerError: The server does not let the bot in, or `give_up_after` is over.
            BotFault: With `strict`: the bot's first fault.
        """
        try:
            return await self._presence.play()
        finally:
            # What gRPC still has to say to this loop would come to the next one in this
            # process, which cannot pass it on once this one is closed, and prints tracebacks.
            await asyncio.sleep(_LAST_WORDS)

    def run(self) -> Status:
        """Plays as `play` does, without asyncio, and minds signals.

        The first Ctrl-C (or SIGTERM) takes no new matches and finishes the open ones, the
        second stops at once; `Status.stopped_by` then names the signal.

        Raises:
            InputError: An event loop runs in this thread.
            ServerError: As for `play`.
            BotFault: As for `play`.
        """
        _refuse_loop()
        with asyncio.Runner() as runner:
            return runner.run(self._play_minding_signals())

    def leave(self) -> None:
        """Takes no new matches and ends `play` when the open ones have ended; any thread."""
        self._presence.leave()

    def stop(self) -> None:
        """Ends `play` at once; open matches go on without the bot; any thread."""
        self._presence.stop()

    async def _play_minding_signals(self) -> Status:
        """Plays; leaves at the first signal and stops at the second."""
        if threading.current_thread() is not threading.main_thread():
            return await self.play()
        with _signals(self._on_signal):
            return await self.play()

    def _on_signal(self, number: int) -> None:
        again = self.status.stopped_by is not None
        self.status.stopped_by = number
        if again:
            self.stop()
        else:
            self.leave()


@contextmanager
def _signals(receive: Callable[[int], None]) -> Iterator[None]:
    """Hands SIGINT and SIGTERM to a function, in the running loop.

    A plain signal handler would wait until the main thread happens to wake up: a signal may
    reach any of gRPC's threads. The loop has a wake-up call for that.
    """
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM)
    if sys.platform == "win32":  # whose loop always wakes up, and takes no handlers
        before = {n: signal.signal(n, lambda number, _: receive(number)) for n in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        return
    for number in numbers:
        loop.add_signal_handler(number, receive, number)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


def _refuse_loop() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise InputError(
        "LOOP_RUNNING",
        "run() was called where an event loop runs already.",
        do="await play(choose) there, or Bot(...).play()",
    )


def _check_range(name: str, value: int, least: int, most: int | None) -> None:
    if value < least or (most is not None and value > most):
        allowed = f"{least} or more" if most is None else f"{least} to {most}"
        raise InputError("BAD_ARGUMENT", f"{name} is {value}.", do=f"give {name} {allowed}")


def _token_files(name: str, strategy: Strategy) -> list[Path]:
    usual = Path(".saurodrome") / f"{name}.token"
    return [usual] if strategy.path is None else [usual, strategy.path.parent / usual]


def _how(name: str) -> str:
    return f"saurodrome bot register {name}, or --token-file FILE"


def _hello(strategy: Strategy, max_concurrent: int) -> bot_pb2.Hello:
    return bot_pb2.Hello(
        bot_version=strategy.version[:_VERSION_CHARS],
        sdk=SDK,
        games=supports(strategy.games),
        max_concurrent_matches=max_concurrent,
    )
