"""What Alembic runs: the missing migrations, on the connection that `migrate` hands in."""

from alembic import context

from saurodrome.server.store.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite alters a table by copying it
)
with context.begin_transaction():
    context.run_migrations()
