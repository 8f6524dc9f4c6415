"""`saurodrome check`: the command, its private arbiter, and the bot that it may start itself."""

import asyncio
import os
import shlex
import shutil
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple, cast

import click

from saurodrome.client import InputError
from saurodrome.engine import registry
from saurodrome.engine.errors import BadPlayerCount, UnknownGame, UnknownVariant
from saurodrome.server.cli.check.exam import examine
from saurodrome.server.cli.check.examinee import Examinee, Finding
from saurodrome.server.cli.check.report import Line, as_json, good, lines, summary
from saurodrome.server.cli.check.road import Road
from saurodrome.server.cli.check.sitting import Board
from saurodrome.server.cli.check.visits import Door
from saurodrome.server.cli.children import how_it_ended
from saurodrome.server.cli.failures import AnswerIsNo, OwnTrouble, from_engine
from saurodrome.server.cli.home import HOME, address
from saurodrome.server.cli.offspring import end, offspring
from saurodrome.server.cli.options import FILE, json_option
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.tether import tethered
from saurodrome.server.cli.text import visible, wrapped
from saurodrome.server.cli.usual import PLAYERS_HELP, VARIANT_HELP, players_of, variant_of
from saurodrome.server.cli.values import Duration
from saurodrome.server.cli.version import program_version
from saurodrome.server.config import Config
from saurodrome.server.contracts import Caller, Tournaments
from saurodrome.server.errors import Refused
from saurodrome.server.listening import is_loopback
from saurodrome.server.rpc.outbound import About
from saurodrome.server.rpc.server import Backend, RpcServer
from saurodrome.server.session.session import MAX_SURPLUS
from saurodrome.server.store.access import Role

LOG = HOME / "check.log"
"""What a bot says that --run starts."""
_ENDS_WITHIN = 3.0
_ON_THE_WAY = 0.3
"""Seconds in which what a program sent before its end arrives."""
_LAST_WORDS = 2000
"""Bytes at the end of its output in which its last lines are looked for."""
_LAST_LINES = 5
_SAID_BY = {UnknownGame: "--game", UnknownVariant: "--variant", BadPlayerCount: "--players"}


class Pair(NamedTuple):
    """A certificate, and its key."""

    cert: Path
    key: Path


class Wish(NamedTuple):
    """What is to be checked, where, and how."""

    host: str
    port: int
    board: Board
    run: str
    wait: float
    quick: bool
    pair: Pair | None


class AnyToken:
    """Takes whatever token a bot has, and keeps none."""

    def who(self, token: str) -> Caller | None:
        """The one bot that there is; nobody organises anything here."""
        return Caller(Role.BOT, "you", "") if token else None

    def ended(self, token_id: str) -> None:
        """None ever ends."""

    def owner(self, bot: str) -> str:
        """Nobody's."""
        return ""


@click.command()
@click.argument("where", metavar="HOST:PORT")
@click.option("--run", default="", metavar="COMMAND", help="Start the bot, too  [default: you do]")
@click.option("--game", default="draftosaurus", show_default=True)
@click.option("--variant", help=VARIANT_HELP)
@click.option("--players", type=click.IntRange(1, 5), help=PLAYERS_HELP)
@click.option("--wait", type=Duration(), default="2min", show_default=True, help="For the bot")
@click.option("--quick", is_flag=True, help="Leave out what takes 10 s and more")
@click.option(
    "--tls-cert", type=FILE, help="Speak TLS with this certificate, PEM  [default: plain text]"
)
@click.option("--tls-key", type=FILE, help="Its key, PEM, not encrypted")
@click.option("--allow-plaintext", is_flag=True, help="Listen where others can see the bot's token")
@json_option
@click.pass_obj
def check(
    terminal: Terminal,
    where: str,
    run: str,
    game: str,
    variant: str | None,
    players: int | None,
    wait: float,
    quick: bool,
    tls_cert: Path | None,
    tls_key: Path | None,
    allow_plaintext: bool,
) -> None:
    """Put a bot of any language through the protocol.

    A private arbiter listens at HOST:PORT (port 0 takes a free one); start your bot with that
    address as its server and any token. It is asked too quickly, told that it was late or wrong,
    cut off, replaced, and more; each check says pass, fail or advice. With --run COMMAND it is
    started for you, with SAURODROME_SERVER and SAURODROME_TOKEN in its environment. With
    --tls-cert and --tls-key the bot must speak TLS, as to a server that does. Takes about a
    minute; exit code 1 if a check failed.
    """
    host, port = host_and_port(where)
    pair = pair_of(tls_cert, tls_key)
    if pair is None and not allow_plaintext and not is_loopback(host):
        raise InputError(
            "PLAINTEXT_REFUSED",
            f"at {host} others could see the bot's token.",
            where="HOST:PORT",
            do="listen at localhost, give --tls-cert and --tls-key, or say --allow-plaintext"
            " and let the bot use any other token",
        )
    board = board_of(game, variant, players)
    found = asyncio.run(run_checks(terminal, Wish(host, port, board, run, wait, quick, pair)))
    if terminal.json:
        terminal.data(as_json(found, (game, board.variant, board.players)))
    else:
        terminal.print(summary(found))
    if not good(found):
        if run and not terminal.json:
            terminal.note(f"what the bot said: {LOG}")
        raise AnswerIsNo


def board_of(game: str, variant: str | None, players: int | None) -> Board:
    """Gives what is played, with what is usual where nothing is said.

    Raises:
        InputError: There is no such game or variant, or so many cannot play it.
    """
    variant = variant_of(game, variant)
    players = players_of(game, variant, players)
    try:
        known = registry.get(game)
        known.validate(variant, players)
    except (UnknownGame, UnknownVariant, BadPlayerCount) as error:
        said = from_engine(error)
        said.where = _SAID_BY[type(error)]
        raise said from None
    return Board(known, variant, players)


def pair_of(cert: Path | None, key: Path | None) -> Pair | None:
    """Puts a certificate and its key together; None without either.

    Raises:
        InputError: One of them is missing.
    """
    if cert and key:
        return Pair(cert, key)
    if cert or key:
        raise InputError(
            "CERT_BAD",
            "A certificate and its key belong together, one is missing.",
            where="--tls-key" if cert else "--tls-cert",
            do="give both, in PEM form",
        )
    return None


def host_and_port(text: str) -> tuple[str, int]:
    """Reads HOST:PORT, or :PORT for this machine.

    Raises:
        InputError: It is none.
    """
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65_535:
        raise InputError(
            "BAD_ADDRESS",
            f"`{text[:60]}` is no address.",
            where="HOST:PORT",
            do="write localhost:7799, or localhost:0 for any free port",
        )
    return host.strip("[]") or "localhost", int(port)


async def run_checks(terminal: Terminal, wish: Wish) -> list[Line]:
    """Listens, waits for the bot, runs all checks, and shows each finding at once."""
    found: list[Line] = []

    def tell(name: str, finding: Finding) -> None:
        found.append(Line(name, finding))
        if not terminal.json:
            terminal.print(lines(found[-1]))

    async with listening(wish) as (door, road):
        at = address(wish.host, road.port)
        door.tell = lambda code: terminal.note(f"refused    {code}")
        board = wish.board
        table = f"{board.game.name}/{board.variant} for {board.players}"
        over = " over TLS" if wish.pair else ""
        terminal.note(wrapped(f"listening at {at}{over} as an arbiter of {table}"))
        bot = Examinee(door, road, board)
        async with started(wish.run, at) as program:
            if not wish.run:
                trust = f" --ca {shlex.quote(str(wish.pair.cert))}" if wish.pair else ""
                terminal.next(f"SAURODROME_TOKEN=any saurodrome --server {at}{trust} bot run FILE")
            async with telling_of_its_end(program, door):
                await examine(bot, tell, quick=wish.quick, wait=wish.wait)
            if program is not None and program.returncode is not None:
                terminal.note(f"the bot's program {how_it_ended(program.returncode)}")
                if door.nobody:
                    terminal.note([s for line in last_words(LOG) for s in _indented(line)])
    return found


def _indented(line: str) -> list[str]:
    return wrapped(f"  {line}", "  ", hard=True)


@asynccontextmanager
async def telling_of_its_end(
    program: asyncio.subprocess.Process | None, door: Door
) -> AsyncIterator[None]:
    """Ends the wait for a bot whose program ends before the bot came."""

    async def tell() -> None:
        if program is not None:
            code = await program.wait()
            await asyncio.sleep(_ON_THE_WAY)
            said = "".join(f": {' '.join(line.split())}" for line in last_words(LOG)[-1:])
            door.expects_nobody(f"its program {how_it_ended(code)} before a bot came{said}")

    watching = asyncio.create_task(tell())
    try:
        yield
    finally:
        watching.cancel()


def last_words(log: Path) -> list[str]:
    """Gives the last lines of what a program wrote, without control characters."""
    with log.open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - _LAST_WORDS))
        lines = file.read().decode(errors="replace").splitlines()
    return [visible(line) for line in lines if line.strip()][-_LAST_LINES:]


@asynccontextmanager
async def listening(wish: Wish) -> AsyncIterator[tuple[Door, Road]]:
    """Runs the arbiter that checks, and the road to it."""
    door = Door()
    road = Road(wish.host, wish.port)
    # No organiser's token is known: nobody gets as far as the tournaments.
    tournaments = cast(Tournaments, None)
    about = About(program_version(), MAX_SURPLUS)
    backend = Backend(AnyToken(), door, tournaments, registry.games(), door, about)
    cert, key = wish.pair or (None, None)
    config = Config(data=HOME, bots_port=0, tls_cert=cert, tls_key=key)
    try:
        server = RpcServer(config, backend)
    except Refused:
        await road.close()
        raise
    await server.start()
    await road.open(server.port)
    try:
        yield door, road
    finally:
        await road.close()
        await server.stop(0.1)


@asynccontextmanager
async def started(command: str, at: str) -> AsyncIterator[asyncio.subprocess.Process | None]:
    """Runs the bot's command, if there is one; it ends with the check, and all that it started.

    Raises:
        OwnTrouble: It cannot be started.
    """
    if not command:
        yield None
        return
    LOG.parent.mkdir(parents=True, exist_ok=True)
    environment = {"SAURODROME_TOKEN": "any"} | os.environ | {"SAURODROME_SERVER": at}
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise _no_bot(command, str(error)) from None
    if not words or shutil.which(words[0]) is None:
        raise _no_bot(command, "there is no such program")
    with LOG.open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *tethered("--", *words),
            stdin=asyncio.subprocess.PIPE,
            stdout=log,
            stderr=log,
            env=environment,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        await _end(process)


def _no_bot(command: str, why: str) -> OwnTrouble:
    what = f"`{command[:60]}` cannot be started: {why}."
    return OwnTrouble("BOT_DID_NOT_START", what, where="--run")


async def _end(process: asyncio.subprocess.Process) -> None:
    """Ends a process and all that it started."""
    family = offspring(process.pid)
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(TimeoutError):
            async with asyncio.timeout(_ENDS_WITHIN):
                await process.wait()
    end(family)
