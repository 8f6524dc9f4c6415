"""The log in SQL: committing batches, and reading results and what belongs to them."""

from collections.abc import Callable, Collection, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from operator import itemgetter
from typing import Any

import sqlalchemy as sa

from saurodrome.server.store import rows
from saurodrome.server.store.interface import BadBatch
from saurodrome.server.store.records import (
    Attempts,
    Batch,
    Event,
    NewEvent,
    NewResult,
    Result,
    Void,
)
from saurodrome.server.store.schema import ATTEMPTS, EVENTS, FAULTS, RECORDS, RESULTS, SEATS

PAGE = 200
"""Results read at a time: no statement takes long, and rows do not pile up beside results."""

Key = tuple[str, int]
"""Match id and attempt."""


class Phase(StrEnum):
    """Where an attempt stands."""

    OPEN = "open"
    VOID = "void"
    DONE = "done"


# Statements that are run for every group of matches are made once: making one costs more than
# running it.
_MATCHES: sa.BindParameter[str] = sa.bindparam("matches", expanding=True)
_PHASES = sa.select(ATTEMPTS.c.match_id, ATTEMPTS.c.attempt, ATTEMPTS.c.phase).where(
    ATTEMPTS.c.match_id.in_(_MATCHES)
)
_END = ATTEMPTS.update().where(
    ATTEMPTS.c.match_id == sa.bindparam("match_id"), ATTEMPTS.c.attempt == sa.bindparam("attempt")
)
_INSERTS = tuple(table.insert() for table in (ATTEMPTS, RESULTS, SEATS, RECORDS, FAULTS))
_RESULT = sa.select(RESULTS, RECORDS.c.match_id.is_not(None).label("has_record")).select_from(
    RESULTS.outerjoin(
        RECORDS,
        (RECORDS.c.match_id == RESULTS.c.match_id) & (RECORDS.c.attempt == RESULTS.c.attempt),
    )
)
_STORED = _RESULT.where(RESULTS.c.match_id.in_(_MATCHES))
_STORED_SEATS = (
    sa.select(SEATS)
    .join(RESULTS)
    .where(RESULTS.c.match_id.in_(_MATCHES))
    .order_by(SEATS.c.tournament, SEATS.c.position, SEATS.c.seat)
)


class _Changes:
    """What a batch changes, given what is stored of its matches.

    Nothing here waits, so the rules of `Store.commit` can be read in one piece.
    """

    def __init__(self, phases: dict[Key, Phase]) -> None:
        self._stored = frozenset(phases)
        self._phases = phases
        # A result and the end of its attempt are written together.
        self.done_before = frozenset(
            match_id for (match_id, _), phase in phases.items() if phase is Phase.DONE
        )
        self._done = set(self.done_before)
        self._attempts: dict[Key, rows.Values] = {}
        self.results: list[rows.Values] = []
        self.seats: list[rows.Values] = []
        self.records: list[rows.Values] = []
        self.faults: list[rows.Values] = []

    def lease(self, key: Key, tournament: str, when: float) -> None:
        """An attempt begins, unless it is known."""
        if key not in self._phases:
            self._move(key, tournament, Phase.OPEN, begun=when)

    def result(self, result: Result, new: NewResult) -> None:
        """A result enters the log, unless its match has one."""
        key = (result.match_id, result.attempt)
        if result.match_id in self._done:
            return
        if self._phases.get(key) is Phase.VOID:
            raise BadBatch(f"{result.match_id}#{result.attempt} is void")
        self._done.add(result.match_id)
        self._move(key, result.tournament, Phase.DONE, ended=result.when)
        self.results.append(rows.result_values(result))
        self.seats += rows.seat_values(result)
        self.faults += map(rows.fault_values, new.faults)
        if new.record is not None:
            self.records.append(
                {"match_id": key[0], "attempt": key[1], "record": new.record},
            )

    def void(self, void: Void) -> None:
        """An attempt ends without counting, unless it is over."""
        key = (void.match_id, void.attempt)
        if self._phases.get(key, Phase.OPEN) is Phase.OPEN:
            self._move(key, void.tournament, Phase.VOID, ended=void.when, reason=void.reason)
            self.faults += map(rows.fault_values, void.faults)

    def _move(self, key: Key, tournament: str, phase: Phase, **values: Any) -> None:
        self._phases[key] = phase
        row = self._attempts.setdefault(
            key,
            {"match_id": key[0], "attempt": key[1], "tournament": tournament}
            | dict.fromkeys(("begun", "ended", "reason")),
        )
        row.update(values, phase=phase.value)

    def attempts(self, *, known: bool) -> list[rows.Values]:
        """The attempts to update if `known`, else those to insert."""
        return [row for key, row in self._attempts.items() if (key in self._stored) is known]


def commit(connection: sa.Connection, batch: Batch) -> Collection[str]:
    """Writes what a batch changes; see `Store.commit`."""
    matches = {result.match_id for result, _ in batch.results}
    matches.update(lease.match_id for lease in batch.leases)
    matches.update(void.match_id for void in batch.voids)
    changes = _known(connection, matches)
    for lease in batch.leases:
        changes.lease((lease.match_id, lease.attempt), lease.tournament, lease.when)
    for result, new in batch.results:
        changes.result(result, new)
    for void in batch.voids:
        changes.void(void)
    ended = changes.attempts(known=True)
    _run(connection, _END, ended, ("phase", "ended", "reason"))
    added = (
        changes.attempts(known=False),
        changes.results,
        changes.seats,
        changes.records,
        changes.faults,
    )
    for insert, values in zip(_INSERTS, added, strict=True):
        _run(connection, insert, values)
    return changes.done_before.intersection(result.match_id for result, _ in batch.results)


def _known(connection: sa.Connection, matches: Collection[str]) -> _Changes:
    found = connection.execute(_PHASES, {"matches": list(matches)})
    return _Changes({(m, a): Phase(phase) for m, a, phase in found})


def _run(
    connection: sa.Connection,
    statement: sa.Insert | sa.Update,
    values: Sequence[rows.Values],
    columns: tuple[str, ...] = (),
) -> None:
    """Runs a statement for each of some rows, all alike, in the driver's own words.

    SQLAlchemy would look at each value of each row, which costs as much as to write it.

    Args:
        connection: Where to.
        statement: What is done with a row.
        values: The rows.
        columns: What is written of them; all that they have if it is empty.
    """
    if values:
        words, in_order = _words(statement, connection.dialect, columns or tuple(values[0]))
        connection.exec_driver_sql(words, list(map(in_order, values)))


@lru_cache(64)
def _words(
    statement: sa.Insert | sa.Update,
    dialect: sa.Dialect,
    columns: tuple[str, ...],
) -> tuple[str, Callable[[rows.Values], tuple[Any, ...]]]:
    """The text of a statement, and what brings the values of a row into the order of its marks."""
    compiled = statement.compile(dialect=dialect, column_keys=columns)
    return str(compiled), itemgetter(*compiled.positiontup or ())


def add_event(connection: sa.Connection, new: NewEvent) -> Event:
    """Appends an event; see `Store.add_event`."""
    own = EVENTS.c.tournament == new.tournament
    if new.request_id:
        again = sa.select(EVENTS).where(own, EVENTS.c.request_id == new.request_id)
        if row := connection.execute(again).first():
            return rows.event(row)
    newest = sa.select(sa.func.max(EVENTS.c.number), sa.func.max(EVENTS.c.position)).where(own)
    number, first = connection.execute(newest).one()
    last = sa.select(sa.func.max(RESULTS.c.position)).where(RESULTS.c.tournament == new.tournament)
    if not (first or 0) <= new.position <= (connection.scalar(last) or 0):
        raise BadBatch(f"no event comes at position {new.position}")
    event = Event((number or 0) + 1, *new)
    connection.execute(EVENTS.insert(), rows.event_values(event))
    return event


def stored(connection: sa.Connection, matches: Sequence[str]) -> dict[str, Result]:
    """Results by match id; see `Store.stored`."""
    found: dict[str, Result] = {}
    for start in range(0, len(matches), PAGE):
        wanted = matches[start : start + PAGE]
        results = connection.execute(_STORED, {"matches": wanted}).all()
        if not results:
            continue
        seats = connection.execute(_STORED_SEATS, {"matches": wanted})
        found.update((r.match_id, r) for r in _together(results, seats.all()))
    return found


def results(
    connection: sa.Connection, tournament: str, after: int, limit: int | None
) -> tuple[Result, ...]:
    """Results in the order of the log; see `Store.results`."""
    found: list[Result] = []
    while limit is None or len(found) < limit:
        size = PAGE if limit is None else min(PAGE, limit - len(found))
        page = _page(connection, tournament, after + len(found), size)
        found += page
        if len(page) < size:
            break
    return tuple(found)


def _page(connection: sa.Connection, tournament: str, after: int, size: int) -> list[Result]:
    # Positions leave no gap, so a page is a range of them.
    in_results, in_seats = (
        (table.c.tournament == tournament) & table.c.position.between(after + 1, after + size)
        for table in (RESULTS, SEATS)
    )
    results = connection.execute(_RESULT.where(in_results).order_by(RESULTS.c.position))
    seats = connection.execute(
        sa.select(SEATS).where(in_seats).order_by(SEATS.c.position, SEATS.c.seat)
    )
    return list(_together(results.all(), seats.all()))


def _together(results: Sequence[Any], seats: Sequence[Any]) -> Iterator[Result]:
    """Puts results and their seats together; the seats of each by seat."""
    of: dict[tuple[str, int], list[Any]] = {}
    for seat in seats:
        of.setdefault((seat[0], seat[1]), []).append(seat)
    for row in results:
        yield rows.result(row, of.get((row.tournament, row.position), ()))


def record(connection: sa.Connection, match_id: str, attempt: int) -> bytes | None:
    """A match record; see `Store.record`."""
    query = sa.select(RECORDS.c.record).where(RECORDS.c.match_id == match_id)
    if attempt:
        query = query.where(RECORDS.c.attempt == attempt)
    else:
        query = query.join(
            RESULTS,
            (RESULTS.c.match_id == RECORDS.c.match_id) & (RESULTS.c.attempt == RECORDS.c.attempt),
        )
    found: bytes | None = connection.scalar(query)
    return found


def attempts(connection: sa.Connection, tournament: str) -> dict[str, Attempts]:
    """Attempts of matches without result; see `Store.attempts`."""
    void = sa.func.sum(sa.case((ATTEMPTS.c.phase == Phase.VOID.value, 1), else_=0))
    found = connection.execute(
        sa.select(ATTEMPTS.c.match_id, sa.func.max(ATTEMPTS.c.attempt), void)
        .where(ATTEMPTS.c.tournament == tournament)
        .where(~sa.exists().where(RESULTS.c.match_id == ATTEMPTS.c.match_id))
        .group_by(ATTEMPTS.c.match_id)
    )
    return {match_id: Attempts(begun, voided) for match_id, begun, voided in found}


def void_attempts(connection: sa.Connection, tournament: str) -> int:
    """How many attempts were void."""
    void = (ATTEMPTS.c.tournament == tournament) & (ATTEMPTS.c.phase == Phase.VOID.value)
    return connection.scalar(sa.select(sa.func.count()).select_from(ATTEMPTS).where(void)) or 0


def void_open_leases(connection: sa.Connection, reason: str, when: float) -> int:
    """Makes attempts in flight void; see `Store.void_open_leases`."""
    done = connection.execute(
        ATTEMPTS.update()
        .where(ATTEMPTS.c.phase == Phase.OPEN.value)
        .values(phase=Phase.VOID.value, ended=when, reason=reason)
    )
    return done.rowcount


def ratings(connection: sa.Connection, tournament: str) -> dict[str, float]:
    """The live Elo by bot; see `Store.ratings`."""
    latest = (
        sa.select(SEATS.c.bot, sa.func.max(SEATS.c.position).label("position"))
        .where(SEATS.c.tournament == tournament, SEATS.c.rated)
        .group_by(SEATS.c.bot)
        .subquery()
    )
    found = connection.execute(
        sa.select(SEATS.c.bot, SEATS.c.elo_after)
        .join(latest, (latest.c.bot == SEATS.c.bot) & (latest.c.position == SEATS.c.position))
        .where(SEATS.c.tournament == tournament)
    )
    return {row.bot: row.elo_after for row in found}
