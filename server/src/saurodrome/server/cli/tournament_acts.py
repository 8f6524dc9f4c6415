"""What organisers do to a running tournament: bots come and go, a match counts no more."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import click

from saurodrome.client.tournaments import EventKind, TournamentEvent
from saurodrome.server.cli.faults import short_id
from saurodrome.server.cli.options import Connection, connection_options, json_option
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.text import UNICODE, WIDTH, Column, Symbols, cut, table, wrapped

COLUMNS = (
    Column("no."),
    Column("when", right=False),
    Column("position"),
    Column("what", right=False),
    Column("whom", right=False),
    Column("by", right=False),
)


@click.command()
@click.argument("name")
@click.argument("bot")
@click.option("--candidate", is_flag=True, help="Of a gauntlet: tried against the field")
@click.option("--reason", default="", help="Why  [default: none]")
@connection_options
@json_option
@click.pass_obj
def enter(
    terminal: Terminal, name: str, bot: str, candidate: bool, reason: str, connection: Connection
) -> None:
    """Enter a bot, before the start or late.

    What a late entry plays is the format's to say; a knockout takes none.
    """
    with connection.client() as client:
        told(terminal, client.enter(name, bot, candidate=candidate, reason=reason), name)


@click.command()
@click.argument("name")
@click.argument("bot")
@click.option("--reason", default="", help="Why  [default: none]")
@connection_options
@json_option
@click.pass_obj
def withdraw(terminal: Terminal, name: str, bot: str, reason: str, connection: Connection) -> None:
    """Withdraw a bot: what it played counts.

    It plays no further match. Matches that it did not come to are void for the others, and
    replaced where the format says so.
    """
    with connection.client() as client:
        told(terminal, client.withdraw(name, bot, reason=reason), name)
    terminal.next(f"saurodrome tournament readmit {name} {bot}")


@click.command()
@click.argument("name")
@click.argument("bot")
@click.option("--reason", default="", help="Why  [default: none]")
@connection_options
@json_option
@click.pass_obj
def readmit(terminal: Terminal, name: str, bot: str, reason: str, connection: Connection) -> None:
    """Take a bot back that was withdrawn."""
    with connection.client() as client:
        told(terminal, client.readmit(name, bot, reason=reason), name)


@click.command()
@click.argument("name")
@click.argument("bot")
@click.option("--reason", required=True, help="Why; the table says so")
@connection_options
@json_option
@click.pass_obj
def disqualify(
    terminal: Terminal, name: str, bot: str, reason: str, connection: Connection
) -> None:
    """Disqualify a bot: none of its matches counts.

    It comes last in the table. There is no way back. Rounds of a Swiss or knockout that were
    drawn by its results stand.
    """
    with connection.client() as client:
        told(terminal, client.disqualify(name, bot, reason=reason), name)


@click.command()
@click.argument("match_id", metavar="MATCH")
@click.option("--reason", required=True, help="Why; `tournament events` says so")
@connection_options
@json_option
@click.pass_obj
def void(terminal: Terminal, match_id: str, reason: str, connection: Connection) -> None:
    """Void a result: the match is played again.

    MATCH is tournament/round/pairing/seating, as an export and `tournament faults` name it. The
    result stays in the log. With duplicate deals the whole block is void. A tournament that is
    finished plays nothing again.
    """
    with connection.client() as client:
        told(terminal, client.void(match_id, reason=reason), match_id.partition("/")[0])


@click.command()
@click.argument("name")
@connection_options
@json_option
@click.pass_obj
def events(terminal: Terminal, name: str, connection: Connection) -> None:
    """Print what organisers and rules did, and why."""
    with connection.client() as client:
        found = list(client.events(name))
    if terminal.json:
        terminal.data([as_json(event) for event in found])
    elif found:
        terminal.print(lines(found, terminal.symbols))
    else:
        terminal.print("Nothing was done yet.")


ACTS = (enter, withdraw, readmit, disqualify, void, events)


def word(event: TournamentEvent) -> str:
    """Names what happened: started, joined, withdrawn, readmitted, disqualified or voided."""
    return EventKind.Name(event.kind).removeprefix("EVENT_KIND_").lower()


def told(terminal: Terminal, event: TournamentEvent, name: str) -> None:
    """Says what was done."""
    if terminal.json:
        terminal.data(as_json(event))
        return
    whom = event.bot or event.match_id or name
    terminal.print(f"{cut(whom, 50)} {word(event)} at log position {event.log_position:,}.")
    terminal.next(f"saurodrome tournament events {name}")


def lines(found: Sequence[TournamentEvent], symbols: Symbols = UNICODE) -> list[str]:
    """Gives events as a table, each with its reason below it."""
    cells = [
        [
            str(event.number),
            datetime.fromtimestamp(event.when.seconds).strftime("%a %H:%M:%S"),
            f"{event.log_position:,}",
            word(event),
            cut(event.bot or short_id(event.match_id) or "-", 20, symbols),
            cut(event.who, 12, symbols),
        ]
        for event in found
    ]
    heading, *rows = table(COLUMNS, cells)
    shown = [heading]
    for row, event in zip(rows, found, strict=True):
        shown.append(row)
        if event.reason:
            shown += wrapped(f"          {event.reason}", " " * 10, WIDTH, hard=True)
    return shown


def as_json(event: TournamentEvent) -> dict[str, Any]:
    """Gives an event as JSON."""
    return {
        "number": event.number,
        "when": event.when.ToJsonString(),
        "log_position": event.log_position,
        "kind": word(event),
        "bot": event.bot,
        "match_id": event.match_id,
        "reason": event.reason,
        "who": event.who,
    }
