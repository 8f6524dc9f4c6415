"""The tables of the SQL store, as the newest migration leaves them.

Times are Unix seconds, durations seconds, enums their text. A row of `seats` with `rated` is
the rating event of that bot: it holds its live Elo before and after.
"""

import sqlalchemy as sa

METADATA = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(referred_table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

BOTS = sa.Table(
    "bots",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("display_name", sa.Text, nullable=False),
    sa.Column("owner", sa.Text, nullable=False),
    sa.Column("token_id", sa.Text, nullable=False),  # of the token issued at its registration
    sa.Column("token_hash", sa.LargeBinary, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("request_id", sa.Text, unique=True),  # null where none was given
)

TOKENS = sa.Table(
    "tokens",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("token_id", sa.Text, nullable=False, unique=True),
    sa.Column("digest", sa.LargeBinary, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("holder", sa.Text, nullable=False),
    sa.Column("issued", sa.Double, nullable=False),
    sa.Column("expires", sa.Double),  # null: never
    sa.Column("issuer", sa.Text, nullable=False),
    sa.Column("revoked", sa.Double),  # null: it was not
)

ACTS = sa.Table(
    "acts",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("who", sa.Text, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("token_id", sa.Text, nullable=False),
    sa.Column("act", sa.Text, nullable=False),
    sa.Column("subject", sa.Text, nullable=False),
    sa.Column("outcome", sa.Text),  # null while it is not known
)

TOURNAMENTS = sa.Table(
    "tournaments",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("settings", sa.JSON, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("rules_version", sa.Integer, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("request_id", sa.Text, unique=True),
    sa.Column("started", sa.Double),
    sa.Column("ended", sa.Double),
    sa.Column("deal_key", sa.LargeBinary),  # null where every match has a deal of its own
    # What the log comes to once it is over; null where it has to be read for that.
    sa.Column("counts", sa.JSON(none_as_null=True)),
)

ATTEMPTS = sa.Table(
    "attempts",
    METADATA,
    sa.Column("match_id", sa.Text, primary_key=True),
    sa.Column("attempt", sa.Integer, primary_key=True),
    sa.Column("tournament", sa.Text, sa.ForeignKey("tournaments.name"), nullable=False),
    sa.Column("phase", sa.Text, nullable=False),  # open, void or done
    sa.Column("begun", sa.Double),  # null where the end is all that was told
    sa.Column("ended", sa.Double),
    sa.Column("reason", sa.Text),  # of a void attempt
    sa.Index(None, "tournament"),
    sqlite_with_rowid=False,
)

RESULTS = sa.Table(
    "results",
    METADATA,
    sa.Column("tournament", sa.Text, sa.ForeignKey("tournaments.name"), primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
    # The position before this one, which must be there: so the log has no gaps.
    sa.Column("follows", sa.Integer),
    sa.Column("match_id", sa.Text, nullable=False, unique=True),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("termination", sa.Text, nullable=False),
    sa.Column("ended", sa.Double, nullable=False),
    sa.ForeignKeyConstraint(["tournament", "follows"], ["results.tournament", "results.position"]),
    sa.ForeignKeyConstraint(["match_id", "attempt"], ["attempts.match_id", "attempts.attempt"]),
    sa.CheckConstraint(
        "(position = 1 AND follows IS NULL)"
        " OR (position > 1 AND follows IS NOT NULL AND follows = position - 1)",
        name="position",
    ),
    sqlite_with_rowid=False,
)

SEATS = sa.Table(
    "seats",
    METADATA,
    sa.Column("tournament", sa.Text, primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("bot", sa.Text, sa.ForeignKey("bots.name"), nullable=False),
    sa.Column("placement", sa.Integer, nullable=False),
    sa.Column("points", sa.Integer, nullable=False),
    sa.Column("timeouts", sa.Integer, nullable=False),
    sa.Column("illegal", sa.Integer, nullable=False),
    sa.Column("forfeited", sa.Boolean, nullable=False),
    sa.Column("absent", sa.Boolean, nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("elo_before", sa.Double, nullable=False),
    sa.Column("elo_after", sa.Double, nullable=False),
    sa.ForeignKeyConstraint(["tournament", "position"], ["results.tournament", "results.position"]),
    sa.Index(None, "tournament", "bot", "position"),
    sqlite_with_rowid=False,
)

EVENTS = sa.Table(
    "events",
    METADATA,
    sa.Column("tournament", sa.Text, sa.ForeignKey("tournaments.name"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("position", sa.Integer, nullable=False),  # of the result that it follows
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("bot", sa.Text, sa.ForeignKey("bots.name")),  # null where it is about a match
    sa.Column("match_id", sa.Text),  # null where it is about a bot
    sa.Column("role", sa.Text, nullable=False),  # of a bot that joined, else empty
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("who", sa.Text, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("request_id", sa.Text),  # null where none was given
    sa.UniqueConstraint("tournament", "request_id"),
    sqlite_with_rowid=False,
)

RECORDS = sa.Table(
    "records",
    METADATA,
    sa.Column("match_id", sa.Text, primary_key=True),
    sa.Column("attempt", sa.Integer, primary_key=True),
    sa.Column("record", sa.LargeBinary, nullable=False),
    sa.ForeignKeyConstraint(["match_id", "attempt"], ["attempts.match_id", "attempts.attempt"]),
)

FAULTS = sa.Table(
    "faults",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("tournament", sa.Text, nullable=False),
    sa.Column("match_id", sa.Text, nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("turn", sa.Integer, nullable=False),
    sa.Column("bot", sa.Text, sa.ForeignKey("bots.name")),  # null for the server's own
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("time_limit", sa.Double, nullable=False),
    sa.Column("took", sa.Double, nullable=False),
    sa.Column("charged_to", sa.Text, nullable=False),
    sa.Column("counted_as", sa.Text, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.ForeignKeyConstraint(["match_id", "attempt"], ["attempts.match_id", "attempts.attempt"]),
    sa.Index(None, "tournament", "number"),
)
