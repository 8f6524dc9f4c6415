"""Brings a database's schema up to date: Alembic, run by the program itself."""

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

VERSION_TABLE = "alembic_version"


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", "saurodrome.server.store:migrations")
    return config


def known() -> tuple[str, ...]:
    """The schema versions that this program knows, newest first."""
    return tuple(r.revision for r in ScriptDirectory.from_config(_config()).walk_revisions())


def steps(since: str) -> tuple[tuple[str, str], ...]:
    """The migrations that a schema of some version is short of, first to last: number, about."""
    newer = ScriptDirectory.from_config(_config()).iterate_revisions("head", since)
    return tuple((r.revision, (r.doc or "").rstrip(".")) for r in newer)[::-1]


def upgrade(connection: sa.Connection, to: str = "head") -> None:
    """Runs the migrations that are missing, inside the connection's transaction.

    Either all of them are committed with it or none; a schema that is up to date is left
    alone.
    """
    if MigrationContext.configure(connection).get_current_revision() == known()[0]:
        return
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, to)
