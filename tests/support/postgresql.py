"""A PostgreSQL of our own, for tests and benchmarks."""

from __future__ import annotations

import os
import secrets
import tempfile
import warnings

from sqlalchemy import create_engine, make_url, text


def server() -> str:
    """Start a PostgreSQL server for this process alone, and return its URL; it ends, and its data go, with the process.

    Its folder is its own, and not pytest's, which each new run of pytest closes to other users: PostgreSQL does not run
    as root. EVENHAND_POSTGRESQL names another server to use instead.
    """
    given = os.environ.get("EVENHAND_POSTGRESQL")
    if given:
        return given
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it falls back to /tmp where XDG_RUNTIME_DIR is not set, and says so
        try:
            from pgserver.postgres_server import get_server  # noqa: PLC0415  # not needed where another is named
        except ModuleNotFoundError as error:
            raise RuntimeError(
                "there is no PostgreSQL to test with: the pgserver package brings one for Python 3.11 and 3.12; "
                "elsewhere, name a server with EVENHAND_POSTGRESQL=postgresql://…"
            ) from error

        folder = tempfile.mkdtemp(prefix="evenhand-postgresql-")
        return str(get_server(folder, cleanup_mode="delete").get_uri())


def new_database(server_url: str) -> str:
    """Make an empty database, and return the URL of a store in it."""
    url = make_url(server_url).set(drivername="postgresql+psycopg")
    name = f"evenhand_{secrets.token_hex(8)}"
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE template0"))
    engine.dispose()
    return url.set(database=name).render_as_string(hide_password=False)
