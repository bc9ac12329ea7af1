"""A database that keeps its word: what is committed is on the disk, and what fails says so in words.

SQLite keeps everything in one file: a rollback journal (a copy of the file is a copy of the store, and a file that
cannot be written can still be read) with `synchronous = FULL`. PostgreSQL is reached by URL.
"""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from threading import Lock, Semaphore
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.pool import QueuePool

from evenhand.checks.messages import shown
from evenhand.errors import EvenhandError, MissingExtraError
from evenhand.study.log.patience import SECONDS, left, waiting
from evenhand.study.log.together import Together
from evenhand.study.refusals import NotSavedError, Refusal, UnreachableError

EXAMPLES = "sqlite:///evenhand.db or postgresql+psycopg://user:password@host/database"

_SECONDS_SILENT = 10
_SECONDS_BETWEEN_TRIES = 0.002
_LEAST_ROOM = 256 * 1024  # for an answer, the question or the result that follows, and SQLite's journal
_CONNECTIONS = 10  # of each process: a PostgreSQL takes a hundred, if nobody changed that

T = TypeVar("T")

_logger = logging.getLogger(__name__)


class Database:
    """An SQLite file or a PostgreSQL database.

    Attributes
    ----------
    name
        The URL without its password, as it may be shown.
    file
        The SQLite file, or None.
    """

    def __init__(self, url: str, *, create: bool = True) -> None:
        parsed = _parsed(url)
        self.name = parsed.render_as_string(hide_password=True)
        self.file: Path | None = None
        self._one_writer = Lock()  # waiting for a thread is quicker than asking the database again and again
        self._connections = Semaphore(_CONNECTIONS)
        self._together = Together(self.writing)
        if parsed.get_backend_name() == "sqlite":
            self.file = _sqlite_file(parsed)
            _touch(self.file, create=create)
            self.engine = _sqlite_engine(self.file)
        else:
            self.engine = _postgresql_engine(parsed)

    def reading(self) -> AbstractContextManager[Connection]:
        """Read in one transaction."""
        return self._transaction(UnreachableError, writing=False)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Write in one transaction, which is on the disk once this is left without an error."""
        with waiting(self._one_writer, NotSavedError), self._transaction(NotSavedError, writing=True) as connection:
            yield connection

    def write(self, action: Callable[[Connection], T]) -> T:
        """Write by a function of a connection, in one transaction with what others write at this moment.

        It is on the disk when this returns. An error of ours takes back what this function wrote, and no more.
        """
        return self._together.run(action)

    @contextmanager
    def _transaction(self, refusal: Callable[[str], Refusal], *, writing: bool) -> Iterator[Connection]:
        try:
            last = time.monotonic() + left()
            with waiting(self._connections, refusal), self.engine.connect() as connection, connection.begin():
                if self.file is not None:
                    _begin(connection, last, writing=writing)
                self._check_file(connection, refusal)
                yield connection
                if writing:  # a file that was moved away meanwhile would take the answer with it
                    self._check_file(connection, refusal)
        except (DBAPIError, PoolTimeoutError, UnicodeDecodeError) as error:  # the last: a schema that is not text
            _logger.warning("the store %s failed: %s", self.name, getattr(error, "orig", error))
            raise refusal(_reason(error)) from error

    def _check_file(self, connection: Connection, refusal: Callable[[str], Refusal]) -> None:
        """Refuse to go on with a file that is no longer where it was opened: its answers would be lost."""
        if self.file is None:
            return
        try:
            there: os.stat_result | None = self.file.stat()
        except OSError:
            there = None
        if there is None or not os.path.samestat(there, connection.info["file"]):
            self.engine.dispose()
            raise refusal("the file of the store was moved or deleted")

    def check_room(self, least: int = _LEAST_ROOM) -> None:
        """Refuse a disk that has no room for one more answer; PostgreSQL's own machine knows about its disk."""
        if self.file is not None and shutil.disk_usage(self.file.parent).free < least:
            raise NotSavedError("the disk is full" if least == _LEAST_ROOM else "the disk is nearly full")

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()


def _parsed(url: str) -> URL:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise EvenhandError(f"{shown(url)} is not the URL of a store: it is like {EXAMPLES}") from error
    if parsed.drivername in {"postgres", "postgresql"}:
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername not in {"sqlite", "sqlite+pysqlite", "postgresql+psycopg"}:
        raise EvenhandError(f"a store cannot be kept in {parsed.drivername!r}: its URL is like {EXAMPLES}")
    return parsed


def _sqlite_file(url: URL) -> Path:
    if url.database in {None, "", ":memory:"}:
        raise EvenhandError("a store in memory would lose every answer: name a file, like sqlite:///evenhand.db")
    if url.query or url.host:
        raise EvenhandError(
            f"the URL of an SQLite store is a file and nothing else, like {EXAMPLES.split(maxsplit=1)[0]}"
        )
    return Path(str(url.database)).absolute()


def _touch(file: Path, *, create: bool) -> None:
    """Make the file of a new store; one that is there is not touched, nor is anything else."""
    try:
        if not file.exists():
            if not create:
                raise EvenhandError(f"there is no store at {file}")
            file.touch()
    except OSError as error:
        raise EvenhandError(f"the store {file} cannot be made: {error.strerror}") from error
    if not file.is_file():
        raise EvenhandError(f"{file} is not a file that can keep a store: name an ordinary file")


def _sqlite_engine(file: Path) -> Engine:
    def connect() -> sqlite3.Connection:
        # mode=rw: a file that is gone is an error, and not a new and empty store.
        return sqlite3.connect(f"{file.as_uri()}?mode=rw", uri=True, timeout=left(), check_same_thread=False)

    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool, **_pool())

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, record: Any) -> None:
        connection.isolation_level = None  # transactions begin in `_begin`, and not when sqlite3 sees fit
        # secure_delete: what a person withdraws is overwritten with zeros, and not only marked as free.
        for pragma in ("journal_mode = TRUNCATE", "synchronous = FULL", "secure_delete = ON", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")
        record.info["file"] = file.stat()

    return engine


def _begin(connection: Connection, last: float, *, writing: bool) -> None:
    """Begin a transaction of SQLite, and hold the file from then on.

    A transaction that reads first and writes later fails, however long it would wait. And SQLite asks again after 1, 2,
    5, … and at last 100 milliseconds: among processes that write all the time, the one that has waited longest would
    come last.
    """
    statements = ("BEGIN IMMEDIATE",) if writing else ("BEGIN", "SELECT 1 FROM sqlite_schema LIMIT 1")
    file: Any = connection.connection.driver_connection  # without SQLAlchemy's care, which costs more than asking
    file.execute("PRAGMA busy_timeout = 0")
    while True:
        try:
            for statement in statements:
                file.execute(statement).fetchall()
            break
        except sqlite3.OperationalError as error:
            if file.in_transaction:
                file.execute("ROLLBACK")
            if "locked" not in str(error) or time.monotonic() >= last:
                raise DBAPIError.instance("BEGIN", None, error, sqlite3.Error) from error
            time.sleep(_SECONDS_BETWEEN_TRIES)
    left_over = max(last - time.monotonic(), 0)  # for those who read, before it is committed
    file.execute(f"PRAGMA busy_timeout = {int(1000 * left_over)}")


def _pool() -> dict[str, Any]:
    return {"pool_size": _CONNECTIONS // 2, "max_overflow": _CONNECTIONS - _CONNECTIONS // 2}


def _postgresql_engine(url: URL) -> Engine:
    limits = {"lock_timeout": SECONDS, "statement_timeout": _SECONDS_SILENT}
    options = [f"-c {name}={1000 * seconds}" for name, seconds in limits.items()]
    # An answer is acknowledged when it is on the disk, however the server is set up otherwise.
    options += ["-c synchronous_commit=on", str(url.query.get("options", ""))]
    try:
        return create_engine(
            url,
            pool_pre_ping=True,
            **_pool(),
            connect_args={
                "connect_timeout": SECONDS,
                "tcp_user_timeout": 1000 * _SECONDS_SILENT,
                "options": " ".join(options),
            },
        )
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name or "psycopg", "postgresql") from error


def _reason(error: Exception) -> str:
    """Return why, without what only the server's own log should say."""
    text = str(getattr(error, "orig", error)).lower()
    for sign, reason in (
        ("full", "the disk is full"),
        ("no space", "the disk is full"),
        ("readonly", "the store is read-only"),
        ("read-only", "the store is read-only"),
        ("locked", "the store is busy"),
        ("lock timeout", "the store is busy"),
        ("i/o error", "the disk reports an error"),
        ("not a database", "the file of the store is damaged"),
        ("malformed", "the file of the store is damaged"),
        ("could not decode", "the file of the store is damaged"),
        ("codec can't decode", "the file of the store is damaged"),
        ("no such table", "a table of the store is missing"),
    ):
        if sign in text:
            return reason
    return "the database does not answer as it should"
