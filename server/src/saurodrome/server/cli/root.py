"""The command `saurodrome`: what it is made of, and how every command ends."""

import importlib
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from saurodrome.client import SaurodromeError
from saurodrome.engine import registry
from saurodrome.engine.games.duelosaur.state import load_game
from saurodrome.server.cli.failures import NO, STOPPED, AnswerIsNo, readable
from saurodrome.server.cli.options import FILE, Connection, connection_options
from saurodrome.server.cli.terminal import Terminal, terminal
from saurodrome.server.cli.text import WIDTH
from saurodrome.server.cli.version import program_version

PROGRAM = "saurodrome"
COMMANDS = {
    "analyse": "analyse:analyse",
    "audit": "access:audit",
    "backup": "data:backup",
    "bot": "bot:bot",
    "check": "check.command:check",
    "config": "config:config",
    "demo": "demo:demo",
    "doctor": "doctor:doctor",
    "games": "games:games",
    "logs": "logs:logs",
    "migrate": "data:migrate",
    "rate": "rate:rate",
    "rating": "rating:rating",
    "replay": "replay:replay",
    "restore": "data:restore",
    "score": "score:score",
    "serve": "serve:serve",
    "sprt": "sprt:command",
    "token": "access:token",
    "tournament": "tournament:tournament",
}
"""Where each command lives: its module is imported when it is asked for, no sooner."""
COMPONENTS = "SAURODROME_COMPONENTS"
"""Where processes that are started find the folder."""
EXIT_CODES = (
    "Exit codes: 0 done; 1 the answer is no; 2 your input; 3 the server cannot be reached or"
    " refused; 4 trouble of the server or this machine; 130 stopped by Ctrl-C."
)


class Lazy(click.Group):
    """A group that imports a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names all commands."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports one command."""
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name].split(":")
        command: click.Command = getattr(
            importlib.import_module(f"saurodrome.server.cli.{module}"), name
        )
        say_exit_codes(command)
        return command


def say_exit_codes(command: click.Command) -> None:
    """Ends the help of a command, and of all below it, with the exit codes."""
    command.epilog = EXIT_CODES
    for one in command.commands.values() if isinstance(command, click.Group) else ():
        say_exit_codes(one)


@click.group(
    PROGRAM,
    cls=Lazy,
    epilog=EXIT_CODES,
    context_settings={
        "max_content_width": WIDTH,
        "help_option_names": ["-h", "--help"],
        "auto_envvar_prefix": "SAURODROME",  # --bots-port of serve: SAURODROME_SERVE_BOTS_PORT
    },
)
@click.version_option(program_version(), prog_name=PROGRAM)
@connection_options
@click.option(
    "--components",
    type=FILE,
    help="Folder of corrected component values of Duelosaur Island  [default: the shipped ones]",
)
def root(connection: Connection, components: Path | None) -> None:
    """Tournaments of board-game bots: an arbiter, its bots and its organisers."""
    if components is not None:
        use_components(components)


def use_components(folder: Path) -> None:
    """Has this process, and those that it starts, play with a folder's component values.

    Raises:
        BadComponents: They cannot be played.
    """
    registry.use(load_game(folder))
    os.environ[COMPONENTS] = str(folder.resolve())


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and gives its exit code: the entry point of the program."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    screen = terminal(json="--json" in given)
    try:
        code = root.main(given or ["--help"], PROGRAM, standalone_mode=False, obj=screen)
        sys.stdout.flush()
    except AnswerIsNo:
        return NO
    except (click.Abort, KeyboardInterrupt):
        return STOPPED
    except BrokenPipeError:  # who reads has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NO
    except Exception as error:
        return report(readable(error), screen)
    return code if isinstance(code, int) else 0


def report(error: SaurodromeError, screen: Terminal) -> int:
    """Shows an error and gives its exit code."""
    if screen.json:
        screen.note(json.dumps({"error": error.as_dict()}))
    else:
        first, *rest = error.format(width=WIDTH).split("\n")
        screen.note(first, style="bold red")
        screen.note(rest)
    return error.exit_code
