"""`saurodrome replay`: match records as boards in the terminal."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from saurodrome.client import InputError, SaurodromeError
from saurodrome.engine.game import State
from saurodrome.server.cli import moments, records, replay_ask, replay_verify
from saurodrome.server.cli.boards import all_open, draw
from saurodrome.server.cli.options import FILE, Connection, connection_options, json_option
from saurodrome.server.cli.records import Record
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.text import WIDTH, Column, cut, table, wrapped

RESULT = re.compile(r"place (\d{1,9}), (-?\d{1,9}) points(.*)", re.DOTALL)
"""How a record tells what a seat came to."""


@click.group()
def replay() -> None:
    """Look at matches that were played, and check them."""


replay.add_command(replay_verify.verify)
replay.add_command(replay_ask.ask)


@replay.command()
@click.argument("match")
@moments.turn_option
@moments.step_option
@connection_options
@json_option
@click.pass_obj
def show(
    terminal: Terminal,
    match: str,
    turn: int | None,
    step: int | None,
    connection: Connection,
) -> None:
    """Show the match MATCH board by board.

    MATCH is a .play file, or the id of a match of the server. Every step is shown as the
    position before it, all hands open, and what was chosen. Exit code 1 if the record does
    not follow the rules.
    """
    record = records.fetch(match, connection)
    states = record.states()
    shown = moments.steps_of(record, states, turn, step)
    if terminal.json:
        terminal.data(record_json(record))
        return
    terminal.print(heading(record))
    for number in shown:
        terminal.print(step_lines(record, states[number - 1], number))
    if turn is None and step is None:
        terminal.print(end_lines(record, states[-1]))


@replay.command("list")
@click.argument("folder", metavar="DIR", type=FILE)
@json_option
@click.pass_obj
def list_records(terminal: Terminal, folder: Path) -> None:
    """List the match records in the folder DIR."""
    if not folder.is_dir():
        raise InputError("NO_FOLDER", f"{folder} is no folder.", do="name one with .play files")
    paths = sorted(folder.glob("*.play"), key=records.order)
    found = list(readable(terminal, paths))
    if terminal.json:
        for record in found:
            terminal.data({**record_json(record), **figures(record)})
    elif found:
        terminal.print(list_lines(found))
        terminal.next(f"saurodrome replay show {found[0].name}")
    else:
        terminal.print(f"There is no match record in {folder}.")


def readable(terminal: Terminal, paths: list[Path]) -> Iterator[Record]:
    """Reads records, and warns of those that are none."""
    for path in paths:
        try:
            yield records.read(path)
        except SaurodromeError as error:
            terminal.note(error.format(kind="warning").split("\n"))


def heading(record: Record) -> list[str]:
    """Says which match it was."""
    played = record.played
    facts = [f"{played.game} {played.variant}", f"rules {played.rules_version}"]
    facts += [record.tags[key] for key in ("decision-time", "ended") if key in record.tags]
    if "termination" in record.tags:
        facts.append(record.tags["termination"])
    return wrapped(f"{record.tags.get('match', record.name)}   {'   '.join(facts)}", hard=True)


def step_lines(record: Record, state: State, number: int) -> list[str]:
    """Gives the position before a step, and what was chosen in it."""
    lines = [f"-- step {number} of {record.steps} ".ljust(79, "-")]
    lines += draw(record.played.game, all_open(state), record.names)
    for choice in record.played.steps[number - 1].choices:
        name = cut(record.names[choice.seat])
        note = f"   {choice.note}" if choice.note else ""
        said = f"{choice.seat} {name:<16} {choice.action}{note}"
        lines += wrapped(said, " " * 19, hard=True)
    return lines


def end_lines(record: Record, state: State) -> list[str]:
    """Gives the last position and the result."""
    lines = ["-- end ".ljust(79, "-"), *draw(record.played.game, all_open(state), record.names)]
    for seat, result in enumerate(record.results):
        lines.append(cut(f"{seat} {cut(record.names[seat]):<16} {result}", WIDTH).rstrip())
    return lines


def short_result(text: str) -> str:
    """Gives a result such as `place 1, 31 points, forfeit` as `1. 31 forfeit`."""
    match = RESULT.match(text)
    if match is None:
        return "-"
    return f"{match[1]}. {match[2]}" + (" forfeit" if "forfeit" in match[3] else "")


def list_lines(found: Sequence[Record]) -> list[str]:
    """Gives records as a table: file, how it ended, and each seat with its place and points."""
    seats = max(record.played.players for record in found)
    columns = [Column("file", right=False), Column("end", right=False)]
    columns += [Column(f"seat {seat}", right=False) for seat in range(seats)]
    return table(columns, [row(record, seats) for record in found], gap=1)


def figures(record: Record) -> dict[str, Any]:
    """Gives what the list shows of a record as JSON: how it ended, and how each seat came out."""
    seats = []
    for name, result in zip(record.names, record.results, strict=True):
        match = RESULT.match(result)
        seats.append(
            {
                "bot": name,
                "placement": int(match[1]) if match else None,
                "points": int(match[2]) if match else None,
                "forfeit": bool(match and "forfeit" in match[3]),
            }
        )
    return {"termination": record.tags.get("termination"), "seats": seats}


def row(record: Record, seats: int) -> list[str]:
    """Gives the cells of one record; names are cut so that all seats fit."""
    room = (WIDTH - 27) // seats - 8
    cells = [
        f"{cut(name, max(3, room))} {short_result(result)}"
        for name, result in zip(record.names, record.results, strict=True)
    ]
    end = cut(record.tags.get("termination", "-"), 10)
    return [cut(Path(record.name).name, 14), end, *cells, *[""] * (seats - len(cells))]


def record_json(record: Record) -> dict[str, Any]:
    """Gives a record as JSON."""
    played = record.played
    return {
        "record": record.name,
        "game": played.game,
        "variant": played.variant,
        "rules_version": played.rules_version,
        "tags": record.tags,
        "steps": [
            [{"seat": c.seat, "action": c.action, "note": c.note} for c in step.choices]
            for step in played.steps
        ],
        "points": list(played.outcome.points) if played.outcome else None,
        "placements": list(played.outcome.placements) if played.outcome else None,
    }
