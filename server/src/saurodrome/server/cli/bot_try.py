"""`saurodrome bot try`: a dry run against the bots of the house, which stops at the first fault."""

import shutil
import tempfile
from pathlib import Path

import click

from saurodrome.client import InputError, Strategy, load
from saurodrome.server.cli import dry_run
from saurodrome.server.cli.arbiter import private_arbiter
from saurodrome.server.cli.children import Children
from saurodrome.server.cli.house import parse
from saurodrome.server.cli.options import FILE, json_option
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.trial import opponents
from saurodrome.server.cli.try_again import ask_again
from saurodrome.server.cli.usual import PLAYERS_HELP, VARIANT_HELP, players_of, variant_of
from saurodrome.server.cli.values import Duration, whole

MOST_MATCHES = 10_000


@click.command("try")
@click.argument("file", type=FILE)
@click.option("--game", default="draftosaurus", show_default=True)
@click.option("--variant", help=VARIANT_HELP)
@click.option("--players", type=click.IntRange(1, 5), help=PLAYERS_HELP)
@click.option("--matches", type=whole(1, MOST_MATCHES), default=80, show_default=True)
@click.option("--limit", type=Duration(), default="200ms", show_default=True, help="For a decision")
@click.option("--against", metavar="KIND,...", help="Bots of the house  [default: two kinds]")
@click.option("--at", metavar="MATCH:STEP", help="Ask one decision of the last dry run again")
@json_option
@click.pass_obj
def try_bot(
    terminal: Terminal,
    file: Path,
    game: str,
    variant: str | None,
    players: int | None,
    matches: int,
    limit: float,
    against: str | None,
    at: str | None,
) -> None:
    """Play the bot in FILE until its first fault.

    It plays against the bots of the house, one that is greedy and random unless --against names
    others, or alone against the game. The arbiter and they run in processes of their own, which
    end with the dry run. Every match is kept in .saurodrome/try. Exit code 1 if the bot made a
    fault.

    --at also takes a file with a decision, such as .saurodrome/last.decision.
    """
    strategy = load(file)
    if at is not None:
        ask_again(terminal, strategy, at, dry_run.FOLDER)
        return
    check_plays(strategy, game)
    variant = variant_of(game, variant)
    players = players_of(game, variant, players)
    kinds = parse(against, "--against") if against else ()
    wish = dry_run.Wish(game, variant, players, matches, limit, kinds)
    folder = Path(tempfile.mkdtemp(prefix="saurodrome-try-"))
    try:
        with Children() as children:
            tables = opponents(game, players, kinds)
            house = ",".join(name for table in tables for name in table) or "none"
            with private_arbiter(children, folder, house) as arbiter:
                dry_run.DryRun(terminal, strategy, wish, arbiter).play()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def check_plays(strategy: Strategy, game: str) -> None:
    """Refuses a game that a bot says it does not play; its variants are the author's to try.

    Raises:
        InputError: WRONG_GAME.
    """
    played = sorted({name.partition("/")[0] for name in strategy.games or (game,)})
    if game not in played:
        raise InputError(
            "WRONG_GAME",
            f"{strategy.name} plays {' and '.join(played)} only, not {game}.",
            where=f"--game, and GAMES in {strategy.path}",
            do=f"add --game {' or '.join(played)}",
        )
