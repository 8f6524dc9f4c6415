"""`saurodrome serve`: runs the arbiter, with the bots of the house beside it."""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from saurodrome.client.tournaments import AsyncTournamentClient
from saurodrome.server.app import Serving
from saurodrome.server.app import serve as run_server
from saurodrome.server.cli import house as house_bots
from saurodrome.server.cli.failures import OwnTrouble
from saurodrome.server.cli.home import HOME, address
from saurodrome.server.cli.options import FILE
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.text import count, plural, wrapped
from saurodrome.server.cli.values import whole
from saurodrome.server.config import Config
from saurodrome.server.observer import Observer

INDENT = " " * 11


@click.command()
@click.option(
    "--data",
    type=FILE,
    default=HOME,
    show_default=True,
    help="Data directory; made if it is not there",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to serve on")
@click.option(
    "--bots-port",
    type=click.IntRange(0, 65535),
    default=7741,
    show_default=True,
    help="For bots and organisers; 0 takes a free one",
)
@click.option(
    "--web-port",
    type=click.IntRange(0, 65535),
    default=7742,
    show_default=True,
    help="For pages and metrics; 0 takes a free one",
)
@click.option("--tls-cert", type=FILE, help="Certificate chain, PEM  [default: no TLS]")
@click.option("--tls-key", type=FILE, help="Its key, PEM")
@click.option("--allow-plaintext", is_flag=True, help="No TLS though others than this host can see")
@click.option(
    "--max-matches",
    type=whole(1),
    default=256,
    show_default=True,
    help="In flight at once, over all tournaments",
)
@click.option(
    "--house",
    default=house_bots.DEFAULT,
    show_default=True,
    help="Bots that this server brings along, or none",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    show_default=True,
)
@click.option("--log-console", is_flag=True, help="Log to the terminal, too")
@click.pass_obj
def serve(
    terminal: Terminal,
    data: Path,
    host: str,
    bots_port: int,
    web_port: int,
    tls_cert: Path | None,
    tls_key: Path | None,
    allow_plaintext: bool,
    max_matches: int,
    house: str,
    log_level: str,
    log_console: bool,
) -> int:
    """Serve bots, organisers and browsers until Ctrl-C.

    The first Ctrl-C lets matches in flight end (up to 8 s), the second stops at once; what did
    not end is played again.

    Every option can be set in the environment, too: SAURODROME_SERVE_BOTS_PORT=0.
    """
    config = Config(
        data=data,
        host=host,
        bots_port=bots_port,
        web_port=web_port,
        tls_cert=tls_cert,
        tls_key=tls_key,
        allow_plaintext=allow_plaintext,
        max_matches=max_matches,
        log_level=log_level,
        log_console=log_console,
    )
    return asyncio.run(run(config, house_bots.parse(house), terminal))


async def run(config: Config, house: Sequence[str], terminal: Terminal) -> int:
    """Runs the arbiter until it is told to stop, and gives its exit code."""
    opening: list[tuple[house_bots.House, asyncio.Task[None]]] = []

    def ready(serving: Serving) -> None:
        terminal.print(lines(config, serving))
        if house:
            keeper = house_of(config, serving, house, terminal)
            opening.append((keeper, asyncio.create_task(keeper.open())))

    try:
        return await run_server(config, ready=ready, observer=StoreTrouble(terminal))
    finally:
        for keeper, task in opening:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await keeper.close()


class StoreTrouble(Observer):
    """Says on the terminal that results cannot be stored, and that they can be again."""

    def __init__(self, terminal: Terminal) -> None:
        """Has said nothing yet."""
        self._terminal = terminal
        self._said = ""

    def commit_failed(self, code: str, message: str, retry: float) -> None:
        """Says it once for each kind of trouble."""
        if code != self._said:
            self._said = code
            reason = message.removeprefix(f"[{code}] ").rstrip(".")
            trouble = OwnTrouble(
                code,
                f"results cannot be stored: {reason}. They are kept and tried again.",
                do="mend the disk while this server runs; what is not stored when it ends is"
                " played again",
            )
            self._terminal.note(trouble.format(kind="warning").split("\n"))

    def commit_done(self, items: int, seconds: float) -> None:
        """Says it once after trouble."""
        if self._said:
            self._said = ""
            self._terminal.note("results are stored again")


def house_of(
    config: Config, serving: Serving, names: Sequence[str], terminal: Terminal
) -> house_bots.House:
    """Makes the keeper of the house's bots: they reach the server as everybody does."""
    server = address(config.host, serving.bots_port)
    client = partial(
        AsyncTournamentClient,
        server=server,
        token_file=serving.admin_token_path,
        ca=config.tls_cert,
    )
    arguments = ["--server", server]
    if config.tls_cert is not None:
        arguments += ["--ca", str(config.tls_cert.absolute())]
    return house_bots.House(names, config.data / "house", client, arguments, terminal.note)


def lines(config: Config, serving: Serving) -> list[str]:
    """Says what was recovered and where everything is."""
    said: list[str] = []
    for progress in serving.running:
        name = progress.tournament.settings.name
        said += wrapped(
            f"recovered  {name} at log position {count(progress.position)}:"
            f" {count(progress.done)} of {plural(progress.total, 'match')} done; goes on"
            " when its bots are back",
            INDENT,
        )
    if serving.void:
        attempts = plural(serving.void, "match")
        said += wrapped(f"{INDENT}{attempts} in flight at the end: void, played again", INDENT)
    bots = address(config.host, serving.bots_port)
    web = address(config.host, serving.web_port)
    said.append(f"serving    bots {bots}   web http://{web}   metrics /metrics")
    said.append(f"token      {serving.admin_token_path}   for organisers; readable only by you")
    return said
