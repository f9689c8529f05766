"""What alembic runs: the migrations over the connection it was handed."""

from alembic import context

from referee.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
