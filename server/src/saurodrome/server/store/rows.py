"""Rows of the tables as records, and records as rows."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Row

from saurodrome.server.store.records import (
    Bot,
    Counts,
    Event,
    EventKind,
    Fault,
    Kept,
    NewBot,
    NewTournament,
    RatedSeat,
    Result,
    Termination,
    Tournament,
    TournamentState,
)
from saurodrome.server.store.settings_json import from_json, to_json

Values = dict[str, Any]
"""A row to write: values by column."""


def bot_values(new: NewBot) -> Values:
    """The row of a bot to register."""
    return new._asdict() | {"request_id": new.request_id or None}


def bot(row: Row[Any]) -> Bot:
    """The bot of a row."""
    found = Bot._make(row)
    return found._replace(request_id=found.request_id or "")


def tournament_values(new: NewTournament) -> Values:
    """The row of a tournament to create."""
    return {
        "name": new.settings.name,
        "settings": to_json(new.settings),
        "state": TournamentState.PLANNED.value,
        "rules_version": new.rules_version,
        "created": new.created,
        "request_id": new.request_id or None,
        "deal_key": new.deal_key or None,
    }


def tournament(row: Row[Any]) -> Tournament:
    """The tournament of a row."""
    return Tournament(
        row.number,
        from_json(row.settings),
        TournamentState(row.state),
        row.rules_version,
        row.created,
        row.request_id or "",
        row.started,
        row.ended,
        row.deal_key or b"",
    )


def kept(row: Row[Any]) -> Kept:
    """The tournament of a row, and what its log comes to."""
    return Kept(tournament(row), None if row.counts is None else Counts(**row.counts))


def event_values(event: Event) -> Values:
    """The row of an event."""
    values = event._asdict() | {"kind": event.kind.value}
    values |= {key: values[key] or None for key in ("bot", "match_id", "request_id")}
    values["at"] = values.pop("when")
    return values


def event(row: Row[Any]) -> Event:
    """The event of a row."""
    return Event(
        row.number,
        row.tournament,
        row.position,
        EventKind(row.kind),
        row.bot or "",
        row.match_id or "",
        row.role,
        row.reason,
        row.who,
        row.at,
        row.request_id or "",
    )


def result_values(result: Result) -> Values:
    """The row of a result, without its seats."""
    return {
        "tournament": result.tournament,
        "position": result.position,
        "follows": result.position - 1 if result.position > 1 else None,
        "match_id": result.match_id,
        "attempt": result.attempt,
        "termination": result.termination.value,
        "ended": result.when,
    }


def seat_values(result: Result) -> Iterable[Values]:
    """The rows of a result's seats."""
    for number, seat in enumerate(result.seats):
        key = {"tournament": result.tournament, "position": result.position, "seat": number}
        yield key | seat._asdict()


def result(row: Row[Any], seats: Iterable[Row[Any]]) -> Result:
    """The result of a row and the rows of its seats, by seat."""
    return Result(
        row.position,
        row.tournament,
        row.match_id,
        row.attempt,
        Termination(row.termination),
        tuple(RatedSeat._make(seat[3:]) for seat in seats),
        row.ended,
        row.has_record,
    )


def fault_values(fault: Fault) -> Values:
    """The row of a fault."""
    values = fault._asdict()
    values["bot"] = fault.bot or None
    values["time_limit"] = values.pop("limit")
    values["at"] = values.pop("when")
    return values


def fault(row: Row[Any]) -> tuple[int, Fault]:
    """The number and the fault of a row."""
    found = Fault._make(row[1:])
    return row.number, found._replace(bot=found.bot or "")
