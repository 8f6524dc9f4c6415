"""A tournament's log, from the server or from an export, and the tables that follow from it.

The same functions that make the server's tables make these, so each figure is the same to the
last digit, at any position; without the server, too.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from saurodrome.client import InputError
from saurodrome.client.tournaments import (
    EventKind,
    Match,
    Standings,
    TournamentClient,
    TournamentEvent,
)
from saurodrome.engine import registry
from saurodrome.server.contracts import Progress
from saurodrome.server.rating.fit import Fit, fit_pool
from saurodrome.server.rating.matches import RatedMatch
from saurodrome.server.rpc import convert
from saurodrome.server.rpc.settings import from_message
from saurodrome.server.schedule import ScheduleError
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.store import records
from saurodrome.server.store.records import Event, RatedSeat, Result, Termination
from saurodrome.server.store.settings_json import from_json, to_json
from saurodrome.server.tournament.course import Counted
from saurodrome.server.tournament.ledger import Ledger, rated_match
from saurodrome.server.tournament.table import MEAN, anchor_of, as_of, table

SETTINGS = "tournament.json"
"""The file of an export that holds settings, owners and events."""
MATCHES = "matches.jsonl"
"""The file of an export that holds the results."""


class Log(NamedTuple):
    """All that tables follow from."""

    settings: TournamentSettings
    owners: Mapping[str, str]
    display_names: Mapping[str, str]
    results: tuple[Result, ...]
    events: tuple[Event, ...]

    def counted(self, position: int | None = None, event: int | None = None) -> Counted:
        """Gives what counted at a position; at the end, when left out.

        Raises:
            InputError: The log does not go so far, or this version cannot follow it.
        """
        last = len(self.results)
        position = last if position is None else position
        if position > last or (event or 0) > len(self.events):
            raise InputError(
                "UNKNOWN_POSITION",
                f"The log has {last} results and {len(self.events)} events.",
                where="--log",
                do="name an earlier position",
            )
        try:
            return as_of(
                self.settings,
                lambda bot: self.owners.get(bot, ""),
                self.results,
                self.events,
                position=position,
                event=event,
            )
        except ScheduleError as error:
            raise InputError(
                "UNKNOWN_FORMAT",
                f"This version cannot follow the log: {error.what}",
                where=SETTINGS,
                do="use the version that wrote it",
            ) from None

    def table(self, counted: Counted) -> Standings:
        """Gives the published table of what counted, as the server sends it."""
        record = records.Tournament(0, self.settings, records.TournamentState.RUNNING, 0, 0.0, "")
        done = Progress(record, counted.position, counted.position, position=counted.position)
        return convert.table(table(self.settings, counted, done, self.display_name))

    def fitted(self, counted: Counted) -> Fit:
        """Gives the fit behind the table, with covariances."""
        ledger = Ledger(self.settings)
        ledger.take(counted)
        return fit_pool(ledger.pool, mean=MEAN, anchor=anchor_of(self.settings, ledger))

    def rated(self, counted: Counted) -> dict[str, RatedMatch]:
        """Gives the rated matches by match id, in the order of the log."""
        fillers = frozenset(self.settings.fillers)
        matches = ((r.match_id, rated_match(r, fillers)) for r in counted.results)
        return {match_id: match for match_id, match in matches if match is not None}

    def display_name(self, bot: str) -> str:
        """Gives what people read of a bot."""
        return self.display_names.get(bot, bot)


def of_server(client: TournamentClient, name: str) -> Log:
    """Fetches a log."""
    bots = {bot.name: bot for bot in client.list_bots()}
    matches, events = tuple(client.matches(name)), tuple(client.events(name))
    return Log(
        from_message(client.get(name).settings, registry.games()),
        {bot: known.owner for bot, known in bots.items()},
        {bot: known.display_name for bot, known in bots.items()},
        tuple(map(result_of, matches)),
        tuple(event_of(name, event) for event in events),
    )


def of_export(path: Path) -> Log:
    """Reads a log from an export: its folder, or the file of its results.

    Raises:
        InputError: It is none.
    """
    folder = path if path.is_dir() else path.parent
    matches = folder / MATCHES if path.is_dir() else path
    with readable(folder / SETTINGS), (folder / SETTINGS).open(encoding="utf-8") as file:
        told = json.load(file)
        settings = from_json(told["settings"])
        events = tuple(
            Event(**(event | {"kind": records.EventKind(event["kind"])}))
            for event in told["events"]
        )
        owners, display_names = dict(told["owners"]), dict(told["display_names"])
    with readable(matches), matches.open(encoding="utf-8") as file:
        results = tuple(result_from(settings.name, json.loads(line)) for line in file)
    return Log(settings, owners, display_names, results, events)


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Says of a file that cannot be read what is wrong with it.

    Raises:
        InputError: NO_EXPORT.
    """
    try:
        yield
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise InputError(
            "NO_EXPORT",
            f"{path} is no file of an export: {type(error).__name__} {error}"[:300],
            where=str(path),
            do="write one: saurodrome tournament export NAME --to FOLDER",
        ) from None


def written(log: Log, position: int, event: int) -> dict[str, Any]:
    """Gives what `tournament.json` holds."""
    return {
        "settings": to_json(log.settings),
        "log_position": position,
        "event": event,
        "owners": dict(log.owners),
        "display_names": dict(log.display_names),
        "events": [one._asdict() | {"kind": one.kind.value} for one in log.events],
    }


def result_of(match: Match) -> Result:
    """Gives a result of the wire as the server's own tables take it."""
    seats = (
        RatedSeat._make(getattr(seat, name) for name in RatedSeat._fields) for seat in match.seats
    )
    return Result(
        match.log_position,
        match.match_id.partition("/")[0],
        match.match_id,
        match.attempt,
        Termination(match.termination),
        tuple(seats),
        match.ended.ToNanoseconds() / 1e9,
        match.has_record,
    )


def result_from(name: str, line: Mapping[str, Any]) -> Result:
    """Gives a result of an export as the server's own tables take it."""
    return Result(
        line["log_position"],
        name,
        line["match_id"],
        line["attempt"],
        Termination(line["termination"]),
        tuple(RatedSeat(**seat) for seat in line["seats"]),
        0.0,
        line["record"] is not None,
    )


def event_from(told: Mapping[str, Any]) -> Event:
    """Gives an event of an export."""
    return Event(**{**told, "kind": records.EventKind(told["kind"])})


def event_of(name: str, event: TournamentEvent) -> Event:
    """Gives an event of the wire as the server's own tables take it."""
    kind = EventKind.Name(event.kind).removeprefix("EVENT_KIND_").lower()
    return Event(
        event.number,
        name,
        event.log_position,
        records.EventKind(kind),
        event.bot,
        event.match_id,
        event.role,
        event.reason,
        event.who,
        event.when.ToNanoseconds() / 1e9,
        "",
    )
