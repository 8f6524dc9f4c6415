"""What the log of a tournament that is over comes to, so that lists need not read it."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision: str | None = "0004"


def upgrade() -> None:
    op.add_column("tournaments", sa.Column("counts", sa.JSON))
