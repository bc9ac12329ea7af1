"""Those who write at the same moment share a transaction, and each is told what came of their own part."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import Connection, event, text

from evenhand import EvenhandError
from evenhand.study.log.database import Database
from evenhand.study.log.patience import patience
from evenhand.study.refusals import NotSavedError, UnreachableError


@pytest.fixture
def database(store_url: str) -> Iterator[Database]:
    opened = Database(store_url)
    with opened.writing() as connection:
        connection.execute(text("CREATE TABLE kept (n INTEGER)"))
    yield opened
    opened.close()


def kept(database: Database) -> list[int]:
    with database.reading() as connection:
        return sorted(connection.execute(text("SELECT n FROM kept")).scalars())


def keep(connection: Connection, n: int) -> int:
    connection.execute(text("INSERT INTO kept VALUES (:n)"), {"n": n})
    return n


def commits(database: Database) -> list[None]:
    made: list[None] = []
    event.listen(database.engine, "commit", lambda _: made.append(None))
    return made


def all_at_once(database: Database, n: int, *, fails: int | None = None) -> tuple[list[int], list[BaseException]]:
    """Write n numbers while the first writer is held up; return what came back, and the errors."""
    held, go_on = Event(), Event()

    def first(connection: Connection) -> None:
        held.set()
        go_on.wait(10)

    def one(number: int) -> int:
        def write(connection: Connection) -> int:
            done = keep(connection, number)
            if number == fails:
                raise EvenhandError("refused")
            return done

        return database.write(write)

    with ThreadPoolExecutor(n + 1) as pool:
        leading = pool.submit(database.write, first)
        assert held.wait(10)
        others = [pool.submit(one, number) for number in range(n)]
        time.sleep(0.2)  # all of them wait by now
        go_on.set()
        leading.result()
        errors = [error for other in others if (error := other.exception()) is not None]
        return [other.result() for other in others if other.exception() is None], errors


def test_those_who_wait_share_one_transaction(database: Database) -> None:
    made = commits(database)
    returned, errors = all_at_once(database, 20)
    assert (sorted(returned), errors) == (list(range(20)), [])
    assert len(made) == 2
    assert kept(database) == list(range(20))


def test_one_that_is_refused_takes_only_its_own_part_back(database: Database) -> None:
    returned, errors = all_at_once(database, 5, fails=3)
    assert sorted(returned) == [0, 1, 2, 4]
    assert [str(error) for error in errors] == ["refused"]
    assert kept(database) == [0, 1, 2, 4]


def test_one_that_is_refused_alone_leaves_nothing(database: Database) -> None:
    def write(connection: Connection) -> None:
        keep(connection, 1)
        raise EvenhandError("refused")

    with pytest.raises(EvenhandError, match="refused"):
        database.write(write)
    assert database.write(lambda connection: keep(connection, 2)) == 2
    assert kept(database) == [2]


def test_nobody_is_told_that_something_is_kept_if_the_commit_fails(database: Database) -> None:
    def fail(_: Connection) -> None:
        raise EvenhandError("the disk is gone")

    def later() -> None:
        event.listen(database.engine, "commit", fail)

    held = Event()

    def first(connection: Connection) -> int:
        held.set()
        time.sleep(0.2)
        later()
        return keep(connection, 0)

    with ThreadPoolExecutor(4) as pool:
        leading = pool.submit(database.write, first)
        assert held.wait(10)
        others = [pool.submit(database.write, lambda connection, n=n: keep(connection, n)) for n in (1, 2, 3)]
        for each in (leading, *others):
            with pytest.raises(EvenhandError, match="the disk is gone"):
                each.result()
    event.remove(database.engine, "commit", fail)
    assert kept(database) == []


def test_where_another_program_holds_the_file_everybody_is_refused_in_time(tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    database = Database(f"sqlite:///{file}")
    with database.writing() as connection:
        connection.execute(text("CREATE TABLE kept (n INTEGER)"))

    def one(n: int) -> float:
        began = time.monotonic()
        with patience(1.0), pytest.raises(NotSavedError, match="busy"):
            database.write(lambda connection: keep(connection, n))
        return time.monotonic() - began

    with closing(sqlite3.connect(file, isolation_level=None)) as other, ThreadPoolExecutor(20) as pool:
        other.execute("BEGIN EXCLUSIVE")
        waited = list(pool.map(one, range(20)))
        with patience(0.3), pytest.raises(UnreachableError, match="busy"):
            kept(database)
        other.execute("ROLLBACK")
    assert max(waited) < 2.5
    assert kept(database) == []
    assert database.write(lambda connection: keep(connection, 7)) == 7
    database.close()
