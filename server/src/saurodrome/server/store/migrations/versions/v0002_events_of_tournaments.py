"""Events of tournaments: who entered and left, and which results count no more."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision: str | None = "0001"


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("tournament", sa.Text, sa.ForeignKey("tournaments.name"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("bot", sa.Text, sa.ForeignKey("bots.name")),
        sa.Column("match_id", sa.Text),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("request_id", sa.Text),
        sa.UniqueConstraint("tournament", "request_id"),
        sqlite_with_rowid=False,
    )
