"""`saurodrome bot try`: a dry run against the bots of the house, which stops at the first fault."""

import shutil
import tempfile
from pathlib import Path

import click

from saurodrome.client import load
from saurodrome.server.cli import dry_run
from saurodrome.server.cli.arbiter import private_arbiter
from saurodrome.server.cli.children import Children
from saurodrome.server.cli.options import FILE, json_option
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.trial import opponents
from saurodrome.server.cli.try_again import ask_again
from saurodrome.server.cli.values import Duration


@click.command("try")
@click.argument("file", type=FILE)
@click.option("--game", default="draftosaurus", show_default=True)
@click.option("--variant", default="summer", show_default=True)
@click.option("--players", type=click.IntRange(2, 5), default=2, show_default=True)
@click.option("--matches", type=click.IntRange(1), default=80, show_default=True)
@click.option("--limit", type=Duration(), default="200ms", show_default=True, help="For a decision")
@click.option("--at", metavar="MATCH:STEP", help="Ask one decision of the last dry run again")
@json_option
@click.pass_obj
def try_bot(
    terminal: Terminal,
    file: Path,
    game: str,
    variant: str,
    players: int,
    matches: int,
    limit: float,
    at: str | None,
) -> None:
    """Play the bot in FILE until its first fault.

    It plays against random and greedy, the bots of the house. The arbiter and they run in
    processes of their own, which end with the dry run. Every match is kept in .saurodrome/try.
    Exit code 1 if the bot made a fault.

    --at also takes a file with a decision, such as .saurodrome/last.decision.
    """
    strategy = load(file)
    if at is not None:
        ask_again(terminal, strategy, at, dry_run.FOLDER)
        return
    wish = dry_run.Wish(game, variant, players, matches, limit)
    folder = Path(tempfile.mkdtemp(prefix="saurodrome-try-"))
    try:
        with Children() as children:
            house = ",".join(name for table in opponents(players) for name in table)
            with private_arbiter(children, folder, house) as arbiter:
                dry_run.DryRun(terminal, strategy, wish, arbiter).play()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
