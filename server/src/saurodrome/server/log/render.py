"""Events as lines: JSON for machines, columns for people. No value can forge a line or a colour."""

import json
from collections.abc import Mapping
from typing import Any

MAX_CHARS = 2_000
"""Characters of a value; tracebacks may have four times as many."""

_AS_JSON = json.JSONEncoder(default=ascii).encode
_FIRST = ("timestamp", "level", "event")


def shorten(event: Mapping[str, Any]) -> dict[str, Any]:
    """The event, time and level first, with long texts cut: they may come from anybody."""
    first = {key: event[key] for key in _FIRST if key in event}
    return {key: _cut(key, value) for key, value in {**first, **event}.items()}


def json_line(event: Mapping[str, Any]) -> str:
    """One JSON object in ASCII: what is not printable is escaped."""
    return _AS_JSON(event)


def console_line(event: Mapping[str, Any]) -> str:
    """Time, level, event and `key=value`; tracebacks stay in the file."""
    clock = str(event.get("timestamp", ""))[11:19]
    fields = [f"{key}={_plain(value)}" for key, value in event.items() if key not in _HIDDEN]
    level = str(event.get("level", ""))
    return " ".join((clock, f"{level:<7}", _plain(event.get("event"), quote=False), *fields))


_HIDDEN = {*_FIRST, "exception", "logger"}


def _cut(key: str, value: Any) -> Any:
    limit = MAX_CHARS * 4 if key == "exception" else MAX_CHARS
    if not isinstance(value, str) or len(value) <= limit:
        return value
    return value[:limit] + "..."


def _plain(value: Any, *, quote: bool = True) -> str:
    """A value for a terminal: `isprintable` leaves out control and direction marks."""
    text = value if isinstance(value, str) else json.dumps(value, default=ascii)
    if not text.isprintable():
        return json.dumps(text)
    return f'"{text}"' if quote and isinstance(value, str) and (" " in text or not text) else text
