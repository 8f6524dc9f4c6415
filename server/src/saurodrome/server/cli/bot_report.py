"""`saurodrome bot report`: a bot's times, verdicts, faults and slowest decisions."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import click

from saurodrome.client import InputError
from saurodrome.client.tournaments import Fault, Match, TournamentClient
from saurodrome.server.cli import bot_times, faults, records
from saurodrome.server.cli.options import FILE, Connection, connection_options, json_option
from saurodrome.server.cli.records import Record
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.text import plural
from saurodrome.server.cli.values import whole

SHOWN_FAULTS = 10


@click.command()
@click.argument("name")
@click.option("--tournament", default="", help="One only  [default: all]")
@click.option("--last", type=whole(1, 10_000), default=100, show_default=True, help="Matches")
@click.option("--records", "folder", type=FILE, help="Folder to read  [default: ask the server]")
@connection_options
@json_option
@click.pass_obj
def report(
    terminal: Terminal,
    name: str,
    tournament: str,
    last: int,
    folder: Path | None,
    connection: Connection,
) -> None:
    """Tell where a bot's time went.

    Looks at the newest match records of the bot NAME: how long its decisions took, which part
    was thinking and which the way, what the arbiter took for itself and did not charge, how they
    were judged, the slowest ones, and its faults. --records reads .play files instead, such as
    those of an export, and asks no server.
    """
    found: list[Fault] = []
    if folder is not None:
        read = list(in_folder(folder))[-last:]
    else:
        with connection.client() as client:
            read, found = of_server(client, name, tournament, last)
    times = bot_times.times(name, read)
    if terminal.json:
        told = [faults.as_json(fault) for fault in found]
        terminal.data({**bot_times.as_json(name, times), "faults": told})
        return
    terminal.print(bot_times.lines(name, times))
    if found:
        shown = faults.lines(found[:SHOWN_FAULTS], terminal.symbols, of_several=not tournament)
        terminal.print(["", *shown])
        if len(found) > SHOWN_FAULTS:
            terminal.print(f" {plural(len(found) - SHOWN_FAULTS, 'fault')} more: --json has all")
    if times.slowest and folder is None:
        slowest = times.slowest[0]
        terminal.next(f"saurodrome replay show {slowest.match} --step {slowest.step}")


def in_folder(folder: Path) -> Iterator[Record]:
    """Reads the match records of a folder and of those below, in their order.

    Raises:
        InputError: It is no folder.
        SaurodromeError: One is no record.
    """
    if not folder.is_dir():
        raise InputError("NO_FOLDER", f"{folder} is no folder.", do="name one with .play files")
    for path in sorted(folder.rglob("*.play"), key=records.order):
        yield records.read(path)


def of_server(
    client: TournamentClient, bot: str, tournament: str, last: int
) -> tuple[list[Record], list[Fault]]:
    """Asks a server for the newest records of a bot, and for its faults, newest first.

    Raises:
        InputError: The server does not know the bot.
        SaurodromeError: It cannot be reached, or does not know the tournament.
    """
    if all(one.name != bot for one in client.list_bots()):
        raise InputError("UNKNOWN_BOT", f"There is no bot {bot!a}.", do="saurodrome bot list")
    names = [tournament] if tournament else [one.settings.name for one in client.list()]
    played = chain.from_iterable(client.matches(name) for name in names)
    newest = sorted((match for match in played if _has(match, bot)), key=_ended)[-last:]
    read = [records.parse(client.record(m.match_id).decode(), m.match_id) for m in newest]
    found = chain.from_iterable(client.faults(name, bot=bot) for name in names)
    return read, sorted(found, key=lambda fault: -fault.when.ToNanoseconds())


def _has(match: Match, bot: str) -> bool:
    return match.has_record and any(seat.bot == bot for seat in match.seats)


def _ended(match: Match) -> int:
    return match.ended.ToNanoseconds()
