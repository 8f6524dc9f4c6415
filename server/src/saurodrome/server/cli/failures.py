"""From exceptions to the error form and the exit code."""

import os
import re
import secrets
import sys
import tempfile
import traceback
from collections.abc import Iterable
from pathlib import Path

import click

from saurodrome.client import InputError, SaurodromeError, ServerTrouble
from saurodrome.engine.errors import (
    BadComponents,
    BadPlayerCount,
    EngineError,
    PlaythroughError,
    ReplayMismatch,
    UnknownGame,
    UnknownVariant,
)
from saurodrome.server.config import Config
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.nearest import did_you_mean, nearest
from saurodrome.server.store.interface import StoreTrouble

NO = 1
"""Exit code of a command whose answer is "no": a check failed, a bot made a fault."""
SEE_THE_DISK = "look after the disk and the data directory, then start again"
STORE_ADVICE = {
    "STORE_FULL": "make room on the disk, then start again",
    "STORE_READONLY": "let this user read and write it, or name another directory with --data",
    "STORE_LOCKED": "end the other program that has it open",
}
_INPUT = (Kind.INVALID, Kind.NOT_FOUND, Kind.EXISTS, Kind.WRONG_STATE)
"""Kinds of refusals that another command line would not have got, as the client has it, too."""
STOPPED = 130
"""Exit code after Ctrl-C."""


class AnswerIsNo(Exception):
    """A command did its work, and the answer is "no": exit code 1, nothing more to say."""


class OwnTrouble(ServerTrouble):
    """Trouble of this machine: a port, a disk, a process that does not start."""


def readable(error: Exception) -> SaurodromeError:
    """Gives any exception as what, where and what to do."""
    match error:
        case SaurodromeError(code="NOT_PUBLISHED"):
            error.where = as_key(error.where)
            return error
        case SaurodromeError():
            return error
        case click.ClickException():
            return from_click(error)
        case Refused():
            return from_server(error)
        case StoreTrouble():
            what = sentence(str(error).partition("] ")[2])
            return OwnTrouble(error.code, what, do=STORE_ADVICE.get(error.code, SEE_THE_DISK))
        case EngineError():
            return from_engine(error)
        case PermissionError() | FileNotFoundError() | IsADirectoryError() | NotADirectoryError():
            return from_file(error)
        case _:
            return unexpected(error)


def from_click(error: click.ClickException) -> SaurodromeError:
    """Turns a wrong command line into an error with the nearest right word."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "saurodrome"
    helps = f"{path} --help"
    match error:
        case click.exceptions.NoSuchCommand():
            given = error.command_name
            known = context.command.list_commands(context) if context is not None else []
            return InputError(
                "UNKNOWN_COMMAND",
                f"`{given}` is no command.",
                where=f"after `{path}`",
                do=nearest_of(given, known, helps),
            )
        case click.NoSuchOption():
            given = error.option_name
            return InputError(
                "UNKNOWN_OPTION",
                f"`{given}` is no option.",
                where=path,
                do=nearest_of(given, _options(context), helps),
            )
        case click.exceptions.NoArgsIsHelpError():
            known = context.command.list_commands(context) if context is not None else []
            do = f"one of: {', '.join(known)}" if known else helps
            return InputError("MISSING_COMMAND", f"`{path}` alone does nothing.", where=path, do=do)
        case click.MissingParameter():
            return InputError(
                "MISSING_ARGUMENT",
                f"{_name(error.param)} is missing.",
                where=path,
                do=_usage(context) or helps,
            )
        case click.BadParameter():
            return InputError(
                "BAD_VALUE",
                sentence(error.message),
                where=f"{path}, {_name(error.param)}",
                do=nearest_choice(error.param, error.message) or helps,
            )
    return InputError("USAGE", sentence(error.format_message()), where=path, do=helps)


def nearest_of(given: str, known: Iterable[str], otherwise: str) -> str:
    """Names the word that was probably meant, and where all of them are listed."""
    return f"{did_you_mean(nearest(given, known))}all: {otherwise}"


def nearest_choice(parameter: click.Parameter | None, message: str) -> str:
    """Names the choice that was probably meant by a value that is none."""
    given = re.match(r"'(.*?)' is not one of", message)
    if parameter is None or not isinstance(parameter.type, click.Choice) or given is None:
        return ""
    choices = [str(choice) for choice in parameter.type.choices]
    return did_you_mean(nearest(given[1], choices)).strip()


def _options(context: click.Context | None) -> list[str]:
    if context is None:
        return []
    parameters = context.command.get_params(context)
    return [name for p in parameters for name in p.opts if name.startswith("--")]


def _name(parameter: click.Parameter | None) -> str:
    if parameter is None:
        return "an argument"
    if isinstance(parameter, click.Argument):
        return parameter.make_metavar(click.Context(click.Command("")))
    return max(parameter.opts, key=len)


def _usage(context: click.Context | None) -> str:
    if context is None:
        return ""
    pieces = context.command.collect_usage_pieces(context)
    return " ".join([context.command_path, *pieces])


def sentence(text: str) -> str:
    """Gives a text a capital letter and a full stop."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")


def from_server(error: Refused) -> SaurodromeError:
    """Turns what the server itself refused, in this process, into an error."""
    kind: type[SaurodromeError] = InputError if error.kind in _INPUT else OwnTrouble
    return kind(error.code, error.what, where=as_option(error.where), do=error.do)


def as_option(where: str) -> str:
    """Names the option of `serve` that gives a field of its configuration, such as bots_port."""
    return f"--{where.replace('_', '-')}" if where in Config.__dataclass_fields__ else where


def as_key(where: str) -> str:
    """Names the key of a tournament's file that sets a field, such as settings.publish_live."""
    from saurodrome.server.cli.planning.file import in_keys  # takes long to load, and is rare

    return in_keys(where)


def from_engine(error: EngineError) -> SaurodromeError:
    """Turns what the rules say about an argument or a record into an error."""
    match error:
        case UnknownGame():
            what = f"There is no game `{error.name}`."
            do = nearest_of(error.name, error.known, ", ".join(error.known))
            return InputError("UNKNOWN_GAME", what, do=do)
        case UnknownVariant():
            what = f"{error.game} has no variant `{error.name}`."
            do = nearest_of(error.name, error.known, ", ".join(error.known))
            return InputError("UNKNOWN_VARIANT", what, do=do)
        case BadPlayerCount():
            known = ", ".join(map(str, error.known))
            what = f"{error.game} cannot be played by {error.players}."
            return InputError("BAD_PLAYERS", what, do=f"one of: {known}")
        case BadComponents():
            where = f"{error.file}, {error.entry}" if error.entry else error.file
            do = "correct that file; engine/README.md says what a set consists of"
            return InputError("BAD_COMPONENTS", sentence(error.reason), where=where, do=do)
        case PlaythroughError():
            code = f"RECORD_{type(error).__name__.upper()}"
            where = f"line {error.line}"
            return InputError(code, sentence(error.what), where=where, do=error.do)
        case ReplayMismatch():
            where = f"step {error.step}" + ("" if error.seat is None else f", seat {error.seat}")
            what = sentence(error.what)
            return Differs(
                "DIFFERS", what, where=where, do="not a record of this server, or edited"
            )
    return InputError("BAD_VALUE", sentence(str(error)))


class Differs(SaurodromeError):
    """A record and the rules disagree: the answer is "no"."""

    exit_code = NO


def from_file(error: OSError) -> SaurodromeError:
    """Turns a file that cannot be read or written into an error."""
    what = f"{error.filename}: {(error.strerror or 'cannot be used').lower()}."
    return InputError("BAD_FILE", what, do="check the path and who may read and write it")


def unexpected(error: Exception) -> SaurodromeError:
    """Keeps the traceback of a fault of this program in a file, and says where."""
    number = secrets.token_hex(2)
    last = traceback.extract_tb(error.__traceback__)[-1:]
    place = f"{Path(last[0].filename).name} line {last[0].lineno}" if last else "unknown"
    kept = Path(tempfile.gettempdir()) / f"saurodrome-{number}.txt"
    text = "".join(traceback.format_exception(error))
    try:
        kept.write_text(f"{sys.argv}\n{text}")
    except OSError:
        kept = Path(os.devnull)
    return OwnTrouble(
        "INTERNAL",
        f"id {number}: {type(error).__name__}: {str(error) or 'no message'}",
        where=f"{place}; all of it is in {kept}",
        do="this is a fault of saurodrome, not yours: report it with that file",
    )
