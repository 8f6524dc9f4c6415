"""The key from which a tournament draws the deals that its matches share."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision: str | None = "0003"


def upgrade() -> None:
    op.add_column("tournaments", sa.Column("deal_key", sa.LargeBinary))
