"""Finds the story of a match in the log: its own lines, and what befell its bots and the server."""

import json
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

Event: TypeAlias = Mapping[str, Any]

OF_BOTS = {"session opened", "session closed"}
"""Events that belong to a match while their bot plays it."""
OF_SERVER = {"loop stalled", "commit failed", "store works again", "settings reloaded"}
"""Events that belong to every match that is under way."""
ENDS = {"match finished", "match void"}


class Story(NamedTuple):
    """What the log tells of a match.

    Attributes:
        events: In the order in which they were logged.
        since: The time of the log's oldest line; empty if there is no log.
        files: The files that were read, the oldest first.
    """

    events: tuple[Event, ...]
    since: str
    files: tuple[Path, ...]


def story(log: Path, match_id: str) -> Story:
    """Reads a log and the full files that were kept of it.

    Args:
        log: The file that is written now; the others lie beside it.
        match_id: The match, as in results: tournament/round/pairing/seating.
    """
    files = tuple(kept_files(log))
    since = ""
    found: list[Event] = []
    bots: set[str] = set()
    for event in (event for file in files for event in events(file)):
        since = since or str(event.get("timestamp", ""))
        if event.get("match") == match_id:
            found.append(event)
            kind = event.get("event")
            if kind == "match started":
                bots = set(event.get("bots", ()))
            elif kind in ENDS:
                bots = set()
        elif bots and _belongs(event, bots):
            found.append(event)
    return Story(tuple(found), since, files)


def kept_files(log: Path) -> Iterator[Path]:
    """The full files of a log and the present one, the oldest first."""
    full = []
    for number in count(1):
        file = log.with_name(f"{log.name}.{number}")
        if not file.exists():
            break
        full.append(file)
    yield from reversed(full)
    if log.exists():
        yield log


def events(file: Path) -> Iterator[Event]:
    """The lines of a file as events; one that was cut off by a crash or a full disk is passed.

    A file that the server has put aside or dropped meanwhile has none.
    """
    try:
        lines = file.open(encoding="ascii", errors="replace")
    except FileNotFoundError:
        return
    with lines:
        for line in lines:
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if isinstance(event, dict):
                yield event


def _belongs(event: Event, bots: set[str]) -> bool:
    kind = event.get("event")
    return kind in OF_SERVER or (kind in OF_BOTS and event.get("bot") in bots)
