"""A file whose tournament runs already: what it would change, and what can be changed instead."""

from collections.abc import Iterator
from functools import reduce

from saurodrome.client import InputError, SaurodromeError
from saurodrome.client.tournaments import TournamentClient
from saurodrome.engine import registry
from saurodrome.server.cli.planning.file import TournamentFile
from saurodrome.server.cli.planning.keys import KEYS
from saurodrome.server.cli.states import state
from saurodrome.server.rpc.settings import from_message
from saurodrome.server.settings import TournamentSettings

_MORE = 3


def running(file: TournamentFile, client: TournamentClient) -> InputError | None:
    """Say that a tournament of this name runs and what the file has otherwise; else None.

    The settings of a tournament never change, so that all its matches are played alike.
    """
    name = file.settings.name
    try:
        now = client.get(name)
    except SaurodromeError:
        return None
    if state(now) not in ("RUNNING", "PAUSED"):
        return None
    keys = list(_different(file, from_message(now.settings, registry.games())))
    if not keys:
        what, where = f"{name} is {state(now).lower()} already, with these settings.", "name"
        return InputError(
            "RUNNING", what, where=file.where(where), do=f"saurodrome tournament watch {name}"
        )
    others = f" (and {len(keys) - 1} more)" if len(keys) > 1 else ""
    return InputError(
        "RUNNING",
        f"`{keys[0]}`{others} cannot change after the start.",
        where="; ".join(file.where(key) for key in keys[:_MORE]),
        do=f"pause, enter, withdraw, readmit and void work while {name} runs; for other settings"
        " cancel it and plan anew, or take another name",
    )


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
