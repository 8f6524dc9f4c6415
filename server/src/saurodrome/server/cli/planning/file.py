"""Reads a tournament's file into the settings of a tournament; every error names key and line."""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from saurodrome.client import InputError
from saurodrome.engine import registry
from saurodrome.server.cli.planning.keys import KEYS, Key
from saurodrome.server.cli.planning.kinds import BadValue
from saurodrome.server.cli.planning.lines import lines_of
from saurodrome.server.cli.planning.shape import with_entries
from saurodrome.server.cli.usual import players_of, variant_of
from saurodrome.server.errors import Refused
from saurodrome.server.nearest import did_you_mean, nearest_path
from saurodrome.server.rpc.settings import from_message, to_message
from saurodrome.server.settings import (
    NAME,
    Deals,
    Entry,
    Format,
    Publish,
    PublishLive,
    PublishNotes,
    SameOwner,
    Seating,
    TournamentSettings,
)

ALL_KEYS = "all keys: saurodrome tournament plan --keys"
_BY_PATH = {key.path: key for key in KEYS}
_TABLES = {key.path.partition(".")[0] for key in KEYS if "." in key.path}
_FIELDS = {
    "join_timeout": "time.join",
    "strikes_in_match": "faults.strikes",
    "sprt": "sprt",
    "phase_times": "time.phases",
}
_ENUMS = {
    "format": Format,
    "seating": Seating,
    "same_owner": SameOwner,
    "deals": Deals,
    "publish_table": Publish,
    "publish_live": PublishLive,
    "publish_notes": PublishNotes,
}


@dataclass(frozen=True, slots=True)
class TournamentFile:
    """A file that was read: its settings, and what is said of some of them."""

    path: Path
    settings: TournamentSettings
    house: tuple[str, ...] = ()
    """Entrants that are house bots."""
    lines: Mapping[str, int] | None = None

    def where(self, path: str) -> str:
        """Say where a key stands."""
        return _where(self.path, path, self.lines or {})

    def told(self, where: str) -> str:
        """Name key and line instead of a field of the settings."""
        field = re.match(r"(?:settings\.)?(\w+)(.*)", where)
        path = _path_of(field[1]) if field else ""
        if path == "time.phases":  # a table by name here, a list on the wire
            return self.where(path)
        return self.where(path) + (field[2] if field else "") if path else str(self.path)

    def refused(self, error: Refused) -> InputError:
        """Tell a server's refusal by key and line."""
        where = self.told(error.where)
        return InputError(error.code, error.what, where=where, do=in_keys(error.do))


def read(path: Path, entries: int | None = None) -> TournamentFile:
    """Read a file and check it as a server would.

    Args:
        path: The file.
        entries: Check it as if so many bots had entered, if that is more than it names.

    Raises:
        InputError: it is no TOML, a key is unknown, or a value cannot be.
    """
    text = _text_of(path)
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _no_toml(path, str(error)) from None
    lines = lines_of(text)
    found = {key.path: value for key, value in _values(path, tables, lines)}
    bare = TournamentFile(path, _settings(path, found, lines), found.get("entry.house", ()), lines)
    try:
        bots = with_entries(bare.settings, entries)
        full = checked(replace(bare.settings, bots=tuple(bots)))
        return replace(bare, settings=replace(full, bots=bare.settings.bots))
    except Refused as error:
        raise bare.refused(error) from None


def checked(settings: TournamentSettings) -> TournamentSettings:
    """Check settings as the server does.

    Raises:
        Refused: it would refuse them.
    """
    return from_message(to_message(settings), registry.games())


def _text_of(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        raise InputError(
            "BAD_TOML", f"{path} is no text in UTF-8.", where=str(path), do="save it as UTF-8"
        ) from None


def _no_toml(path: Path, reason: str) -> InputError:
    line = re.search(r"\(at line (\d+)", reason)
    return InputError(
        "BAD_TOML",
        f"{path.name} is no TOML: {reason.partition(' (at ')[0].rstrip('.').lower()}.",
        where=f"{path} line {line[1]}" if line else str(path),
        do='each line is a [table], `key = value` or a comment; texts stand between "quotes"',
    )


def _values(
    path: Path, tables: Mapping[str, Any], lines: Mapping[str, int]
) -> Iterator[tuple[Key, Any]]:
    """Yield every key that is set with its value, in the order of the lines."""
    given = sorted(_flat(tables), key=lambda item: lines.get(item[0], 0))
    for name, value in given:
        key = _BY_PATH.get(name)
        if key is None:
            raise _unknown(path, name, lines)
        try:
            yield key, key.kind.read(value)
        except BadValue as error:
            raise InputError(
                "BAD_VALUE",
                f"`{name}` cannot be {_short(value)}.",
                where=_where(path, name, lines),
                do=str(error),
            ) from None


def _flat(tables: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in tables.items():
        if isinstance(value, dict) and not before and (value or name in _TABLES):
            yield from _flat(value, f"{name}.")
        else:
            yield before + name, value


def _unknown(path: Path, name: str, lines: Mapping[str, int]) -> InputError:
    where = _where(path, name, lines)
    do = did_you_mean(nearest_path(name, _BY_PATH)) + ALL_KEYS
    return InputError("UNKNOWN_KEY", f"`{name[:60]}` is no setting.", where=where, do=do)


def _settings(path: Path, found: Mapping[str, Any], lines: Mapping[str, int]) -> TournamentSettings:
    """Put the values into their fields, and what they imply."""
    fields = {key.field: found[key.path] for key in KEYS if key.path in found}
    fields |= {name: enum(fields[name]) for name, enum in _ENUMS.items() if name in fields}
    fields["name"], display = _named(path, found, lines)
    fields.setdefault("display_name", display)
    house = fields.pop("house", ())
    fields["bots"] = (*fields.get("bots", ()), *house)
    fields["game"] = fields.get("game", "draftosaurus")
    fields["variant"] = variant_of(fields["game"], fields.get("variant"))
    fields["players"] = players_of(fields["game"], fields["variant"], fields.get("players"))
    is_open = fields.pop("entry", "entry_until" in fields)
    fields["entry"] = Entry.OPEN if is_open else Entry.ORGANISER
    form = fields.get("format", Format.ROUND_ROBIN)
    if form is Format.LADDER:
        fields.setdefault("seating", Seating.ROTATIONS)
    if form not in (Format.ROUND_ROBIN, Format.GAUNTLET):
        fields.setdefault("rounds", 0)
    return _nested(fields)


def _nested(fields: Mapping[str, Any]) -> TournamentSettings:
    plain = {name: value for name, value in fields.items() if "." not in name}
    settings = TournamentSettings(**plain)
    time = {n[5:]: value for n, value in fields.items() if n.startswith("time.")}
    faults = {n[7:]: value for n, value in fields.items() if n.startswith("faults.")}
    sprt = {n[5:]: value for n, value in fields.items() if n.startswith("sprt.")}
    if "decision" in time:
        time.setdefault("sealed", 10 * time["decision"])
    return replace(
        settings,
        time=settings.time._replace(**time),
        faults=settings.faults._replace(**faults),
        sprt=settings.sprt._replace(**sprt),
    )


def _named(path: Path, found: Mapping[str, Any], lines: Mapping[str, int]) -> tuple[str, str]:
    """Return the name that commands use, and the one that people read."""
    given = found.get("name", path.stem)
    if NAME.match(given):
        return given, ""
    plain = unicodedata.normalize("NFKD", given).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9._-]+", "-", plain).strip("-._")[:32]
    if NAME.match(slug):
        return slug, given
    raise InputError(
        "BAD_NAME",
        f"No name for commands can be made of {_short(given)}.",
        where=_where(path, "name", lines),
        do='set name = "my-tournament", of a-z 0-9 . _ -, and display_name to this',
    )


def _path_of(field: str) -> str:
    """Name the key that sets a field."""
    if field in _FIELDS:
        return _FIELDS[field]
    base = field.removesuffix("_time")
    for key in KEYS:
        if field in (key.field, key.field.rpartition(".")[2]) or key.field == f"time.{base}":
            return key.path
    return ""


def in_keys(do: str) -> str:
    """Speak of keys where the server speaks of fields."""
    return re.sub(r"settings\.(\w+)", lambda m: _path_of(m[1]) or m[1], do)


def _where(path: Path, name: str, lines: Mapping[str, int]) -> str:
    line = _line(name, lines)
    return f"{path} line {line}, {name}" if line else f"{path}, {name}"


def _line(name: str, lines: Mapping[str, int]) -> int | None:
    parts: Sequence[str] = name.split(".")
    paths: Iterable[str] = (".".join(parts[:end]) for end in range(len(parts), 0, -1))
    return next((lines[path] for path in paths if path in lines), None)


def _short(value: Any) -> str:
    text = repr(value) if isinstance(value, str | list) else str(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
