"""`saurodrome tournament plan` and `simulate`: what a file asks for, without a server."""

from pathlib import Path
from random import Random

import click

from saurodrome.client import InputError
from saurodrome.server.cli.options import FILE, Connection, connection_options, json_option
from saurodrome.server.cli.planning.experience import experience
from saurodrome.server.cli.planning.file import TournamentFile, read
from saurodrome.server.cli.planning.limits import check_length, longest
from saurodrome.server.cli.planning.plan_screen import (
    key_lines,
    keys_json,
    plan_json,
    plan_lines,
)
from saurodrome.server.cli.planning.rate import rate_of, turns_of
from saurodrome.server.cli.planning.separation import Summary, separation
from saurodrome.server.cli.planning.shape import shape_of, with_entries
from saurodrome.server.cli.planning.simulate_screen import (
    Question,
    simulation_json,
    simulation_lines,
)
from saurodrome.server.cli.terminal import Progress, Terminal
from saurodrome.server.cli.values import Duration, Numbers, whole
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.recorder import START
from saurodrome.server.schedule import ScheduleError

USUAL_SIZE = 40_000
"""Matches that are simulated in all, unless it is said how many tournaments."""
ENTRIES_HELP = "Plan as if so many bots had entered  [default: those of the file]"


@click.command()
@click.argument("file", type=FILE, required=False)
@click.option("--entries", type=whole(1, 1000), help=ENTRIES_HELP)
@click.option(
    "--rate",
    type=click.FloatRange(0, min_open=True),
    help="Matches a second  [default: as measured on the server, else by the limits]",
)
@click.option("--accept", is_flag=True, help="Find nothing too long")
@click.option("--keys", is_flag=True, help="List all keys of such a file")
@connection_options
@json_option
@click.pass_obj
def plan(
    terminal: Terminal,
    file: Path | None,
    entries: int | None,
    rate: float | None,
    accept: bool,
    keys: bool,
    connection: Connection,
) -> None:
    """Print what a tournament's file would play.

    How many matches, and how long at which rate. Needs no server, and changes nothing. Exit
    code 2 if it takes days at a rate that was measured or told, unless you --accept that.
    """
    if keys:
        if terminal.json:
            terminal.data(keys_json())
        else:
            terminal.print(key_lines())
        return
    if file is None:
        raise InputError(
            "MISSING_ARGUMENT",
            "FILE is missing.",
            where="saurodrome tournament plan",
            do="saurodrome tournament plan FILE.toml, or --keys to begin one",
        )
    found = read(file, entries)
    try:
        shape = shape_of(found.settings, with_entries(found.settings, entries))
    except ScheduleError as error:
        raise unplanned(found, error) from None
    pace = rate_of(found.settings, shape.tables, rate, connection)
    seen = experience(found.settings, shape.matches, connection)
    if terminal.json:
        told = {"disk": seen.disk or None, "warnings": list(seen.warnings)}
        terminal.data({**plan_json(found, shape, pace), **told})
    else:
        terminal.print(plan_lines(found, shape, pace, terminal.symbols, seen))
    if not accept:
        where = found.where(longest(found.settings))
        check_length(found.settings, shape.bots, shape.matches or 0, pace, where)
    if terminal.json:
        return
    terminal.next(f"saurodrome tournament create {file}", f"saurodrome tournament simulate {file}")


def unplanned(file: TournamentFile, error: ScheduleError) -> InputError:
    """Tell what cannot be scheduled by key and line."""
    where = {"entrants": "bots"}.get(error.where, error.where)
    do = error.do
    if where == "bots":
        do += "; --entries N plans for more"
    return file.refused(Refused(Kind.INVALID, error.code, error.what, f"settings.{where}", do))


@click.command()
@click.argument("file", type=FILE)
@click.option("--entries", type=whole(1, 1000), help=ENTRIES_HELP)
@click.option(
    "--gap",
    type=click.FloatRange(0, 2000),
    default=50.0,
    show_default=True,
    help="Elo between one rank and the next",
)
@click.option(
    "--strengths", type=Numbers(), help="Elo of all ranks, best first  [default: by --gap]"
)
@click.option(
    "--ranks",
    type=(whole(1, 1000), whole(1, 1000)),
    default=(1, 2),
    show_default=True,
    metavar="A B",
    help="The ranks to tell apart",
)
@click.option("--times", type=whole(1, 10_000), help="Tournaments  [default: 5 to 100, by size]")
@click.option(
    "--match",
    "length",
    type=Duration(),
    help="The mean length of a match  [default: as if every turn took its time]",
)
@json_option
@click.pass_obj
def simulate(
    terminal: Terminal,
    file: Path,
    entries: int | None,
    gap: float,
    strengths: tuple[float, ...] | None,
    ranks: tuple[int, int],
    times: int | None,
    length: float | None,
) -> None:
    """Play a tournament's file among made-up bots, in virtual time.

    To plan how many matches tell given ranks apart. Needs no server; the same file and options
    give the same figures.
    """
    found = read(file, entries)
    try:
        shape = shape_of(found.settings, with_entries(found.settings, entries))
    except ScheduleError as error:
        raise unplanned(found, error) from None
    if shape.matches is None:
        raise InputError(
            "NO_END",
            "A ladder without an end cannot be simulated to its end.",
            where=found.where("matches"),
            do="set matches = 2000, say",
        )
    if found.settings.players < 2:
        raise InputError(
            "NO_OPPONENTS",
            "Bots that play alone are not rated.",
            where=found.where("players"),
            do="simulate tables of 2 or more",
        )
    asked = Question(
        found.settings,
        strengths_of(with_entries(found.settings, entries), gap, strengths, found.settings.seed),
        ranked(ranks, shape.bots),
        times or max(5, min(100, USUAL_SIZE // max(1, shape.matches))),
        length or turns_of(found.settings) * found.settings.time.decision,
    )
    summaries = watched(terminal, asked)
    if terminal.json:
        terminal.data(simulation_json(asked, summaries))
    else:
        terminal.print(simulation_lines(asked, summaries, terminal.symbols))


def strengths_of(
    bots: list[str], gap: float, told: tuple[float, ...] | None, seed: int
) -> dict[str, float]:
    """Deal strengths to bots, best first; who gets which is drawn, but the same every time."""
    if told is None:
        told = tuple(START + gap * ((len(bots) - 1) / 2 - rank) for rank in range(len(bots)))
    if len(told) != len(bots):
        raise InputError(
            "BAD_STRENGTHS",
            f"{len(told)} strengths are given for {len(bots)} bots.",
            where="--strengths",
            do="give one for each, with commas between them; --entries N plans for N bots",
        )
    names = list(bots)
    Random(seed).shuffle(names)
    return dict(zip(names, sorted(told, reverse=True), strict=True))


def ranked(ranks: tuple[int, int], bots: int) -> tuple[int, int]:
    """Check two ranks, the better one first."""
    first, second = sorted(ranks)
    if first == second or second > bots:
        raise InputError(
            "BAD_RANKS",
            f"There are no two ranks {first} and {second} of {bots} bots.",
            where="--ranks",
            do=f"give two different ones from 1 to {bots}",
        )
    return first, second


def watched(terminal: Terminal, asked: Question) -> list[Summary]:
    """Simulate, and say how far it is."""
    progress = Progress(terminal)

    def show(done: int) -> None:
        progress.show(f"{done} of {asked.times} tournaments simulated")

    try:
        return separation(
            asked.settings, asked.strengths, asked.pair, asked.times, asked.seconds, show
        )
    finally:
        progress.close()
