"""`saurodrome logs`: what the server's log tells of a match."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from saurodrome.client import InputError
from saurodrome.server.cli.home import HOME
from saurodrome.server.cli.options import FILE, json_option
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.text import WIDTH, plural, span, wrapped
from saurodrome.server.log import LOG_FILE
from saurodrome.server.log.story import Event, Story, story
from saurodrome.server.store.records import Termination


@click.group()
def logs() -> None:
    """Read the log of a server on this machine; it need not run."""


@logs.command()
@click.argument("match_id", metavar="ID")
@click.option(
    "--data", type=FILE, default=HOME, show_default=True, help="The server's data directory"
)
@json_option
@click.pass_obj
def match(terminal: Terminal, match_id: str, data: Path) -> None:
    """Tell the story of a match, as the log has it.

    That is its attempts, the comings and goings of its bots, and the server's trouble meanwhile;
    every decision, too, if the server logs at debug. Files that were full and put aside are read
    as well. ID is tournament/round/pairing/seating, as in faults and exports.
    """
    found = story(data / LOG_FILE, match_id)
    if not found.events:
        raise _unknown(found, match_id, data)
    if terminal.json:
        for event in found.events:
            terminal.data(event)
        return
    terminal.print(lines(found, match_id))
    if any(_was_played(event) for event in found.events):
        terminal.next(f"saurodrome replay show {match_id}")


def lines(found: Story, match_id: str) -> Iterator[str]:
    """Gives the story as people read it: the clock of this machine, then what happened."""
    attempts = {event["attempt"] for event in found.events if "attempt" in event}
    yield f"{match_id}   {plural(len(attempts), 'attempt')}, {day(found.events[0])}"
    for event in found.events:
        told = f" {clock(event)}  {words(event)}"
        yield from wrapped(told, " " * 15, WIDTH, hard=True)


def clock(event: Event) -> str:
    """Gives the time of an event by the clock of this machine, to the millisecond."""
    return when(event).strftime("%H:%M:%S.%f")[:-3]


def day(event: Event) -> str:
    """Gives the day of an event."""
    return when(event).strftime("%Y-%m-%d")


def when(event: Event) -> datetime:
    """Gives the moment of an event."""
    return datetime.fromisoformat(str(event["timestamp"])).astimezone()


def words(event: Event) -> str:
    """Gives an event in words; one that is not known here by its fields."""
    tell = _WORDS.get(str(event["event"]), _fields)
    return tell(event) + _left_out(event)


def _started(event: Event) -> str:
    return f"attempt {event['attempt']} begins: {', '.join(event['bots'])}"


def _finished(event: Event) -> str:
    seats = zip(event["placements"], event["bots"], event["points"], strict=True)
    table = ", ".join(f"{place} {bot} {points}" for place, bot, points in sorted(seats))
    faults = _sums(event, "late") + _sums(event, "illegal")
    return (
        f"result {event['position']}, {event['termination']} after {span(event['seconds'])}:"
        f" {table}{faults}"
    )


def _sums(event: Event, kind: str) -> str:
    counts = zip(event["bots"], event.get(kind, ()), strict=False)
    named = ", ".join(f"{bot} {number}" for bot, number in counts if number)
    return f"; {kind}: {named}" if named else ""


def _decision(event: Event) -> str:
    return f"{event['bot']} {event['verdict']} in {span(event['charged'])}"


def _fields(event: Event) -> str:
    hidden = {"timestamp", "level", "event", "logger", "exception", "match", "left_out"}
    fields = ", ".join(f"{key} {value}" for key, value in event.items() if key not in hidden)
    return f"{event['event']}: {fields}" if fields else str(event["event"])


def _left_out(event: Event) -> str:
    return f" ({plural(event['left_out'], 'line')} like it left out)" if "left_out" in event else ""


_WORDS: Mapping[str, Callable[[Any], str]] = {
    "match started": _started,
    "match finished": _finished,
    "match void": lambda e: f"attempt {e['attempt']} is void: {e['reason']}",
    "forfeit": lambda e: f"{e['bot']} forfeits: {e['kind']}",
    "session opened": lambda e: f"{e['bot']} is here: {e['sdk']} {e['bot_version']}".rstrip(),
    "session closed": lambda e: f"{e['bot']} went: {e['reason']}",
    "loop stalled": lambda e: f"the arbiter stood still for {span(e['seconds'])}",
    "decision": _decision,
}


def _was_played(event: Event) -> bool:
    """Whether an event is the end of an attempt that has a match record."""
    played = event.get("termination") not in (Termination.ABSENT, Termination.NO_CONTEST)
    return bool(event["event"] == "match finished" and played)


def _unknown(found: Story, match_id: str, data: Path) -> InputError:
    if not found.files:
        what, do = f"There is no {LOG_FILE}.", "name the server's data directory with --data"
    else:
        what = f"The log tells nothing of a match {match_id[:80]!a}."
        do = "take an ID of tournament faults or of an export; lines before that time are gone"
    where = f"{data / LOG_FILE}, which begins at {found.since}" if found.since else str(data)
    return InputError("UNKNOWN_MATCH", what, where=where, do=do)
