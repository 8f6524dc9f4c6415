"""`saurodrome bot run`: lets a bot play at a server and shows how it fares."""

from collections.abc import Callable
from pathlib import Path

import click

from saurodrome.client import (
    Bot,
    Connected,
    Disconnected,
    Draining,
    Event,
    Faulted,
    Judged,
    Leaving,
    Status,
    load,
)
from saurodrome.server.cli.options import FILE, Connection, connection_options
from saurodrome.server.cli.terminal import Progress, Terminal
from saurodrome.server.cli.text import WIDTH, plural, wrapped


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
@click.option("--matches", type=click.IntRange(1), help="Leave after so many  [default: never]")
@connection_options
@click.pass_obj
def run(
    terminal: Terminal,
    file: Path,
    name: str | None,
    concurrency: int,
    matches: int | None,
    connection: Connection,
) -> int:
    """Let the bot in FILE play at the server until Ctrl-C.

    Its token comes from --token-file, SAURODROME_TOKEN or .saurodrome/NAME.token. It connects
    again whenever the connection breaks. The first Ctrl-C takes no new matches and finishes
    the open ones, the second stops at once.
    """
    progress = Progress(terminal)
    runner = Bot(
        load(file),
        server=connection.address(),
        token_file=connection.token_file,
        name=name,
        matches=matches,
        max_concurrent=concurrency,
        tls=connection.tls,
        ca=connection.ca,
        on_event=reporter(terminal, progress),
    )
    try:
        status = runner.run()
    finally:
        progress.close(str(runner.status))
    return 128 + status.stopped_by if status.stopped_by else 0


def reporter(terminal: Terminal, progress: Progress) -> Callable[[Event, Status], None]:
    """Makes what shows events as they come, and the figures after them."""

    def tell(event: Event, status: Status) -> None:
        said = words(event)
        if said:
            terminal.note(said)
        progress.show(str(status))

    return tell


def words(event: Event) -> list[str]:
    """Says an event; nothing where the figures say it all."""
    match event:
        case Connected():
            text = f"connected as {event.bot} to {event.server}   server {event.server_version}"
            if event.open_matches:
                text += f"   {plural(event.open_matches, 'match')} goes on"
            return wrapped(text)
        case Disconnected(error, retry_in, 1):
            again = f"  tries again in {retry_in:.1f} s, and so on; Ctrl-C stops"
            return [*error.format(width=WIDTH, kind="warning").split("\n"), again]
        case Faulted():
            lines = event.error.format(width=WIDTH, kind="warning").split("\n")
            return [*lines, f"         saved: {event.saved}"] if event.saved else lines
        case Judged():
            return wrapped(f"{event.kind}: {event.message}", "  ")
        case Draining():
            return wrapped(f"the server stops in {event.seconds:.0f} s: {event.reason}", "  ")
        case Leaving():
            open_matches = plural(event.open_matches, "match")
            return [f"no new matches; {open_matches} to finish; Ctrl-C again stops at once"]
    return []
