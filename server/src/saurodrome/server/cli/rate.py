"""`saurodrome rate`: a published table made again from the log, and compared with a file."""

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from saurodrome.client import InputError
from saurodrome.server.cli import standings as table
from saurodrome.server.cli.failures import AnswerIsNo
from saurodrome.server.cli.log import Log, of_export, of_server, readable
from saurodrome.server.cli.options import FILE, Connection, connection_options, json_option
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.text import count
from saurodrome.server.cli.values import whole

SHOWN = 5
"""Differences that are printed."""


@click.command()
@click.argument("source")
@click.option("--log", "position", type=whole(0), help="Results in the log  [default: all]")
@click.option("--event", type=whole(0), help="The last event  [default: all up to there]")
@click.option("--compare", type=FILE, help="A standings.csv that must be the same  [default: none]")
@connection_options
@json_option
@click.pass_obj
def rate(
    terminal: Terminal,
    source: str,
    position: int | None,
    event: int | None,
    compare: Path | None,
    connection: Connection,
) -> None:
    """Make a published table again, to the last digit.

    SOURCE is a tournament, or an export: its folder or its matches.jsonl; then no server is
    needed.
    """
    log = log_of(source, connection)
    again = log.table(log.counted(position, event))
    if compare is not None:
        said(terminal, compare, differences(compare, table.csv_rows(again.standings)))
    elif terminal.json:
        terminal.data(table.as_json(again))
    else:
        terminal.print(table.table_lines(again, (), terminal.symbols))


def log_of(source: str, connection: Connection) -> Log:
    """Gives the log of an export if there is such a path, else of a tournament."""
    if Path(source).exists():
        return of_export(Path(source))
    with connection.client() as client:
        return of_server(client, source)


def differences(path: Path, again: list[list[Any]]) -> Iterator[dict[str, str]]:
    """Gives what a file says otherwise than a table, row by row and column by column.

    Raises:
        InputError: The file is no table.
    """
    heads, *rows = again
    known = {str(row[heads.index("bot")]): dict(zip(heads, row, strict=True)) for row in rows}
    with readable(path), path.open(newline="", encoding="utf-8") as file:
        told = {row["bot"]: row for row in csv.DictReader(file)}
    if not told:
        raise InputError("NO_TABLE", f"{path} has no row with a bot.", where="--compare")
    for bot in [*known, *(set(told) - set(known))]:
        ours, theirs = known.get(bot), told.get(bot)
        if ours is None or theirs is None:
            yield difference(bot, "bot", bot if theirs else "", bot if ours else "")
            continue
        for head in heads:
            if head in theirs and str(theirs[head]) != str(ours[head]):
                yield difference(bot, head, str(theirs[head]), str(ours[head]))


def difference(bot: str, column: str, file: str, log: str) -> dict[str, str]:
    """Gives one difference: what the file says, and what follows from the log."""
    return {"bot": bot, "column": column, "file": file, "log": log}


def said(terminal: Terminal, path: Path, found: Iterable[dict[str, str]]) -> None:
    """Prints differences.

    Raises:
        AnswerIsNo: There are some.
    """
    found = list(found)
    if terminal.json:
        terminal.data({"file": str(path), "same": not found, "differences": found})
    elif not found:
        terminal.print(f"same: every figure of {path} follows from the log")
    else:
        terminal.print(f"DIFFERS: {count(len(found))} figures of {path}")
        terminal.print(
            f"  {one['bot']}   {one['column']}: {one['file'] or 'nothing'} in the file,"
            f" {one['log'] or 'nothing'} by the log"
            for one in found[:SHOWN]
        )
        if len(found) > SHOWN:
            terminal.print(f"  and {count(len(found) - SHOWN)} more")
    if found:
        raise AnswerIsNo
