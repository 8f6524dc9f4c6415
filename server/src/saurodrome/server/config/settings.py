"""The settings by name: where each stands in a file, what it may be, and what it is for."""

import dataclasses
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from saurodrome.server.config.config import Config

ENVIRONMENT = "SAURODROME_SERVE_"
"""How the environment variable of a setting begins; its field follows in capitals."""
LEVELS = ("debug", "info", "warning", "error")
_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off"}

Value = Any
"""A value as TOML has it, or a text from the environment."""


class BadValue(Exception):
    """A value that a setting cannot have; the text says what it may be."""


class Kind(NamedTuple):
    """What a setting may be.

    Attributes:
        name: For people.
        parse: Makes the setting's value of a text or of what TOML has; raises BadValue.
    """

    name: str
    parse: Callable[[Value], Value]


class Setting(NamedTuple):
    """One setting.

    Attributes:
        key: Its place in the file: table and name.
        field: Its field of `Config`, which gives the flag and the environment variable, too.
        kind: What it may be.
        about: What it is for, one sentence or two.
        reload: It changes on SIGHUP, without a restart.
    """

    key: str
    field: str
    kind: Kind
    about: str
    reload: bool = False

    @property
    def flag(self) -> str:
        """Its option of `saurodrome serve`."""
        return f"--{self.field.replace('_', '-')}"

    @property
    def variable(self) -> str:
        """Its environment variable."""
        return ENVIRONMENT + self.field.upper()

    @property
    def default(self) -> Value:
        """What it is when nobody says anything."""
        return DEFAULTS[self.field]


def _text(value: Value) -> str:
    if isinstance(value, str) and value.strip() and value.isprintable():
        return value.strip()
    raise BadValue("write a text between quotes")


def _text_or_none(value: Value) -> str | None:
    return None if value == "" else _text(value)


def _path(value: Value) -> Path:
    return Path(_text(value)).expanduser()


def _flag(value: Value) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().lower() in _TRUE | _FALSE:
        return value.strip().lower() in _TRUE
    raise BadValue("write true or false")


def _whole(least: int, most: int) -> Callable[[Value], int]:
    def parse(value: Value) -> int:
        if isinstance(value, str):
            with suppress(ValueError):
                value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        raise BadValue(f"write a whole number from {least} to {most}")

    return parse


def _seconds(most: float) -> Callable[[Value], float]:
    def parse(value: Value) -> float:
        if isinstance(value, str):
            with suppress(ValueError):
                value = float(value)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if number and 0 <= value <= most:
            return float(value)
        raise BadValue(f"write seconds from 0 to {most:.0f}")

    return parse


def _choice(*choices: str) -> Callable[[Value], str]:
    def parse(value: Value) -> str:
        if isinstance(value, str) and value.strip().lower() in choices:
            return value.strip().lower()
        raise BadValue(f"write one of {', '.join(choices)}")

    return parse


def _names(value: Value) -> str:
    """A list of names, in TOML as an array or by comma; one text by comma."""
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        return ",".join(value) or "none"
    if isinstance(value, str):
        return value.strip() or "none"
    raise BadValue('write a list of names, such as ["greedy", "random"], or []')


def _path_or_none(value: Value) -> Path | None:
    return None if value == "" else _path(value)


PATH = Kind("path", _path)
FILE = Kind("file", _path_or_none)
PORT = Kind("port", _whole(0, 65535))

DEFAULTS: dict[str, Value] = {
    field.name: Path(".saurodrome") if field.name == "data" else field.default
    for field in dataclasses.fields(Config)
}
"""The default of every field. Only here has the data directory one."""

SETTINGS = (
    Setting("data", "data", PATH, "The data directory; made if it is not there."),
    Setting(
        "listen.host",
        "host",
        Kind("address", _text),
        "The address that bots, organisers and browsers reach. 0.0.0.0 is every IPv4 address.",
    ),
    Setting(
        "listen.web_host",
        "web_host",
        Kind("address", _text_or_none),
        "The address of pages, metrics and health alone; empty: that of listen.host.",
    ),
    Setting("listen.bots_port", "bots_port", PORT, "For bots and organisers; 0 takes a free one."),
    Setting("listen.web_port", "web_port", PORT, "For pages and metrics; 0 takes a free one."),
    Setting(
        "listen.allow_plaintext",
        "allow_plaintext",
        Kind("true or false", _flag),
        "No TLS though others than this machine can see: a proxy in front ends it.",
    ),
    Setting(
        "tls.cert",
        "tls_cert",
        FILE,
        "Certificate chain, PEM. A renewed file is taken up within 10 s, without a restart.",
    ),
    Setting("tls.key", "tls_key", FILE, "Its key, PEM, not encrypted."),
    Setting(
        "tls.web",
        "tls_web",
        Kind("true or false", _flag),
        "Pages, metrics and health speak TLS as well, with the same certificate.",
    ),
    Setting(
        "tls.client_ca",
        "tls_client_ca",
        FILE,
        "Authorities, PEM: every client must show a certificate of one of them that bears the"
        " name of its token's holder.",
    ),
    Setting(
        "limits.max_matches",
        "max_matches",
        Kind("whole number", _whole(1, 1_000_000)),
        "Matches in flight at once, over all tournaments.",
        reload=True,
    ),
    Setting(
        "limits.drain",
        "drain",
        Kind("seconds", _seconds(600)),
        "Seconds that matches in flight may take to end after a stop; the rest is played again.",
        reload=True,
    ),
    Setting(
        "retention.records_days",
        "records_days",
        Kind("days", _whole(0, 36_500)),
        "Days that match records are kept after their tournament ended; 0 keeps them always."
        " Results, ratings and faults are always kept.",
        reload=True,
    ),
    Setting(
        "house.bots",
        "house",
        Kind("names", _names),
        "Bots that the server brings along; an empty list brings none.",
    ),
    Setting(
        "log.level",
        "log_level",
        Kind("level", _choice(*LEVELS)),
        "The least level that is logged: debug, info, warning or error.",
        reload=True,
    ),
    Setting(
        "log.console",
        "log_console",
        Kind("true or false", _flag),
        "Log to the standard error, too: JSON lines, or readable ones on a terminal.",
    ),
)
"""All settings, in the order of the file."""

BY_KEY = {setting.key: setting for setting in SETTINGS}
BY_FIELD = {setting.field: setting for setting in SETTINGS}
