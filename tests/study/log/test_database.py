"""What can happen to a database: a full disk, a file that is read-only or gone, a newer schema, a lost connection."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import event, text
from tests.support.quick import QuickRunner, study

from evenhand import EvenhandError
from evenhand.study.exchange import export_study
from evenhand.study.log.database import Database
from evenhand.study.log.migrating import VERSION_TABLE, newest, version_of
from evenhand.study.log.schema import metadata
from evenhand.study.refusals import DamagedError, NotSavedError, UnreachableError
from evenhand.study.store import Store


def opened(url: str) -> Store:
    return Store(url, runner=QuickRunner(1000))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def store(file: Path) -> Store:
    store = opened(f"sqlite:///{file}")
    store.put_study(study())
    return store


def on_every_connection(store: Store, pragma: str) -> Callable[[], None]:
    """Set something on each connection of the store, and return what takes it back."""

    def set_up(connection: sqlite3.Connection, _: object) -> None:
        connection.execute(f"PRAGMA {pragma}")

    store.database.engine.dispose()
    event.listen(store.database.engine, "connect", set_up)

    def undo() -> None:
        event.remove(store.database.engine, "connect", set_up)
        store.database.engine.dispose()

    return undo


def fill_the_last_pages(store: Store, token: str) -> None:
    for n in range(1, 200):
        store.answer(token, n, "first", "x" * 1000)


@contextmanager
def without_privileges() -> Iterator[None]:
    """Be nobody for a while, if we are root, who may write any file."""
    me = os.geteuid()
    if me == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(me)


def test_what_sqlite_commits_is_on_the_disk(store: Store) -> None:
    with store.database.reading() as connection:
        assert connection.execute(text("PRAGMA synchronous")).scalar_one() == 2
        assert connection.execute(text("PRAGMA journal_mode")).scalar_one() == "truncate"


def test_what_postgresql_commits_is_on_the_disk_whatever_the_database_is_set_to(postgresql: str) -> None:
    with opened(postgresql) as store, store.database.reading() as connection:
        assert connection.execute(text("SHOW synchronous_commit")).scalar_one() == "on"


@pytest.mark.parametrize(
    ("pragma", "words"), [("max_page_count = 1", "the disk is full"), ("query_only = ON", "read-only")]
)
def test_what_cannot_be_written_is_said_not_to_be_saved_and_can_be_sent_again(
    store: Store, pragma: str, words: str
) -> None:
    token = store.begin("loans")
    mended = on_every_connection(store, pragma)
    with pytest.raises(NotSavedError, match=words):
        fill_the_last_pages(store, token)
    before = [given.n for given in store.interview(token).answers]
    n = len(before) + 1
    mended()
    assert [given.n for given in store.answer(token, n, "first", "x" * 1000).answers] == [*before, n]
    assert not store.breaks()


def test_a_disk_that_is_full_makes_the_store_unwritable_but_not_unreadable(store: Store) -> None:
    mended = on_every_connection(store, "query_only = ON")
    assert list(store.studies()) == ["loans"]
    with pytest.raises(NotSavedError):
        store.check_writable()
    mended()
    store.check_writable()


def test_a_file_that_is_moved_away_takes_no_answer_with_it(store: Store, file: Path) -> None:
    token = store.begin("loans")
    away = file.rename(file.with_name("away.db"))
    with pytest.raises(NotSavedError, match="moved or deleted"):
        store.answer(token, 1, "first")
    with pytest.raises(UnreachableError):
        store.interview(token)
    with pytest.raises(NotSavedError):
        store.answer(token, 1, "first")
    assert not file.exists()
    away.rename(file)
    assert [given.choice for given in store.answer(token, 1, "first").answers] == ["first"]
    assert not store.breaks()


def test_a_file_that_is_replaced_is_not_written_through_the_old_connection(store: Store, file: Path) -> None:
    token = store.begin("loans")
    copy = file.with_name("copy.db")
    copy.write_bytes(file.read_bytes())
    store.answer(token, 1, "first")
    copy.replace(file)
    with pytest.raises(NotSavedError):
        store.answer(token, 2, "first")
    assert not store.interview(token).answers  # as in the copy, which it is now
    store.answer(token, 1, "second")


def test_a_writer_that_takes_too_long_is_not_waited_for_forever(
    store: Store, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    undo = on_every_connection(store, "busy_timeout = 50")
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(NotSavedError, match="busy"):
        store.begin("loans")
    other.execute("ROLLBACK")
    other.close()
    store.begin("loans")
    undo()


def test_a_file_without_permission_to_write_can_still_be_read() -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "store.db"
        with opened(f"sqlite:///{file}") as store:
            store.put_study(study())
            token = store.begin("loans")
        file.chmod(0o444)
        Path(folder).chmod(0o555)
        with without_privileges(), opened(f"sqlite:///{file}") as again:
            assert not again.interview(token).answers
            with pytest.raises(NotSavedError, match="read-only"):
                again.answer(token, 1, "first")
        Path(folder).chmod(0o755)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", "is not the URL of a store"),
        ("evenhand.db", "is not the URL of a store"),
        ("sqlite://", "in memory would lose every answer"),
        ("sqlite:///:memory:", "in memory would lose every answer"),
        ("sqlite:///a.db?mode=ro", "a file and nothing else"),
        ("mysql://host/db", "cannot be kept in 'mysql'"),
        ("postgresql+asyncpg://host/db", "cannot be kept in"),
        ("sqlite:////nowhere/at/all.db", "cannot be made: No such file"),
        ("sqlite:////dev/null", "not a file that can keep a store"),
        ("sqlite:////tmp", "not a file that can keep a store"),
    ],
)
def test_an_url_that_can_keep_no_store_is_refused_in_words(url: str, words: str) -> None:
    with pytest.raises(EvenhandError, match=words):
        Store(url)


def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("These are my notes.\n" * 100)
    with pytest.raises(EvenhandError, match="cannot be opened: file is not a database"):
        Store(f"sqlite:///{file}")
    assert file.read_text() == "These are my notes.\n" * 100


def test_a_database_that_does_not_answer_is_refused_without_its_password() -> None:
    with pytest.raises(EvenhandError, match=r"none cannot be opened: .*refused") as refused:
        Store("postgresql://me:secret@127.0.0.1:1/none")
    assert "secret" not in str(refused.value)
    database = Database("postgres://me:secret@127.0.0.1:1/none")
    assert database.name == "postgresql+psycopg://me:***@127.0.0.1:1/none"


def test_a_file_with_an_odd_name_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "100% odd? #name é.db"
    url = f"sqlite:///{str(file).replace('%', '%25').replace('?', '%3F')}"
    with Store(url) as store:
        store.check_writable()
    assert file.stat().st_size > 0
    assert {path.name for path in tmp_path.iterdir()} <= {file.name, f"{file.name}-journal"}


def test_migrations_lead_to_the_schema(store_url: str) -> None:
    with Store(store_url) as store, store.database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert not compare_metadata(context, metadata)
        assert version_of(connection) == newest()


def test_a_store_of_a_newer_evenhand_is_refused_in_words_and_not_touched(store_url: str) -> None:
    with Store(store_url) as store, store.database.writing() as connection:
        connection.execute(text("UPDATE evenhand_version SET version_num = '9999'"))
    with pytest.raises(EvenhandError, match="newer evenhand: its tables have version 9999"):
        Store(store_url)
    database = Database(store_url)
    with database.reading() as connection:
        assert version_of(connection) == "9999"
    database.close()


def test_processes_that_start_at_once_make_the_tables_once(store_url: str) -> None:
    ready = threading.Barrier(4)

    def start(_: int) -> str | None:
        ready.wait()
        with Store(store_url) as store, store.database.reading() as connection:
            return version_of(connection)

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(start, range(4))) == {newest()}


def test_a_connection_that_the_database_closed_is_replaced(postgresql: str) -> None:
    with opened(postgresql) as store, opened(postgresql) as other:
        store.put_study(study())
        token = store.begin("loans")
        with other.database.writing() as connection:
            closed = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            connection.execute(text(f"{closed} AND datname = current_database()"))
        assert len(store.answer(token, 1, "first").answers) == 1


@pytest.mark.parametrize("column", ["choice", "why", "detail", "time", "n", "interview"])
def test_a_row_with_bytes_in_it_is_damaged_and_nothing_fails_otherwise(store: Store, file: Path, column: str) -> None:
    token = store.begin("loans")
    store.answer(token, 1, "first")
    with closing(sqlite3.connect(file)) as raw:
        table, where = ("log", "kind = 'answered'") if column in {"n", "interview"} else ("content", "choice = 'first'")
        raw.execute(f"UPDATE {table} SET {column} = x'ff00' WHERE {where}")  # noqa: S608  # names of this test
        raw.commit()
    if column != "interview":  # of another interview, then
        with pytest.raises(DamagedError):
            store.interview(token)
        with pytest.raises(DamagedError):
            store.answer(token, 2, "first")
    with pytest.raises(DamagedError):
        export_study(store, "loans")
    assert store.breaks()
