"""Puts the settings together from flags, environment and file, and says what is wrong with them."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from saurodrome.server.config.config import Config
from saurodrome.server.config.settings import (
    BY_FIELD,
    BY_KEY,
    ENVIRONMENT,
    SETTINGS,
    BadValue,
    Setting,
    Value,
)
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.nearest import did_you_mean, nearest_path

FLAG, VARIABLE, FILE, DEFAULT = "flag", "environment", "file", "default"
"""Where a value may come from; the first that has one counts."""


class Loaded(NamedTuple):
    """Settings and what is wrong with what was given.

    Attributes:
        values: Every setting by its field.
        origins: Where each comes from: flag, environment, file or default.
        problems: Everything that is refused; nothing may be served then.
    """

    values: Mapping[str, Value]
    origins: Mapping[str, str]
    problems: tuple[Refused, ...] = ()

    def config(self) -> Config:
        """The settings.

        Raises:
            Refused: The first problem, if there is one.
        """
        if self.problems:
            raise self.problems[0]
        return Config(**self.values)

    def count(self, origin: str) -> int:
        """How many settings come from somewhere."""
        return sum(one == origin for one in self.origins.values())


def load(
    file: Path | None, environment: Mapping[str, str], flags: Mapping[str, Value] | None = None
) -> Loaded:
    """Puts all settings together. Raises nothing: what is wrong is told by `problems`.

    Args:
        file: A configuration file, TOML.
        environment: Variables; those that begin with `ENVIRONMENT` are settings.
        flags: Values by field, as the command line has them.
    """
    problems: list[Refused] = []
    values = {setting.field: setting.default for setting in SETTINGS}
    origins = dict.fromkeys(values, DEFAULT)
    for origin, found in (
        (FILE, _from_file(file, problems) if file else iter(())),
        (VARIABLE, _from_environment(environment, problems)),
        (FLAG, ((BY_FIELD[f], value, BY_FIELD[f].flag) for f, value in (flags or {}).items())),
    ):
        for setting, given, where in found:
            try:
                values[setting.field] = _parsed(setting, given, file if origin == FILE else None)
                origins[setting.field] = origin
            except BadValue as error:
                problems.append(_bad_value(setting, given, where, str(error)))
    return Loaded(values, origins, tuple(problems))


def _parsed(setting: Setting, given: Value, file: Path | None) -> Value:
    """The value; a path in a file counts from the file's folder."""
    value = setting.kind.parse(str(given) if isinstance(given, Path) else given)
    return file.parent / value if file is not None and isinstance(value, Path) else value


Found = Iterator[tuple[Setting, Value, str]]


def _from_environment(environment: Mapping[str, str], problems: list[Refused]) -> Found:
    by_variable = {setting.variable: setting for setting in SETTINGS}
    for name in sorted(environment):
        if not name.startswith(ENVIRONMENT) or name == f"{ENVIRONMENT}CONFIG":
            continue
        if name in by_variable:
            yield by_variable[name], environment[name], name
        else:
            problems.append(_unknown(name, name, by_variable))


def _from_file(file: Path, problems: list[Refused]) -> Found:
    try:
        text = file.read_text("utf-8")
        tables = tomllib.loads(text)
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        problems.append(_no_file(file, reason))
        return
    except UnicodeDecodeError:
        problems.append(_no_file(file, "it is no text in UTF-8"))
        return
    except tomllib.TOMLDecodeError as error:
        problems.append(_no_toml(file, str(error)))
        return
    for key, value in _flat(tables):
        where = f"{file}, line {line_of(text, key)}"
        if key in BY_KEY:
            yield BY_KEY[key], value, where
        else:
            problems.append(_unknown(key, where, BY_KEY))


def _flat(tables: Mapping[str, Value], before: str = "") -> Iterator[tuple[str, Value]]:
    for name, value in tables.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield before + name, value


def line_of(text: str, key: str) -> int:
    """The line of a file where a key is set, from 1; the first one if it is not found."""
    table, _, name = key.rpartition(".")
    inside = ""
    for number, line in enumerate(text.splitlines(), 1):
        head = re.match(r"\s*\[\s*([^\[\]]+?)\s*\]", line)
        inside = head[1] if head else inside
        wanted = name if inside == table else key if not inside else None
        if wanted and re.match(rf"\s*[\"']?{re.escape(wanted)}[\"']?\s*=", line):
            return number
    return 1


def _unknown(name: str, where: str, known: Mapping[str, object]) -> Refused:
    do = did_you_mean(nearest_path(name, known))
    return Refused(
        Kind.INVALID,
        "UNKNOWN_SETTING",
        f"`{name[:80]}` is no setting.",
        where,
        f"{do}all: saurodrome config show",
    )


def _bad_value(setting: Setting, given: Value, where: str, do: str) -> Refused:
    return Refused(
        Kind.INVALID,
        "BAD_SETTING",
        f"{setting.key} cannot be {str(given)[:60]!a}.",
        where,
        do,
    )


def _no_file(file: Path, reason: str) -> Refused:
    return Refused(
        Kind.INVALID,
        "NO_CONFIG",
        f"The configuration file cannot be used: {reason}.",
        str(file),
        "check the path and who may read it",
    )


def _no_toml(file: Path, reason: str) -> Refused:
    line = re.search(r"\(at line (\d+)", reason)
    return Refused(
        Kind.INVALID,
        "BAD_TOML",
        f"The configuration file is no TOML: {reason.partition(' (at ')[0].rstrip('.')}.",
        f"{file}, line {line[1]}" if line else str(file),
        "each line is a [table], `name = value` or a comment; texts stand between quotes",
    )
