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
from saurodrome.server.form import FORM

PROGRAM = "saurodrome"
COMMANDS = {
    "analyse": ("analyse:analyse", "Show what a search thinks of the choices in a match."),
    "audit": ("access:audit", "Show who asked the server to change something, newest first."),
    "backup": ("data:backup", "Back up all data, also while the server runs."),
    "bot": ("bot:bot", "Write a bot, try it, register it, let it play, see its times."),
    "check": ("check.command:check", "Put a bot of any language through the protocol."),
    "config": ("config:config", "Show and check the settings of a server."),
    "demo": ("demo:demo", "Play a small tournament and check it."),
    "doctor": ("doctor:doctor", "Look for what is wrong with a server and its machine."),
    "games": ("games:games", "List what can be played; needs no server."),
    "logs": ("logs:logs", "Read the log of a server on this machine; it need not run."),
    "migrate": ("data:migrate", "Bring the data of a stopped server to this version's form."),
    "rate": ("rate:rate", "Make a published table again, to the last digit."),
    "rating": ("rating:rating", "Explain ratings, compare bots, look for arranged results."),
    "replay": ("replay:replay", "Look at matches that were played, and check them."),
    "restore": ("data:restore", "Put a backup in the place of a stopped server's data."),
    "score": ("score:score", "Count the points of positions of Draftosaurus."),
    "serve": ("serve:serve", "Serve bots, organisers and browsers until Ctrl-C."),
    "sprt": ("sprt:command", "Test whether BOT is better than AGAINST, sequentially."),
    "token": ("access:token", "Issue, list and revoke tokens; only an administrator may."),
    "tournament": (
        "tournament:tournament",
        "Create tournaments, start and watch them, read their tables.",
    ),
}
"""Where each command lives, and what it does in a line.

Its module is imported when it is asked for, no sooner: some need what takes a second to load.
"""
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
        module, name = COMMANDS[cmd_name][0].split(":")
        command: click.Command = getattr(
            importlib.import_module(f"saurodrome.server.cli.{module}"), name
        )
        say_exit_codes(command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Lists all commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])


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
@click.version_option(
    program_version(), prog_name=PROGRAM, message=f"%(prog)s, version %(version)s, {FORM} arbiter"
)
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
