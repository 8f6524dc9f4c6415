"""Settings as a configuration file that explains itself; what looks like a token is masked."""

import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from saurodrome.server.config.load import DEFAULT, Loaded, load
from saurodrome.server.config.settings import SETTINGS, Setting, Value

WIDTH = 80
"""Columns of a comment."""
_TOKEN = re.compile(r"(srd_[a-z]+_[a-z2-7]+)_[a-z2-7]+")
_HEAD = (
    "Settings of `saurodrome serve`. Each is asked for in this order, the first answer counts: a"
    " flag, the environment, this file, the default. Paths count from this file's folder. Those"
    " marked SIGHUP change without a restart when the process gets that signal."
)


def masked(text: str) -> str:
    """A text without the secret parts of tokens in it."""
    return _TOKEN.sub(r"\1_***", text)


def documented(loaded: Loaded | None = None) -> str:
    """A configuration file with every setting, what it is for, and where its value comes from.

    Args:
        loaded: The settings to show; None shows the defaults, all commented out.
    """
    shown = loaded or load(None, {})
    lines = [*_comment(_HEAD)]
    table = ""
    for setting in SETTINGS:
        of, _, name = setting.key.rpartition(".")
        lines.append("")
        if of != table:
            lines += [f"[{of}]"]
            table = of
        origin = "" if loaded is None else f"from {shown.origins[setting.field]}"
        lines += _setting(setting, name, shown.values[setting.field], origin, loaded is None)
    return "\n".join(lines) + "\n"


def _setting(
    setting: Setting, name: str, value: Value, origin: str, defaults: bool
) -> Iterator[str]:
    yield from _comment(f"{setting.about}{' SIGHUP.' if setting.reload else ''}")
    flag = (
        ""
        if isinstance(setting.default, bool)
        else f" {setting.kind.name.upper().replace(' ', '_')}"
    )
    yield f"# {setting.flag}{flag}, {setting.variable}"
    line = f"{name} = {toml(setting, value)}"
    off = "# " if defaults or value is None else ""
    yield f"{off}{line}{f'  # {origin}' if origin and origin != f'from {DEFAULT}' else ''}"


def toml(setting: Setting, value: Value) -> str:
    """A value as TOML writes it."""
    if setting.kind.name == "names":
        names = [] if value == "none" else value.split(",")
        return json.dumps(names, ensure_ascii=False)
    if value is None:
        return '""'
    if isinstance(value, str | Path):
        return json.dumps(masked(str(value)), ensure_ascii=False)
    return json.dumps(value)


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="# ")
