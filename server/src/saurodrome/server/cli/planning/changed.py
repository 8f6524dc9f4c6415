"""A file whose tournament exists already: what it would change, and what can be done instead."""

from collections.abc import Iterator
from functools import reduce

from saurodrome.client import InputError, SaurodromeError
from saurodrome.client.tournaments import Tournament, TournamentClient
from saurodrome.engine import registry
from saurodrome.server.cli.planning.file import TournamentFile
from saurodrome.server.cli.planning.keys import KEYS
from saurodrome.server.cli.states import state
from saurodrome.server.cli.text import moment
from saurodrome.server.rpc.settings import from_message
from saurodrome.server.settings import TournamentSettings

_MORE = 3
_OTHER_NAME = "set another `name` in the file: this one stays taken, also after a cancel"


def taken(file: TournamentFile, client: TournamentClient) -> InputError | None:
    """Say what has the name of a file's tournament, and what the file has otherwise.

    The settings of a tournament never change, so that all its matches are played alike, and a
    name is never used again, since results and records are known by it.

    Returns:
        What to say, or None if the server does not tell.
    """
    try:
        now = client.get(file.settings.name)
    except SaurodromeError:
        return None
    keys = list(_different(file, from_message(now.settings, registry.games())))
    if state(now) in ("RUNNING", "PAUSED"):
        return _of_running(file, now, keys)
    return _of_planned(file, keys) if state(now) == "PLANNED" else _of_over(file, now)


def _of_running(file: TournamentFile, now: Tournament, keys: list[str]) -> InputError:
    name = file.settings.name
    if not keys:
        what, where = f"{name} is {state(now).lower()} already, with these settings.", "name"
        return InputError(
            "RUNNING", what, where=file.where(where), do=f"saurodrome tournament watch {name}"
        )
    return InputError(
        "RUNNING",
        f"{_named(keys)} cannot change after the start.",
        where=_lines(file, keys),
        do=f"pause, enter, withdraw, readmit and void work while {name} runs; for other settings"
        f" {_OTHER_NAME}",
    )


def _of_planned(file: TournamentFile, keys: list[str]) -> InputError:
    name = file.settings.name
    if not keys:
        begin = f"saurodrome tournament start {name}"
        starts = file.settings.start_at
        return InputError(
            "NAME_TAKEN",
            f"{name} exists already and is planned, with these settings.",
            where=file.where("name"),
            do=f"{begin}, or wait until {moment(starts)}" if starts else begin,
        )
    return InputError(
        "NAME_TAKEN",
        f"{name} is planned already, with another {_named(keys)}.",
        where=_lines(file, keys),
        do=f"{_OTHER_NAME}; if that one is not to be played: saurodrome tournament cancel {name}",
    )


def _of_over(file: TournamentFile, now: Tournament) -> InputError:
    return InputError(
        "NAME_TAKEN",
        f"{file.settings.name} exists already, and is {state(now).lower()}.",
        where=file.where("name"),
        do=_OTHER_NAME,
    )


def _named(keys: list[str]) -> str:
    others = f" (and {len(keys) - 1} more)" if len(keys) > 1 else ""
    return f"`{keys[0]}`{others}"


def _lines(file: TournamentFile, keys: list[str]) -> str:
    return "; ".join(file.where(key) for key in keys[:_MORE])


def _different(file: TournamentFile, theirs: TournamentSettings) -> Iterator[str]:
    """Yield the keys that differ, but for those that only follow from others."""
    seen = {"house"} if "time.sealed" in (file.lines or {}) else {"house", "time.sealed"}
    for key in KEYS:
        if key.field not in seen and _value(file.settings, key.field) != _value(theirs, key.field):
            yield key.path
        seen.add(key.field)


def _value(settings: TournamentSettings, field: str) -> object:
    value: object = reduce(getattr, field.split("."), settings)
    return value
