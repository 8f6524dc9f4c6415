"""Tournaments in SQL: those that are not over, one after the other, and the others in pages."""

import sqlalchemy as sa

from saurodrome.server.store import rows
from saurodrome.server.store.records import OVER, Counts, Kept, Tournament, TournamentState
from saurodrome.server.store.schema import TOURNAMENTS

_IS_OVER = TOURNAMENTS.c.state.in_([state.value for state in OVER])


def going(connection: sa.Connection) -> tuple[Tournament, ...]:
    """Those that are not over, oldest first."""
    wanted = sa.select(TOURNAMENTS).where(~_IS_OVER).order_by(TOURNAMENTS.c.number)
    return tuple(map(rows.tournament, connection.execute(wanted)))


def over(connection: sa.Connection, before: int | None, limit: int) -> tuple[Kept, ...]:
    """Those that are over, newest first; see `Store.over`."""
    wanted = sa.select(TOURNAMENTS).where(_IS_OVER)
    if before is not None:
        wanted = wanted.where(TOURNAMENTS.c.number < before)
    newest = wanted.order_by(TOURNAMENTS.c.number.desc()).limit(limit)
    return tuple(map(rows.kept, connection.execute(newest)))


def over_counts(connection: sa.Connection) -> dict[TournamentState, int]:
    """How many are over, by state."""
    state = TOURNAMENTS.c.state
    counted = sa.select(state, sa.func.count()).where(_IS_OVER).group_by(state)
    return {TournamentState(value): count for value, count in connection.execute(counted)}


def named(connection: sa.Connection, name: str) -> Kept | None:
    """One by its name."""
    row = connection.execute(sa.select(TOURNAMENTS).where(TOURNAMENTS.c.name == name)).first()
    return rows.kept(row) if row else None


def names(connection: sa.Connection, limit: int) -> tuple[str, ...]:
    """The first names."""
    wanted = sa.select(TOURNAMENTS.c.name).order_by(TOURNAMENTS.c.name).limit(limit)
    return tuple(connection.scalars(wanted))


def set_counts(connection: sa.Connection, name: str, counts: Counts) -> None:
    """Notes what a log comes to."""
    own = TOURNAMENTS.update().where(TOURNAMENTS.c.name == name)
    connection.execute(own.values(counts=counts._asdict()))


def forget_counts(connection: sa.Connection, name: str) -> None:
    """A log has to be read again for what it comes to."""
    noted = (TOURNAMENTS.c.name == name) & TOURNAMENTS.c.counts.is_not(sa.null())
    connection.execute(TOURNAMENTS.update().where(noted).values(counts=None))
