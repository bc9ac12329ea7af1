"""Check a store: its tables, its disk, and whether anything was changed after it was written."""

from __future__ import annotations

import platform
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from sqlalchemy import Connection, select, text

from evenhand.checks.messages import shown
from evenhand.errors import EvenhandError
from evenhand.study.interview import interview_of
from evenhand.study.log.chain import Head, Stored, breaks
from evenhand.study.log.database import Database
from evenhand.study.log.events import ANSWERED, BEGUN, STUDY
from evenhand.study.log.migrating import newest, version_of
from evenhand.study.log.schema import log
from evenhand.study.log.tables import (
    end_of,
    events_of_interview,
    events_where,
    head_of,
    set_head,
    stored_rows,
    withdrawn_interviews,
)
from evenhand.study.study import Study, digest_of
from evenhand.wording.numerals import plural

PACKAGES = ("evenhand", "numpy", "scipy", "sqlalchemy", "alembic", "psycopg", "fastapi", "uvicorn")

_LITTLE_SPACE = 100 * 2**20
_MOST_SHOWN = 10


@dataclass(frozen=True)
class Check:
    """One thing that `doctor` looked at."""

    name: str
    passed: bool
    text: str


def programs() -> Iterator[Check]:
    """Say which versions are installed."""
    found = [f"Python {platform.python_version()}"]
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            found.append(f"{package} –")
    yield Check("programs", True, ", ".join(found))


def examine(url: str, *, noted: str | None = None) -> Iterator[Check]:
    """Look at a store without changing it; `noted` is a head that was noted down earlier."""
    wanted = _parsed_head(noted)
    database = Database(url, create=False)
    try:
        yield Check("store", True, database.name)
        with database.reading() as connection:
            checks = [_software(connection), _durability(connection), _space(connection, database)]
            tables = _tables(connection)
        yield from (*checks, tables)
        if tables.passed:
            yield from _log(database, wanted)
            yield from _interviews(database)
            yield _writable(database)
    finally:
        database.close()


def _software(connection: Connection) -> Check:
    query = "SELECT sqlite_version()" if connection.dialect.name == "sqlite" else "SHOW server_version"
    return Check("database", True, f"{connection.dialect.name} {connection.execute(text(query)).scalar_one()}")


def _durability(connection: Connection) -> Check:
    """Say whether what is committed is on the disk."""
    if connection.dialect.name == "sqlite":
        levels = {0: "OFF", 1: "NORMAL", 2: "FULL", 3: "EXTRA"}
        level = levels[connection.execute(text("PRAGMA synchronous")).scalar_one()]
        damage = connection.execute(text("PRAGMA integrity_check(1)")).scalar_one()
        passed = level in {"FULL", "EXTRA"} and damage == "ok"
        return Check("durability", passed, f"synchronous = {level}; file check: {damage}")
    settings = {
        name: connection.execute(text(f"SHOW {name}")).scalar_one()
        for name in ("fsync", "synchronous_commit", "full_page_writes")
    }
    passed = "off" not in settings.values()
    return Check("durability", passed, ", ".join(f"{name} = {value}" for name, value in settings.items()))


def _tables(connection: Connection) -> Check:
    there, known = version_of(connection), newest()
    if there == known:
        return Check("tables", True, f"version {there}, the newest")
    if there is None:
        return Check("tables", False, "none yet: `evenhand serve` makes them")
    return Check("tables", False, f"version {there}, but this evenhand works with {known}: it is older or newer")


def _space(connection: Connection, database: Database) -> Check:
    if database.file is None:
        used = connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one()
        return Check("space", True, f"{_size(used)} used; what is free, the database's own machine knows")
    used, free = database.file.stat().st_size, shutil.disk_usage(database.file.parent).free
    return Check("space", free > _LITTLE_SPACE, f"{_size(used)} used, {_size(free)} free")


def _log(database: Database, wanted: Head | None) -> Iterator[Check]:
    counted: Counter[str] = Counter()
    seen: set[Head] = set()

    def counting() -> Iterator[Stored]:
        for stored in stored_rows(database, end.head):
            counted[stored.row.kind] += 1
            if stored.head == wanted:
                seen.add(stored.head)
            yield stored

    end = end_of(database)
    with database.reading() as connection:
        withdrawn = withdrawn_interviews(connection)
    broken = list(breaks(counting(), end, withdrawn))
    yield Check(
        "log",
        True,
        f"{plural(counted.total(), 'event')}: {counted[STUDY]} {'study' if counted[STUDY] == 1 else 'studies'}, "
        f"{plural(counted[BEGUN], 'interview')}, {plural(counted[ANSWERED], 'answer')}"
        + (f"; the content of {plural(len(withdrawn), 'interview')} is erased" if withdrawn else ""),
    )
    for sentence in broken[:_MOST_SHOWN]:
        yield Check("chain", False, sentence)
    if not broken:
        yield Check("chain", True, "intact: no event was changed, added in between or deleted")
    if wanted is not None:
        part = "still part of the log" if seen else "not part of the log: it was written anew"
        yield Check("noted head", bool(seen), part)
    yield Check("head", True, f"{end.head}  (noted down elsewhere, `evenhand doctor --head …` can check it later)")


def _parsed_head(noted: str | None) -> Head | None:
    if noted is None:
        return None
    place, _, last_hash = noted.partition(":")
    if not (place.isdecimal() and len(last_hash) == 64):
        raise EvenhandError(f"a head is like 12:9f86d0…, as `evenhand doctor` prints it, but received {shown(noted)}")
    return Head(int(place), last_hash)


def _interviews(database: Database) -> Iterator[Check]:
    """Say whether every interview can be read."""
    begun = select(log.c.interview).distinct().where(log.c.interview.is_not(None))
    with database.reading() as connection:
        versions = events_where(connection, log.c.kind == STUDY)
        identities = set(connection.execute(begun).scalars()) - withdrawn_interviews(connection)
    studies, unreadable = {}, []
    for event in versions:
        try:
            studies[digest_of(event.detail)] = Study.from_json(event.detail)
        except EvenhandError as error:
            unreadable.append(f"the study {shown(event.study)} is damaged: {error}")
    for identity in identities:
        with database.reading() as connection:
            events = events_of_interview(connection, identity)
        try:
            interview_of("", studies, events)
        except EvenhandError as error:
            unreadable.append(str(error))
    for sentence in unreadable[:_MOST_SHOWN]:
        yield Check("interviews", False, sentence)
    if not unreadable:
        yield Check("interviews", True, "all can be read")


def _writable(database: Database) -> Check:
    try:
        with database.writing() as connection:
            set_head(connection, head_of(connection, lock=True))
        database.check_room()
    except EvenhandError as error:
        return Check("writing", False, str(error))
    return Check("writing", True, "the store can be written")


def _size(number: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if number < 1000:
            return f"{number:.3g} {unit}"
        number /= 1000
    return f"{number:.3g} TB"
