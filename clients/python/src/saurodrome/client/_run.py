"""The two faces of a bot's program: `run` for scripts, `play` for asyncio."""

import argparse
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from saurodrome.client._bot import Bot
from saurodrome.client._botfile import refuse_while_loading
from saurodrome.client._decision import Match
from saurodrome.client._errors import BotFault, SaurodromeError
from saurodrome.client._events import Event, Status
from saurodrome.client._report import Printer
from saurodrome.client._strategy import Strategy, bot_name, strategy_of
from saurodrome.client._supports import game_names


def run(
    choose: Any,
    *,
    prepare: Callable[[Match], object] | None = None,
    server: str | None = None,
    token: str | None = None,
    name: str | None = None,
    matches: int | None = None,
    max_concurrent: int = 1,
    strict: bool = False,
    version: str = "",
    games: Iterable[str] | None = None,
    tls: bool = False,
    ca: str | None = None,
    give_up_after: float | None = None,
    on_event: Callable[[Event, Status], object] | None = None,
    argv: Sequence[str] | None = None,
) -> None:
    """Plays matches at a server: the last line of a bot's file.

    It reads the program's command line (``--help`` lists the options), whose options go before
    arguments. Ctrl-C finishes the open matches, a second one stops at once.

    Args:
        choose: ``choose(d: Decision) -> int``, or an object with a method of that name.
        prepare: ``prepare(m: Match)``, called before a match, on a time budget of its own.
        server: ``host:port``; else ``SAURODROME_SERVER``, else ``localhost:7741``.
        token: The bot's token; else ``SAURODROME_TOKEN`` or ``.saurodrome/<name>.token``.
        name: The bot's name, to find its token; else the program's file name.
        matches: Leave after this many matches; None means never.
        max_concurrent: How many matches at once; `choose` runs in as many threads.
        strict: Stop at the bot's first fault instead of playing the default action.
        version: The author's version of the bot; else ``__version__`` of a loaded file.
        games: What it plays: names such as ``draftosaurus`` or, for one variant only,
            ``draftosaurus/summer``; else ``GAMES`` of a loaded file, else all that this client
            knows.
        tls: Speak TLS.
        ca: A file with the certificates to trust. Means TLS.
        give_up_after: Seconds without a connection after which to give up; None: never.
        on_event: Told every event and the figures after it; None prints a status line.
        argv: The command line; None means that of the program.

    Raises:
        SystemExit: With the exit code of an error, or 130 after Ctrl-C.
    """
    refuse_while_loading()
    options = _options(sys.argv[1:] if argv is None else argv)
    printer = None
    try:
        strategy = _limited(strategy_of(choose, prepare, name=_program()), games)
        strategy = replace(strategy, version=version or strategy.version)
        settings = {
            "server": server,
            "token": token if options.token_file is None else None,
            "name": name,
            "matches": matches,
            "max_concurrent": max_concurrent,
            "strict": strict,
            "tls": tls,
            "ca": ca,
            "give_up_after": give_up_after,
        } | {key: value for key, value in vars(options).items() if value is not None}
        printer = Printer() if on_event is None else None
        status = Bot(strategy, on_event=on_event or printer, **settings).run()
    except SaurodromeError as error:
        if printer is not None:
            printer.close()
        if printer is None or not isinstance(error, BotFault):  # which was printed as an event
            print(error.format(), file=sys.stderr)
        raise SystemExit(error.exit_code) from None
    except KeyboardInterrupt:  # before the bot minded signals, or after
        raise SystemExit(128 + signal.SIGINT) from None
    if printer is not None:
        printer.close()
    if status.stopped_by is not None:
        raise SystemExit(128 + status.stopped_by)


def _limited(strategy: Strategy, games: Iterable[str] | None) -> Strategy:
    """Limits a bot to games, if any are named."""
    return strategy if games is None else replace(strategy, games=game_names(games))


def _program() -> str:
    """Gives the bot's name that the program's file suggests."""
    return bot_name(Path(sys.argv[0]).stem)


def _options(argv: Sequence[str]) -> argparse.Namespace:
    """Reads the command line; what was not given is None."""
    parser = argparse.ArgumentParser(
        description="Plays matches at a Saurodrome server.",
        epilog="exit codes: 0 done, 1 the bot's fault (--strict), 2 your input,"
        " 3 the server cannot be reached or refused, 130 stopped by Ctrl-C",
    )
    option = parser.add_argument
    option("--server", metavar="HOST:PORT", help="default: SAURODROME_SERVER or localhost:7741")
    option("--token-file", metavar="FILE", help="default: .saurodrome/NAME.token")
    option("--name", help="the bot's name; default: this file's name")
    option("--matches", type=int, metavar="N", help="leave after N matches; default: never")
    option("--max-concurrent", type=int, metavar="N", help="matches at once; default: 1")
    option("--strict", action="store_true", default=None, help="stop at the first fault")
    option("--tls", action="store_true", default=None, help="speak TLS")
    option("--ca", metavar="FILE", help="certificates to trust; default: the system's")
    option("--give-up-after", type=float, metavar="SECONDS", help="without a connection")
    return parser.parse_args(argv)


async def play(
    choose: Any,
    *,
    prepare: Callable[[Match], object] | None = None,
    server: str | None = None,
    token: str | None = None,
    name: str | None = None,
    matches: int | None = None,
    max_concurrent: int = 1,
    strict: bool = False,
    games: Iterable[str] | None = None,
    tls: bool = False,
    ca: str | None = None,
    give_up_after: float | None = None,
    on_event: Callable[[Event, Status], object] | None = None,
) -> Status:
    """Plays matches at a server, inside a program that has an event loop.

    The arguments are those of `run`; nothing is printed, and the command line is not read.

    Returns:
        The figures of the run.

    Raises:
        InputError: An argument is wrong, or there is no token.
        ServerError: The server does not let the bot in, or `give_up_after` is over.
        BotFault: With `strict`: the bot's first fault.
    """
    strategy = _limited(strategy_of(choose, prepare, name=_program()), games)
    bot = Bot(
        strategy,
        server=server,
        token=token,
        name=name,
        matches=matches,
        max_concurrent=max_concurrent,
        strict=strict,
        tls=tls,
        ca=ca,
        give_up_after=give_up_after,
        on_event=on_event,
    )
    return await bot.play()
