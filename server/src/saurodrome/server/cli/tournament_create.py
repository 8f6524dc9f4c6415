"""`saurodrome tournament create`: settings in, a planned or running tournament out."""

import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import click
from click.core import ParameterSource

from saurodrome.client import InputError, RequestError
from saurodrome.client.tournaments import Deals, Format, Seating, TournamentSettings
from saurodrome.engine import registry
from saurodrome.server.cli.options import Connection, connection_options, json_option
from saurodrome.server.cli.planning.changed import taken
from saurodrome.server.cli.planning.file import TournamentFile, in_keys, read
from saurodrome.server.cli.planning.limits import cautions, check_created, longest
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.text import plural, wrapped
from saurodrome.server.cli.tournament_watch import follow, tournament_json
from saurodrome.server.cli.usual import PLAYERS_HELP, VARIANT_HELP, players_of, variant_of
from saurodrome.server.cli.values import UINT64, Duration, Names, whole
from saurodrome.server.errors import Refused as ServerRefused
from saurodrome.server.rpc.settings import from_message, to_message
from saurodrome.server.settings import TournamentSettings as ServerSettings

SEATINGS = {"balanced": Seating.SEATING_BALANCED, "rotations": Seating.SEATING_ROTATIONS}
FORMATS = {
    "round-robin": Format.FORMAT_ROUND_ROBIN,
    "gauntlet": Format.FORMAT_GAUNTLET,
    "swiss": Format.FORMAT_SWISS,
    "knockout": Format.FORMAT_KNOCKOUT,
    "ladder": Format.FORMAT_LADDER,
}
DEALS = {"fresh": Deals.DEALS_FRESH, "duplicate": Deals.DEALS_DUPLICATE}
OPTIONS = {
    "bots": "--bots",
    "decision_time": "--time",
    "sealed_time": "--sealed",
    "ready_time": "--ready",
    "strikes_in_a_row": "--strikes",
    "strikes_in_match": "--strikes",
}
"""The options that have another name than their field of the settings."""
ENOUGH = 120
"""Without --rounds a tournament has at least so many matches: fewer hardly tell bots apart."""


def one_round(bots: int, players: int, seating: str) -> int:
    """Counts the matches of one round: all tables of the size, from all their seatings."""
    seatings = players * max(1, players - 1) if seating == "balanced" else players
    return math.comb(bots, players) * seatings


def rounds_for(bots: int, players: int, seating: str) -> int:
    """Gives how many rounds make enough matches; 1 where the server will refuse anyway."""
    return max(1, math.ceil(ENOUGH / max(1, one_round(bots, players, seating))))


def usual_rounds(form: str, matches: int | None, bots: int, players: int, seating: str) -> int:
    """Gives the rounds of a format unless they are said; 0 lets the server choose."""
    if form != "round-robin" or matches:
        return 0
    return rounds_for(bots, players, seating)


def anchor_for(bots: Sequence[str]) -> str:
    """Gives the bot whose rating is set: random, if it plays."""
    return "random" if "random" in bots else ""


def in_options(text: str) -> str:
    """Names options instead of fields of the settings, as `settings.rounds` is one."""

    def option(field: re.Match[str]) -> str:
        if field[1] == "name":
            return field[0]
        return OPTIONS.get(field[1], f"--{field[1].replace('_', '-')}")

    return re.sub(r"settings\.(\w+)", option, text)


@click.command()
@click.argument("name", metavar="NAME|FILE.toml")
@click.option("--bots", type=Names(), help="Who plays  [default: who stands in the file]")
@click.option("--display-name", default="", help="What people read  [default: the name]")
@click.option("--game", default="draftosaurus", show_default=True, help="What is played")
@click.option("--variant", help=VARIANT_HELP)
@click.option("--players", type=click.IntRange(1, 5), help=PLAYERS_HELP)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="round-robin",
    show_default=True,
    help="How tables are put together",
)
@click.option(
    "--rounds",
    type=whole(1),
    help=f"How often all meet  [default: until there are {ENOUGH} matches];"
    " of a Swiss its rounds  [default: enough to tell a winner]",
)
@click.option(
    "--games", type=whole(1), help="Of a Swiss pairing  [default: 2], or best of  [default: 3]"
)
@click.option("--candidates", type=Names(), help="Of a gauntlet  [default: none]")
@click.option(
    "--deals",
    type=click.Choice(list(DEALS)),
    default="fresh",
    show_default=True,
    help="One for each match, or one for all seatings of a table",
)
@click.option("--trusted", is_flag=True, help="Vouch that bots remember no earlier match")
@click.option("--blind", is_flag=True, help="Bots see seats instead of names")
@click.option("--matches", type=whole(1), help="A balanced part of one round  [default: all]")
@click.option(
    "--seating",
    type=click.Choice(list(SEATINGS)),
    default="balanced",
    show_default=True,
    help="All seats and neighbours equally often, or the rotations only",
)
@click.option("--time", type=Duration(), default="1s", show_default=True, help="For a decision")
@click.option(
    "--sealed", type=Duration(), help="For all steps of a sealed phase  [default: 10 decisions']"
)
@click.option("--margin", type=Duration(), default="50ms", show_default=True, help="Grace after it")
@click.option("--ready", type=Duration(), default="20s", show_default=True, help="To get ready")
@click.option(
    "--join-timeout",
    type=Duration(),
    default="30s",
    show_default=True,
    help="How long a match waits for an absent bot",
)
@click.option(
    "--strikes",
    type=(whole(1), whole(1)),
    default=(3, 5),
    show_default=True,
    metavar="ROW MATCH",
    help="Strikes in a row, or in a match, that forfeit it",
)
@click.option(
    "--concurrency",
    type=whole(1),
    default=16,
    show_default=True,
    help="Matches at once",
)
@click.option("--seed", type=whole(0, UINT64), default=0, show_default=True, help="Of the order")
@click.option("--anchor", help="Bot whose rating is set  [default: random if it plays]")
@click.option("--anchor-rating", type=float, default=1000.0, show_default=True)
@click.option("--accept", is_flag=True, help="Find nothing too long")
@click.option("--start", is_flag=True, help="Start it, too")
@click.option("--watch", is_flag=True, help="Start it, and watch until it is over")
@connection_options
@json_option
@click.pass_obj
def create(
    terminal: Terminal,
    name: str,
    bots: tuple[str, ...] | None,
    display_name: str,
    game: str,
    variant: str | None,
    players: int | None,
    form: str,
    rounds: int | None,
    games: int | None,
    candidates: tuple[str, ...] | None,
    deals: str,
    trusted: bool,
    blind: bool,
    matches: int | None,
    seating: str,
    time: float,
    sealed: float | None,
    margin: float,
    ready: float,
    join_timeout: float,
    strikes: tuple[int, int],
    concurrency: int,
    seed: int,
    anchor: str | None,
    anchor_rating: float,
    accept: bool,
    start: bool,
    watch: bool,
    connection: Connection,
) -> None:
    """Create a tournament, by options or by a file.

    All meet, unless another format is chosen. Durations are written 500ms, 1s or 2min. A file
    has all settings in it: `tournament plan --keys` lists them.
    """
    if name.endswith(".toml"):
        file = from_file(click.get_current_context(), Path(name))
        consider(terminal, file.settings, connection, file.where(longest(file.settings)), accept)
        submit(terminal, connection, to_message(file.settings), file.told, start, watch, file)
        return
    if bots is None:
        raise InputError(
            "MISSING_ARGUMENT",
            "--bots is missing.",
            where="saurodrome tournament create",
            do="say who plays, --bots greedy,random, or give a FILE.toml instead of a name",
        )
    variant = variant_of(game, variant)
    players = players_of(game, variant, players)
    settings = TournamentSettings(
        name=name,
        display_name=display_name,
        game=game,
        variant=variant,
        players=players,
        seating=SEATINGS[seating],
        format=FORMATS[form],
        games=games or 0,
        candidates=candidates or (),
        deals=DEALS[deals],
        trusted=trusted,
        blind=blind,
        rounds=rounds or usual_rounds(form, matches, len(bots), players, seating),
        matches=matches or 0,
        bots=bots,
        strikes_in_a_row=strikes[0],
        strikes_in_match=strikes[1],
        concurrency=concurrency,
        seed=seed,
        anchor=anchor_for(bots) if anchor is None else anchor,
        anchor_rating=anchor_rating,
    )
    settings.decision_time.FromNanoseconds(round(time * 1e9))
    if sealed is not None:
        settings.sealed_time.FromNanoseconds(round(sealed * 1e9))
    settings.margin.FromNanoseconds(round(margin * 1e9))
    settings.ready_time.FromNanoseconds(round(ready * 1e9))
    settings.join_timeout.FromNanoseconds(round(join_timeout * 1e9))
    if (known := understood(settings)) is not None:
        consider(terminal, known, connection, f"--{longest(known)}", accept)
    submit(terminal, connection, settings, in_options, start, watch)


def understood(settings: TournamentSettings) -> ServerSettings | None:
    """Reads settings as the server does; None if it will refuse them, which is left to it."""
    try:
        return from_message(settings, registry.games())
    except ServerRefused:
        return None


def consider(
    terminal: Terminal, settings: ServerSettings, connection: Connection, where: str, accept: bool
) -> None:
    """Refuses what would take days, unless that is accepted; warns of what can be created, too.

    Raises:
        InputError: PLAN_TOO_LONG.
    """
    if not accept:
        check_created(settings, connection, where)
    for warning in cautions(settings, connection):
        terminal.note(wrapped(warning, "  "))


def submit(
    terminal: Terminal,
    connection: Connection,
    settings: TournamentSettings,
    told: Callable[[str], str],
    start: bool,
    watch: bool,
    file: TournamentFile | None = None,
) -> None:
    """Creates a tournament on the server, and says so.

    Args:
        terminal: Where to say it.
        connection: The way to the server.
        settings: All of it.
        told: Says for a field of the settings where the user has set it.
        start: Start it, too.
        watch: Start it, and watch until it is over.
        file: The file that says all of it, if one does.
    """
    name = settings.name
    with connection.client() as client:
        try:
            created = client.create(settings)
        except RequestError as error:
            if file and error.code == "NAME_TAKEN" and (known := taken(file, client)):
                raise known from None
            error.where = told(error.where)
            error.do = in_keys(error.do) if file else in_options(error.do)
            raise
        if start or watch:
            created = client.start(name)
        if watch:
            follow(terminal, client, name)
        elif terminal.json:
            terminal.data(tournament_json(created))
        else:
            done = "Started" if start else "Created"
            terminal.print(f"{done} {name}: {plural(created.matches_total, 'match')}.")
            terminal.next(next_step(settings, start))


def from_file(context: click.Context, path: Path) -> TournamentFile:
    """Reads a tournament's file; beside it no option says anything about the settings.

    Raises:
        InputError: The file is wrong, or an option is given that belongs into it.
    """
    ours = ("name", "accept", "start", "watch", "json", "server", "token_file", "tls", "ca")
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name or "")
        if given is ParameterSource.COMMANDLINE and parameter.name not in ours:
            raise InputError(
                "FILE_AND_OPTIONS",
                f"{max(parameter.opts, key=len)} stands beside {path}, which has all settings.",
                where="saurodrome tournament create",
                do="set it in the file, or leave the file out",
            )
    return read(path)


def next_step(settings: TournamentSettings, started: bool) -> str:
    """Gives the command that comes next; what starts by itself is only watched."""
    step = "watch" if started or settings.HasField("start_at") else "start"
    return f"saurodrome tournament {step} {settings.name}"
