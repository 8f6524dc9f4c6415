"""`saurodrome score`: what positions of Draftosaurus are worth, pen by pen."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from saurodrome.client import InputError
from saurodrome.engine.games.draftosaurus.positions import (
    Destination,
    Sheet,
    destinations,
    owners,
    score_position,
    winners,
)
from saurodrome.server.cli import positions
from saurodrome.server.cli.options import FILE, json_option
from saurodrome.server.cli.positions import Position
from saurodrome.server.cli.root import report
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.text import Column, cut, plural, table, wrapped


@click.command()
@click.argument("file", type=FILE)
@json_option
@click.pass_obj
def score(terminal: Terminal, file: Path) -> int:
    """Count the points of positions of Draftosaurus.

    FILE is JSON: a whole file of cases, one case, or a list of them; - is the standard input. A
    case has a board and its zoos, from pens to species, the pyramid by slot with null where it
    is empty. A case of the kind quarantine lists where that dinosaur may go instead.

    A position that cannot come up is refused with the reason; the others are counted all the
    same. Exit code 2 if any was refused.
    """
    judged: list[dict[str, Any]] = []
    refused = 0
    for case_id, case in positions.read(file):
        try:
            position = positions.check(case_id, case)
        except InputError as error:
            refused += 1
            judged.append({"id": case_id, "error": error.as_dict()})
            report(error, terminal)
            continue
        judged.append(as_json(position))
        if not terminal.json:
            terminal.print([*lines(position), ""])
    if terminal.json:
        terminal.data(judged)
    return InputError.exit_code if refused else 0


def as_json(position: Position) -> dict[str, Any]:
    """Gives a position's points as JSON; before the move where a dinosaur is in quarantine."""
    sheets = score_position(position.board, position.zoos)
    said: dict[str, Any] = {
        "id": position.id,
        "points": [sheet_json(sheet) for sheet in sheets],
        "winners": list(winners(sheets)),
    }
    if position.owner is not None:
        found = destinations(position.board, position.zoos, position.owner)
        said["seat"] = position.owner
        said["legal_destinations"] = [goal._asdict() for goal in found]
    return said


def sheet_json(sheet: Sheet) -> dict[str, int]:
    """Gives a score sheet as one object: the lines of the board, the bonus, the total."""
    return {**sheet.points, "trex_bonus": sheet.trex_bonus, "total": sheet.total}


def lines(position: Position) -> list[str]:
    """Gives a position as text."""
    sheets = score_position(position.board, position.zoos)
    head = f"{cut(position.id, 40)}   {position.board}, {len(sheets)} players"
    if position.owner is None:
        waiting = still_in_quarantine(position)
        return [head, *sheet_table(sheets), *wrapped(f" {verdict(sheets)}", " "), *waiting]
    found = destinations(position.board, position.zoos, position.owner)
    species = owners(position.board, position.zoos)[position.owner]
    said = f" seat {position.owner} moves {species} out of quarantine, to:"
    return [head, said, *destination_table(found)]


def sheet_table(sheets: Sequence[Sheet]) -> list[str]:
    """Gives the score sheets side by side."""
    columns = [Column("", right=False), *(Column(f"seat {seat}") for seat in range(len(sheets)))]
    rows = [[name, *(str(sheet.points[name]) for sheet in sheets)] for name in sheets[0].points]
    rows.append(["T-Rex bonus", *(str(sheet.trex_bonus) for sheet in sheets)])
    rows.append(["total", *(str(sheet.total) for sheet in sheets)])
    rows.append(["T-Rexes in the zoo", *(str(sheet.trexes) for sheet in sheets)])
    return table(columns, rows)


def verdict(sheets: Sequence[Sheet]) -> str:
    """Says who wins, and what decided."""
    first = winners(sheets)
    best = max(sheet.total for sheet in sheets)
    level = [seat for seat, sheet in enumerate(sheets) if sheet.total == best]
    if len(level) == 1:
        return f"Seat {first[0]} wins with {plural(best, 'point')}."
    tied = f"{seats(level).capitalize()} have {plural(best, 'point')} each; "
    fewest = sheets[first[0]].trexes
    if len(first) == len(level):
        return f"{tied}with {plural(fewest, 'T-Rex')} each they share the win."
    more = ", ".join(str(sheets[seat].trexes) for seat in level if seat not in first)
    by = f"fewer T-Rexes decide: {fewest} against {more}"
    if len(first) == 1:
        return f"{tied}seat {first[0]} wins, since {by}."
    return f"{tied}{seats(first)} share the win, since {by}."


def seats(numbers: Sequence[int]) -> str:
    """Lists seats: `seats 0, 1 and 3`."""
    *others, last = map(str, numbers)
    return f"seats {', '.join(others)} and {last}" if others else f"seat {last}"


def still_in_quarantine(position: Position) -> Iterator[str]:
    """Warns of dinosaurs that would move before the points of a real game are counted."""
    for seat, species in owners(position.board, position.zoos).items():
        yield from wrapped(
            f" Seat {seat}'s {species} is still in quarantine, which brings nothing: in a game it"
            ' moves first (kind "quarantine" lists where to).',
            " ",
        )


def destination_table(found: Sequence[Destination]) -> list[str]:
    """Gives all destinations with the owner's total; the best are marked."""
    best = max(goal.total for goal in found)
    rows = [
        [
            goal.pen if goal.slot is None else f"{goal.pen} {goal.slot}",
            str(goal.total),
            "best" if goal.total == best else "",
        ]
        for goal in found
    ]
    return table([Column("pen", right=False), Column("total"), Column("", right=False)], rows)
