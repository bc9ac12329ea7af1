"""The store's tables are brought up to date when it is opened; those of a newer evenhand are left alone."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from evenhand.errors import EvenhandError
from evenhand.study.log.database import Database

VERSION_TABLE = "evenhand_version"

_FOLDER = Path(__file__).parent / "migrations"
_LOCK = 0x6576656E68616E64  # "evenhand": processes that start at once migrate one after the other


def newest() -> str:
    """Return the version of the tables that this evenhand works with."""
    return str(_scripts().get_current_head())


def version_of(connection: Connection) -> str | None:
    """Return the version of a store's tables, or None if it has none yet."""
    return MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE}).get_current_revision()


def bring_up_to_date(database: Database) -> None:
    """Make or change the tables as this evenhand needs them, in one transaction."""
    with database.reading() as connection:
        if _is_up_to_date(connection, database):
            return
    with database.writing() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        if not _is_up_to_date(connection, database):
            config = Config()
            config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
            config.attributes.update(connection=connection, version_table=VERSION_TABLE)
            command.upgrade(config, "head")


def _scripts() -> ScriptDirectory:
    return ScriptDirectory(str(_FOLDER))


def _is_up_to_date(connection: Connection, database: Database) -> bool:
    version = version_of(connection)
    if version is not None and version not in {script.revision for script in _scripts().walk_revisions()}:
        raise EvenhandError(
            f"the store {database.name} was written by a newer evenhand: its tables have version {version}, and this "
            f"evenhand knows them up to {newest()}. Nothing was changed: use the newer evenhand"
        )
    return version == newest()
