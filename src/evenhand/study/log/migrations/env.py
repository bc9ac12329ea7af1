"""How Alembic runs a migration: on the connection, and in the transaction, that it is given."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    version_table=context.config.attributes["version_table"],
    transactional_ddl=False,  # the transaction is the caller's
)
context.run_migrations()
