"""Tokens and the audit log in SQL."""

from typing import Any

import sqlalchemy as sa

from saurodrome.server.store import refusals
from saurodrome.server.store.access import Act, NewAct, NewToken, Place, Role, Token
from saurodrome.server.store.schema import ACTS, RECORDS, RESULTS, TOKENS, TOURNAMENTS


def tokens(connection: sa.Connection, after: int) -> tuple[Token, ...]:
    """Tokens with numbers behind `after`, oldest first."""
    newer = sa.select(TOKENS).where(TOKENS.c.number > after).order_by(TOKENS.c.number)
    return tuple(map(_token, connection.execute(newer)))


def add_token(connection: sa.Connection, new: NewToken, *, replace: bool) -> Token:
    """Keeps a token, in the place of the holder's others in this role if it replaces them."""
    if replace:
        living = (TOKENS.c.holder == new.holder) & (TOKENS.c.role == new.role.value)
        connection.execute(
            TOKENS.update().where(living, TOKENS.c.revoked.is_(None)).values(revoked=new.issued)
        )
    connection.execute(TOKENS.insert(), new._asdict() | {"role": new.role.value})
    return _token(_row(connection, new.token_id))


def revoke_token(connection: sa.Connection, token_id: str, when: float) -> Token:
    """Ends a token; one that was ended keeps its time."""
    own = TOKENS.c.token_id == token_id
    connection.execute(TOKENS.update().where(own, TOKENS.c.revoked.is_(None)).values(revoked=when))
    if row := _row(connection, token_id):
        return _token(row)
    raise refusals.unknown_token(token_id)


def add_act(connection: sa.Connection, new: NewAct) -> int:
    """Appends an entry without an outcome; gives its number."""
    values = new._asdict() | {"role": new.role.value}
    values["at"] = values.pop("when")
    key = connection.execute(ACTS.insert(), values).inserted_primary_key
    number: int = key[0] if key else 0
    return number


def end_act(connection: sa.Connection, number: int, outcome: str) -> None:
    """Notes how an act came out."""
    connection.execute(ACTS.update().where(ACTS.c.number == number).values(outcome=outcome))


def acts(connection: sa.Connection, before: int | None, limit: int) -> tuple[Act, ...]:
    """At most `limit` entries, newest first, with numbers below `before`."""
    query = sa.select(ACTS).order_by(ACTS.c.number.desc()).limit(limit)
    if before is not None:
        query = query.where(ACTS.c.number < before)
    return tuple(Act._make(row)._replace(role=Role(row.role)) for row in connection.execute(query))


def drop_records(connection: sa.Connection, ended_before: float, limit: int) -> tuple[Place, ...]:
    """Deletes match records of tournaments that ended before a time; gives whose."""
    old = (
        sa.select(RECORDS.c.match_id, RECORDS.c.attempt, RESULTS.c.tournament, RESULTS.c.position)
        .join(
            RESULTS,
            (RESULTS.c.match_id == RECORDS.c.match_id) & (RESULTS.c.attempt == RECORDS.c.attempt),
        )
        .join(TOURNAMENTS, TOURNAMENTS.c.name == RESULTS.c.tournament)
        .where(TOURNAMENTS.c.ended < ended_before)
        .limit(limit)
    )
    found = connection.execute(old).all()
    keys = [{"m": row.match_id, "a": row.attempt} for row in found]
    if keys:
        one = (RECORDS.c.match_id == sa.bindparam("m")) & (RECORDS.c.attempt == sa.bindparam("a"))
        connection.execute(RECORDS.delete().where(one), keys)
    return tuple((row.tournament, row.position) for row in found)


def _row(connection: sa.Connection, token_id: str) -> Any:
    return connection.execute(sa.select(TOKENS).where(TOKENS.c.token_id == token_id)).first()


def _token(row: Any) -> Token:
    return Token._make(row)._replace(role=Role(row.role))
