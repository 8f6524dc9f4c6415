"""Options that many commands share, and what follows from them: which server, which token."""

import os
import shlex
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

import click

from saurodrome.server.cli.home import running_server

if TYPE_CHECKING:  # these load grpc, which takes longer than most commands
    from saurodrome.client.admin import AdminClient
    from saurodrome.client.tournaments import TournamentClient

P = ParamSpec("P")
R = TypeVar("R")
FILE = click.Path(path_type=Path)


class Connection(NamedTuple):
    """How a command reaches the server, as far as it was told."""

    server: str | None = None
    token_file: Path | None = None
    tls: bool = False
    ca: Path | None = None

    def client(self) -> "TournamentClient":
        """Makes an organiser's client.

        Raises:
            InputError: There is no token, or an argument is wrong.
        """
        from saurodrome.client.tournaments import TournamentClient

        return TournamentClient(
            server=self.address(), token_file=self.token_file, tls=self.tls, ca=self.ca
        )

    def admin(self) -> "AdminClient":
        """Makes an administrator's client.

        Raises:
            InputError: There is no token, or an argument is wrong.
        """
        from saurodrome.client.admin import AdminClient

        return AdminClient(
            server=self.address(), token_file=self.token_file, tls=self.tls, ca=self.ca
        )

    def address(self) -> str | None:
        """The server: as told, else the one that runs on `.saurodrome`; None: the usual one."""
        if self.server or os.environ.get("SAURODROME_SERVER"):
            return self.server
        running = running_server()
        return running.address if running else None


_ORGANISERS = (
    "tournament",
    "bot register",
    "bot list",
    "bot token",
    "bot report",
    "token ",
    "audit",
    "replay show",
    "replay ask",
)
"""Commands that ask a server as organisers do."""


def reaching(command: str) -> str:
    """Adds to a command what the present one was told of the server, if that one asks it, too.

    The token of an organiser is none for a bot.
    """
    context = click.get_current_context(silent=True)
    connection = context.meta.get("connection") if context is not None else None
    words = command.removeprefix("saurodrome ")
    if not isinstance(connection, Connection) or "&&" in words or ".play" in words:
        return command
    told = [("--server", connection.server), ("--ca", connection.ca)]
    if words.startswith(_ORGANISERS):
        told.append(("--token-file", connection.token_file))
    elif not words.startswith("bot run"):
        return command
    options = [f" {option} {shlex.quote(str(value))}" for option, value in told if value]
    tls = " --tls" if connection.tls and not connection.ca else ""
    return f"{command}{''.join(options)}{tls}"


def connection_options(function: Callable[..., R]) -> Callable[..., R]:
    """Adds --server, --token-file, --tls and --ca, and passes them on as `connection`.

    They may stand after `saurodrome` as well as after any command that asks the server.
    """

    @click.option("--server", metavar="HOST:PORT", help="Server [default: the one on .saurodrome]")
    @click.option("--token-file", type=FILE, help="Token [default: the one in .saurodrome]")
    @click.option("--tls", is_flag=True, help="Speak TLS")
    @click.option("--ca", type=FILE, help="Certificates to trust [default: the system's]")
    @click.pass_context
    @wraps(function)
    def command(
        context: click.Context,
        /,
        *args: Any,
        server: str | None,
        token_file: Path | None,
        tls: bool,
        ca: Path | None,
        **kwargs: Any,
    ) -> R:
        before = context.meta.get("connection", Connection())
        connection = Connection(
            server or before.server,
            token_file or before.token_file,
            tls or before.tls or ca is not None,
            ca or before.ca,
        )
        context.meta["connection"] = connection
        return function(*args, connection=connection, **kwargs)

    return command


json_option = click.option(
    "--json", is_flag=True, expose_value=False, help="Print JSON, for scripts"
)
