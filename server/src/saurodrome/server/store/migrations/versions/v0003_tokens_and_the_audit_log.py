"""Tokens apart from bots, with roles, and the audit log."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision: str | None = "0002"


def upgrade() -> None:
    op.create_table(
        "tokens",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("token_id", sa.Text, nullable=False, unique=True),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("issued", sa.Double, nullable=False),
        sa.Column("expires", sa.Double),
        sa.Column("issuer", sa.Text, nullable=False),
        sa.Column("revoked", sa.Double),
    )
    op.create_table(
        "acts",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("token_id", sa.Text, nullable=False),
        sa.Column("act", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("outcome", sa.Text),
    )
    # Every bot's token of before goes on.
    op.execute(
        "INSERT INTO tokens (token_id, digest, role, holder, issued, issuer)"
        " SELECT token_id, token_hash, 'bot', name, created, '' FROM bots ORDER BY number"
    )
