"""`saurodrome serve`: runs the arbiter, with the bots of the house beside it."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import click

from saurodrome.client.tournaments import AsyncTournamentClient
from saurodrome.server import loop
from saurodrome.server.app import Serving
from saurodrome.server.app import serve as run_server
from saurodrome.server.cli import house as house_bots
from saurodrome.server.cli.aside import Aside
from saurodrome.server.cli.failures import OwnTrouble
from saurodrome.server.cli.home import address, web_address
from saurodrome.server.cli.server_options import server_options
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.text import count, plural, wrapped
from saurodrome.server.config import Config, Loaded
from saurodrome.server.listening import is_loopback
from saurodrome.server.observer import Observer

INDENT = " " * 11
Note = Callable[[str | Iterable[str]], None]


@click.command()
@server_options
@click.pass_obj
def serve(terminal: Terminal, loading: Callable[[], Loaded]) -> int:
    """Serve bots, organisers and browsers until Ctrl-C.

    The first Ctrl-C lets matches in flight end (up to --drain seconds), the second stops at once;
    what did not end is played again. SIGHUP reads limits and log level anew.

    Every flag can stand in a configuration file and in the environment, too, as in
    SAURODROME_SERVE_BOTS_PORT=0; `saurodrome config show` lists them. A flag counts more than the
    environment, and that more than the file.
    """
    config = loading().config()
    house = house_bots.parse(config.house)
    return loop.run(run(config, house, terminal, lambda: loading().config()))


async def run(
    config: Config, house: Sequence[str], terminal: Terminal, reload: Callable[[], Config]
) -> int:
    """Runs the arbiter until it is told to stop, and gives its exit code."""
    opening: list[tuple[house_bots.House, asyncio.Task[None]]] = []
    aside = Aside(terminal.symbols)

    def ready(serving: Serving) -> None:
        terminal.print(lines(config, serving))
        terminal.note(warnings(config))
        if house:
            keeper = house_of(config, serving, house, aside.note)
            opening.append((keeper, asyncio.create_task(keeper.open())))

    try:
        observer = StoreTrouble(aside.note)
        return await run_server(config, ready=ready, observer=observer, reload=reload)
    finally:
        for keeper, task in opening:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await keeper.close()
        aside.close()


class StoreTrouble(Observer):
    """Says on the terminal that results cannot be stored, and that they can be again."""

    def __init__(self, note: Note) -> None:
        """Has said nothing yet; `note` writes lines, and must not wait for who reads them."""
        self._note = note
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
            self._note(trouble.format(kind="warning").split("\n"))

    def commit_done(self, items: int, seconds: float, waited: float | None = None) -> None:
        """Says it once after trouble."""
        if self._said:
            self._said = ""
            self._note("results are stored again")


def house_of(
    config: Config, serving: Serving, names: Sequence[str], note: Note
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
    return house_bots.House(names, config.data / "house", client, arguments, note)


def warnings(config: Config) -> list[str]:
    """Says what an operator should know before anybody comes."""
    if config.tls_cert or is_loopback(config.host):
        return []
    return wrapped(
        f"warning[PLAINTEXT] {config.host} is served without TLS: whoever can listen in on the way"
        " reads every token. Only a proxy that ends TLS may reach it.",
        INDENT,
    )


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
        said += wrapped(
            f"void       {attempts} in flight at the end, in all tournaments together:"
            " played again",
            INDENT,
        )
    bots = address(config.host, serving.bots_port)
    tls = bool(config.tls_cert and config.tls_web)
    web = web_address(config.web_host or config.host, serving.web_port, tls=tls)
    said.append(f"serving    bots {bots}   web {web}   metrics /metrics")
    said.append(f"token      {serving.admin_token_path}   for organisers; readable only by you")
    return said
