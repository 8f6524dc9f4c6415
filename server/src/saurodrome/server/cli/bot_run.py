"""`saurodrome bot run`: lets a bot play at a server, as its own file run as a program would."""

from pathlib import Path

import click

from saurodrome.client import load
from saurodrome.client import run as play_at_server
from saurodrome.server.cli.options import FILE, Connection, connection_options
from saurodrome.server.cli.values import whole


@click.command()
@click.argument("file", type=FILE)
@click.option("--name", help="Its registered name  [default: the file's]")
@click.option(
    "--concurrency",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Matches at once; choose() runs in as many threads",
)
@click.option("--matches", type=whole(1), help="Leave after so many  [default: never]")
@connection_options
def run(
    file: Path, name: str | None, concurrency: int, matches: int | None, connection: Connection
) -> None:
    """Let the bot in FILE play until Ctrl-C.

    Its token comes from --token-file, SAURODROME_TOKEN or .saurodrome/NAME.token. It connects
    again whenever the connection breaks. The first Ctrl-C takes no new matches and finishes
    the open ones, the second stops at once.
    """
    token = ["--token-file", str(connection.token_file)] if connection.token_file else []
    play_at_server(
        load(file),
        server=connection.address(),
        name=name,
        matches=matches,
        max_concurrent=concurrency,
        tls=connection.tls,
        ca=str(connection.ca) if connection.ca else None,
        argv=token,
    )
