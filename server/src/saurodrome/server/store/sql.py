"""The store on a SQL database."""

from collections.abc import Collection, Mapping
from typing import Any

import sqlalchemy as sa

from saurodrome.server.store import refusals, rows, sql_access, sql_log, sql_tournaments
from saurodrome.server.store.access import Act, NewAct, NewToken, Place, Token
from saurodrome.server.store.database import Database
from saurodrome.server.store.records import (
    Attempts,
    Batch,
    Bot,
    Counts,
    Event,
    Fault,
    Kept,
    NewBot,
    NewEvent,
    NewTournament,
    Result,
    Tournament,
    TournamentState,
    first_token,
)
from saurodrome.server.store.schema import BOTS, EVENTS, FAULTS, RESULTS, TOURNAMENTS


class SqlStore:
    """Bots, tournaments and the log in tables."""

    def __init__(self, database: Database) -> None:
        """Stands on a database, which `open` opens."""
        self._database = database

    async def open(self) -> None:
        """Opens or creates the database; see `Store.open`."""
        await self._database.open()

    async def close(self) -> None:
        """Closes the database; twice is once."""
        await self._database.close()

    async def add_bot(self, new: NewBot) -> Bot:
        """Registers a bot; see `Store.add_bot`."""

        def work(connection: sa.Connection) -> Bot:
            if row := _requested(connection, BOTS, new.request_id):
                return rows.bot(row)
            if _named(connection, BOTS, new.name):
                raise refusals.name_taken("bot", new.name)
            connection.execute(BOTS.insert(), rows.bot_values(new))
            sql_access.add_token(connection, first_token(new), replace=False)
            return rows.bot(_named(connection, BOTS, new.name))

        return await self._database.write(work)

    async def bots(self) -> tuple[Bot, ...]:
        """All bots, by name."""
        found = await self._all(sa.select(BOTS))
        return tuple(sorted(map(rows.bot, found), key=lambda bot: bot.name))

    async def tokens(self, after: int = 0) -> tuple[Token, ...]:
        """Tokens, oldest first; see `Store.tokens`."""
        return await self._database.read(lambda c: sql_access.tokens(c, after))

    async def add_token(self, new: NewToken, *, replace: bool = False) -> Token:
        """Keeps a token; see `Store.add_token`."""
        return await self._database.write(lambda c: sql_access.add_token(c, new, replace=replace))

    async def revoke_token(self, token_id: str, when: float) -> Token:
        """Ends a token; see `Store.revoke_token`."""
        return await self._database.write(lambda c: sql_access.revoke_token(c, token_id, when))

    async def add_act(self, new: NewAct) -> int:
        """Appends an entry to the audit log; see `Store.add_act`."""
        return await self._database.write(lambda c: sql_access.add_act(c, new))

    async def end_act(self, number: int, outcome: str) -> None:
        """Notes how an act came out."""
        await self._database.write(lambda c: sql_access.end_act(c, number, outcome))

    async def acts(self, before: int | None = None, limit: int = 500) -> tuple[Act, ...]:
        """The audit log, newest first; see `Store.acts`."""
        return await self._database.read(lambda c: sql_access.acts(c, before, limit))

    async def drop_records(self, ended_before: float, limit: int) -> tuple[Place, ...]:
        """Deletes old match records; see `Store.drop_records`."""
        return await self._database.write(lambda c: sql_access.drop_records(c, ended_before, limit))

    async def add_tournament(self, new: NewTournament) -> Tournament:
        """Creates a tournament; see `Store.add_tournament`."""
        name = new.settings.name

        def work(connection: sa.Connection) -> Tournament:
            if row := _requested(connection, TOURNAMENTS, new.request_id):
                return rows.tournament(row)
            if _named(connection, TOURNAMENTS, name):
                raise refusals.name_taken("tournament", name)
            connection.execute(TOURNAMENTS.insert(), rows.tournament_values(new))
            return rows.tournament(_named(connection, TOURNAMENTS, name))

        return await self._database.write(work)

    async def tournaments(self) -> tuple[Tournament, ...]:
        """All tournaments, oldest first."""
        found = await self._all(sa.select(TOURNAMENTS).order_by(TOURNAMENTS.c.number))
        return tuple(map(rows.tournament, found))

    async def going(self) -> tuple[Tournament, ...]:
        """The tournaments that are not over, oldest first."""
        return await self._database.read(sql_tournaments.going)

    async def over(self, before: int | None, limit: int) -> tuple[Kept, ...]:
        """Tournaments that are over, newest first; see `Store.over`."""
        return await self._database.read(lambda c: sql_tournaments.over(c, before, limit))

    async def over_counts(self) -> Mapping[TournamentState, int]:
        """How many tournaments are over, by state."""
        return await self._database.read(sql_tournaments.over_counts)

    async def tournament(self, name: str) -> Kept | None:
        """One tournament; None if none is called that."""
        return await self._database.read(lambda c: sql_tournaments.named(c, name))

    async def tournament_names(self, limit: int) -> tuple[str, ...]:
        """The first names of tournaments in their order."""
        return await self._database.read(lambda c: sql_tournaments.names(c, limit))

    async def set_counts(self, name: str, counts: Counts) -> None:
        """Notes what the log of a tournament comes to; see `Store.set_counts`."""
        await self._database.write(lambda c: sql_tournaments.set_counts(c, name, counts))

    async def void_attempts(self, tournament: str) -> int:
        """How many attempts at its matches were void."""
        return await self._database.read(lambda c: sql_log.void_attempts(c, tournament))

    async def set_state(self, name: str, state: TournamentState, when: float) -> Tournament:
        """Moves a tournament to a state; see `Store.set_state`."""

        def work(connection: sa.Connection) -> Tournament:
            row = _named(connection, TOURNAMENTS, name)
            if not row:
                raise refusals.unknown_tournament(name)
            moved = rows.tournament(row).moved(state, when)
            connection.execute(
                TOURNAMENTS.update()
                .where(TOURNAMENTS.c.name == name)
                .values(state=state.value, started=moved.started, ended=moved.ended, counts=None)
            )
            return moved

        return await self._database.write(work)

    async def add_event(self, new: NewEvent) -> Event:
        """Appends an event; see `Store.add_event`."""

        def work(connection: sa.Connection) -> Event:
            if not _named(connection, TOURNAMENTS, new.tournament):
                raise refusals.unknown_tournament(new.tournament)
            if new.bot and not _named(connection, BOTS, new.bot):
                raise refusals.unknown_bot(new.bot)
            sql_tournaments.forget_counts(connection, new.tournament)
            return sql_log.add_event(connection, new)

        return await self._database.write(work)

    async def events(self, tournament: str) -> tuple[Event, ...]:
        """The events of a tournament, oldest first."""
        wanted = sa.select(EVENTS).where(EVENTS.c.tournament == tournament)
        return tuple(map(rows.event, await self._all(wanted.order_by(EVENTS.c.number))))

    async def commit(self, batch: Batch) -> Collection[str]:
        """Commits a batch, all or nothing; see `Store.commit`."""
        return await self._database.write(lambda c: sql_log.commit(c, batch))

    async def stored(self, match_ids: Collection[str]) -> Mapping[str, Result]:
        """Those of the matches that have a result; see `Store.stored`."""
        matches = list(match_ids)
        return await self._database.read(lambda c: sql_log.stored(c, matches))

    async def last_position(self, tournament: str) -> int:
        """The position of the newest result, 0 if there is none."""
        last = sa.select(sa.func.max(RESULTS.c.position))
        found = await self._all(last.where(RESULTS.c.tournament == tournament))
        return found[0][0] or 0

    async def results(
        self, tournament: str, after: int = 0, limit: int | None = None
    ) -> tuple[Result, ...]:
        """Results in the order of the log; see `Store.results`."""
        return await self._database.read(lambda c: sql_log.results(c, tournament, after, limit))

    async def record(self, match_id: str, attempt: int = 0) -> bytes | None:
        """A match record; see `Store.record`."""
        return await self._database.read(lambda c: sql_log.record(c, match_id, attempt))

    async def faults(
        self, tournament: str, bot: str = "", before: int | None = None, limit: int = 500
    ) -> tuple[tuple[int, Fault], ...]:
        """Faults with their ids, newest first; see `Store.faults`."""
        query = sa.select(FAULTS).where(FAULTS.c.tournament == tournament)
        if bot:
            query = query.where(FAULTS.c.bot == bot)
        if before is not None:
            query = query.where(FAULTS.c.number < before)
        found = await self._all(query.order_by(FAULTS.c.number.desc()).limit(limit))
        return tuple(map(rows.fault, found))

    async def attempts(self, tournament: str) -> Mapping[str, Attempts]:
        """Attempts of matches that have no result; see `Store.attempts`."""
        return await self._database.read(lambda c: sql_log.attempts(c, tournament))

    async def void_open_leases(self, reason: str, when: float) -> int:
        """Makes every attempt that was in flight void; see `Store.void_open_leases`."""
        return await self._database.write(lambda c: sql_log.void_open_leases(c, reason, when))

    async def ratings(self, tournament: str) -> Mapping[str, float]:
        """The live Elo of every bot that has a rating event; see `Store.ratings`."""
        return await self._database.read(lambda c: sql_log.ratings(c, tournament))

    async def _all(self, query: sa.Select[Any]) -> list[Any]:
        """Reads all rows of a query in a transaction of its own."""

        def work(connection: sa.Connection) -> list[Any]:
            return list(connection.execute(query).all())

        return await self._database.read(work)


def _named(connection: sa.Connection, table: sa.Table, name: str) -> Any:
    return connection.execute(sa.select(table).where(table.c.name == name)).first()


def _requested(connection: sa.Connection, table: sa.Table, request_id: str) -> Any:
    if not request_id:
        return None
    wanted = sa.select(table).where(table.c.request_id == request_id)
    return connection.execute(wanted).first()
