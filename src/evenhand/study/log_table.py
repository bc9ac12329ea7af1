"""The log in the database: one writer at a time adds rows, and anybody reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields

from sqlalchemy import ColumnElement, Connection, func, insert, select, update

from evenhand.study.log import Head, Row
from evenhand.study.schema import head as head_table
from evenhand.study.schema import log

_COLUMNS = [log.c[field.name] for field in fields(Row)]
_AT_ONCE = 1000


def head_of(connection: Connection, *, lock: bool = False) -> Head:
    """Return where the log ends; with `lock`, nobody else adds a row before this transaction ends."""
    found = select(head_table.c.place, head_table.c.hash)
    place, last_hash = connection.execute(found.with_for_update() if lock else found).one()
    return Head(place, last_hash)


def append(connection: Connection, rows: Iterable[Row]) -> None:
    """Add rows at the end; all of them count once the transaction is committed, and none before."""
    head = head_of(connection, lock=True)
    added = []
    for row in rows:
        head = head.next(row)
        added.append({"place": head.place, "hash": head.hash, **asdict(row)})
    if added:
        connection.execute(insert(log), added)
        set_head(connection, head)


def set_head(connection: Connection, head: Head) -> None:
    """Write down where the log ends."""
    connection.execute(update(head_table).values(place=head.place, hash=head.hash))


def rows_where(connection: Connection, *conditions: ColumnElement[bool]) -> list[Row]:
    """Return the rows that meet all conditions, in their order."""
    found = connection.execute(select(*_COLUMNS).where(*conditions).order_by(log.c.place))
    return [Row(**row) for row in found.mappings()]


def rows_of_interview(connection: Connection, interview: str) -> list[Row]:
    """Return the rows of one interview."""
    return rows_where(connection, log.c.interview == interview)


def count_of_interview(connection: Connection, interview: str) -> int:
    """Return how many rows an interview has."""
    counted = select(func.count()).select_from(log).where(log.c.interview == interview)
    return int(connection.execute(counted).scalar_one())


def chained_rows(connection: Connection) -> Iterator[tuple[Head, Row]]:
    """Yield every row with its place and hash, without holding them all in memory."""
    found = connection.execution_options(yield_per=_AT_ONCE).execute(
        select(log.c.place, log.c.hash, *_COLUMNS).order_by(log.c.place)
    )
    for place, last_hash, *values in found:
        yield Head(place, last_hash), Row(**dict(zip((column.name for column in _COLUMNS), values, strict=True)))
