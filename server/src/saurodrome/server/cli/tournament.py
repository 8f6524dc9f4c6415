"""`saurodrome tournament`: an organiser's commands."""

from itertools import islice
from pathlib import Path

import click
from rich.cells import cell_len

from saurodrome.client.tournaments import Tournament
from saurodrome.server.cli import bot_story
from saurodrome.server.cli import faults as fault_screen
from saurodrome.server.cli import standings as table
from saurodrome.server.cli.export import command_for, export_to
from saurodrome.server.cli.options import FILE, Connection, connection_options, json_option
from saurodrome.server.cli.planning.commands import plan, simulate
from saurodrome.server.cli.states import played, progress_line, since, state
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.text import WIDTH, Column, cut
from saurodrome.server.cli.text import table as columns
from saurodrome.server.cli.tournament_acts import ACTS
from saurodrome.server.cli.tournament_create import create
from saurodrome.server.cli.tournament_live import follow_match
from saurodrome.server.cli.tournament_watch import follow, house, tournament_json
from saurodrome.server.cli.values import whole

TOP = 20


@click.group()
def tournament() -> None:
    """Create tournaments, start and watch them, read their tables."""


tournament.add_command(create)
tournament.add_command(plan)
tournament.add_command(simulate)
for _act in ACTS:
    tournament.add_command(_act)


@tournament.command()
@click.argument("name")
@click.option("--watch", is_flag=True, help="Watch until it is over")
@connection_options
@json_option
@click.pass_obj
def start(terminal: Terminal, name: str, watch: bool, connection: Connection) -> None:
    """Start a planned tournament."""
    with connection.client() as client:
        now = client.start(name)
        if watch:
            follow(terminal, client, name)
            return
    said(terminal, now)
    terminal.next(f"saurodrome tournament watch {name}")


@tournament.command()
@click.argument("name")
@click.option(
    "--match",
    default="",
    help="One match by its id, NAME/7/12/3 or 7/12/3, board by board  [default: the table]",
)
@connection_options
@json_option
@click.pass_obj
def watch(terminal: Terminal, name: str, match: str, connection: Connection) -> None:
    """Watch until it is over, then print the table.

    --match 7/12/3 shows that match while it is played, as far as everybody at the table knows
    it, and then its result. Ctrl-C ends the watching, not the tournament. Exit code 1 if it was
    cancelled.
    """
    with connection.client() as client:
        if match:
            follow_match(terminal, client, name, match)
        else:
            follow(terminal, client, name)


@tournament.command()
@click.argument("name")
@connection_options
@json_option
@click.pass_obj
def pause(terminal: Terminal, name: str, connection: Connection) -> None:
    """Start no more matches; those in flight end."""
    with connection.client() as client:
        said(terminal, client.pause(name))
    terminal.next(f"saurodrome tournament resume {name}")


@tournament.command()
@click.argument("name")
@connection_options
@json_option
@click.pass_obj
def resume(terminal: Terminal, name: str, connection: Connection) -> None:
    """Go on after a pause."""
    with connection.client() as client:
        said(terminal, client.resume(name))
    terminal.next(f"saurodrome tournament watch {name}")


@tournament.command()
@click.argument("name")
@connection_options
@json_option
@click.pass_obj
def cancel(terminal: Terminal, name: str, connection: Connection) -> None:
    """End a tournament for good; matches in flight are void."""
    with connection.client() as client:
        said(terminal, client.cancel(name))
    terminal.next(f"saurodrome tournament standings {name}")


@tournament.command("list")
@connection_options
@json_option
@click.pass_obj
def list_tournaments(terminal: Terminal, connection: Connection) -> None:
    """List the tournaments, newest first."""
    with connection.client() as client:
        known = client.list()
    if terminal.json:
        terminal.data([tournament_json(one) for one in known])
    elif known:
        terminal.print(list_lines(known))
    else:
        terminal.print("There is no tournament yet.")
        terminal.next("saurodrome tournament create NAME --bots greedy,random --watch")


@tournament.command()
@click.argument("name")
@click.option("--all", "every", is_flag=True, help=f"All rows  [default: the first {TOP}]")
@connection_options
@json_option
@click.pass_obj
def standings(terminal: Terminal, name: str, every: bool, connection: Connection) -> None:
    """Print a table, with what its ratings refer to."""
    with connection.client() as client:
        now = client.standings(name)
        starred = house(client)
    if terminal.json:
        terminal.data(table.as_json(now))
        return
    terminal.print(table.heading(now.tournament, terminal.symbols))
    terminal.print(table.table_lines(now, starred, terminal.symbols, 0 if every else TOP))
    terminal.next(command_for(name))


@tournament.command()
@click.argument("name")
@click.option("--bot", default="", help="Only those of this bot  [default: all]")
@click.option("--limit", type=whole(1), default=100, show_default=True, help="At most")
@connection_options
@json_option
@click.pass_obj
def faults(terminal: Terminal, name: str, bot: str, limit: int, connection: Connection) -> None:
    """Print what went wrong and who is charged.

    Newest first, each with its limit and what it took. With --bot also what became of the bot.
    """
    with connection.client() as client:
        if bot:
            bot_story.check_entered(client, name, bot)
        found = list(islice(client.faults(name, bot=bot), limit))
        row = bot_story.row_of(client, name, bot) if bot and not terminal.json else None
        done = bot_story.events_of(client, name, bot) if row else []
    if terminal.json:
        terminal.data([fault_screen.as_json(fault) for fault in found])
        return
    shown = fault_screen.lines(found, terminal.symbols) if found else ["No faults."]
    terminal.print([*bot_story.head(bot, row), *shown, *bot_story.end(row, done)])
    seen = next((fault_screen.where_to_see(fault) for fault in found if fault.turn), None)
    steps = [step for step in (seen, bot_story.next_step(name, bot, row)) if step]
    if steps:
        terminal.next(*steps)


@tournament.command()
@click.argument("name")
@click.option("--to", "folder", type=FILE, required=True, help="The folder to write")
@click.option("--zip", "zipped", is_flag=True, help="Records in records.zip, not in a folder")
@connection_options
@json_option
@click.pass_obj
def export(
    terminal: Terminal, name: str, folder: Path, zipped: bool, connection: Connection
) -> None:
    """Write table, results and records into a folder.

    The folder appears complete or not at all. An earlier export is replaced; a folder with
    anything else in it is left alone.
    """
    with connection.client() as client:
        done = export_to(client, name, folder, zipped, terminal)
    if terminal.json:
        terminal.data(done)


def said(terminal: Terminal, now: Tournament) -> None:
    """Prints where a tournament stands."""
    if terminal.json:
        terminal.data(tournament_json(now))
    else:
        head = f"{now.settings.name}: {state(now)}   "
        line = progress_line(now, width=WIDTH - max(cell_len(head), 20))
        terminal.print([head.rstrip(), line] if cell_len(head) > 20 else head + line)


def list_lines(known: tuple[Tournament, ...]) -> list[str]:
    """Gives tournaments as a table, and what those wait for that do."""
    heads = [
        Column("tournament", right=False),
        Column("state", right=False),
        Column("since", right=False, drop=1),
        Column("game", right=False, drop=2),
        Column("matches"),
    ]
    rows = [
        [
            cut(one.settings.name, 32),
            state(one),
            since(one),
            cut(f"{one.settings.game} {one.settings.variant}, {one.settings.players}p", 26),
            played(one),
        ]
        for one in known
    ]
    waiting = [
        cut(f" {one.settings.name} waits: {one.waiting_for}", WIDTH - 1)
        for one in known
        if one.waiting_for
    ]
    return [*columns(heads, rows), *waiting]
