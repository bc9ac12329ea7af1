"""The log in a database: one writer at a time adds events; readers need not wait."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, bindparam, delete, func, insert, or_, select, update

from evenhand.checks.messages import shown
from evenhand.study.log.chain import End, Head, Row, Stored, is_plain, new_salt
from evenhand.study.log.database import Database
from evenhand.study.log.events import BEGUN, CONTENT, MOVES, OUTLINE, STUDY, WITHDRAWN, Event
from evenhand.study.log.schema import content, log
from evenhand.study.log.schema import head as head_table
from evenhand.study.refusals import DamagedError, WithdrawnError

_OUTLINE = [log.c[name] for name in OUTLINE]
_CONTENT = [content.c[name] for name in CONTENT]
_AT_ONCE = 1000

# What every answer asks and writes is put together once: that takes longer than a small table takes to reply.
_EVENTS = select(*_OUTLINE, *_CONTENT).join_from(log, content, log.c.place == content.c.place).order_by(log.c.place)
_OF_INTERVIEW = log.c.interview == bindparam("interview")
_EVENTS_OF_INTERVIEW = _EVENTS.where(_OF_INTERVIEW)
_COUNTED = select(
    func.count().filter(or_(*(log.c.kind == kind for kind in MOVES))).label("moves"),
    func.count().filter(log.c.kind == WITHDRAWN).label("withdrawn"),
).where(_OF_INTERVIEW)
_OF_KIND = (log.c.study == bindparam("study")) & (log.c.kind == bindparam("kind"))
_NEWEST_VERSION = _EVENTS.where(log.c.place == select(func.max(log.c.place)).where(_OF_KIND).scalar_subquery())
_NUMBER_OF_KIND = select(func.count()).where(_OF_KIND)
_FIRST_PLACE = select(log.c.place).where(_OF_INTERVIEW).order_by(log.c.place).limit(1)
_HEAD = select(head_table.c.place, head_table.c.hash)
_HEAD_LOCKED = _HEAD.with_for_update()
_SET_HEAD = update(head_table)
_ADD_ROWS, _ADD_CONTENTS = insert(log), insert(content)


class DatabaseLog:
    """The interviews in a database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def events(self, interview: str) -> list[Event]:
        """Return the events of an interview."""
        with self.database.reading() as connection:
            return events_of_interview(connection, interview)

    def append(self, interview: str, events: Sequence[Event], *, after: int) -> bool:
        """Add events if the interview has had so many moves, in one transaction."""

        def write(connection: Connection) -> bool:
            head = head_of(connection, lock=True)
            if moves_of_interview(connection, interview) != after:
                return False
            append(connection, head, events)
            return True

        return self.database.write(write)


def head_of(connection: Connection, *, lock: bool = False) -> Head:
    """Return where the log ends; with `lock`, no other transaction adds a row before this one ends."""
    return _head(connection.execute(_HEAD_LOCKED if lock else _HEAD).one_or_none())


def append(connection: Connection, head: Head, events: Iterable[Event]) -> None:
    """Add events after the head, which must be locked; all count once the transaction is committed, none before."""
    rows, contents = [], []
    for event in events:
        salt = new_salt()
        row = Row.of(event, salt)
        head = head.next(row)
        rows.append({"place": head.place, "hash": head.hash, **vars(row)})
        contents.append({"place": head.place, "salt": salt, **{name: getattr(event, name) for name in CONTENT}})
    if rows:
        connection.execute(_ADD_ROWS, rows)
        connection.execute(_ADD_CONTENTS, contents)
        set_head(connection, head)


def erase(connection: Connection, interview: str) -> None:
    """Delete what an interview says, but for the event that it was withdrawn."""
    places = select(log.c.place).where(log.c.interview == interview, log.c.kind != WITHDRAWN)
    connection.execute(delete(content).where(content.c.place.in_(places)))


def set_head(connection: Connection, head: Head) -> None:
    """Write down where the log ends."""
    connection.execute(_SET_HEAD, {"place": head.place, "hash": head.hash})


def events_where(connection: Connection, *conditions: ColumnElement[bool]) -> list[Event]:
    """Return the events that meet all conditions, in their order; those that were erased are not among them."""
    return _events(connection, _EVENTS.where(*conditions))


def events_of_interview(connection: Connection, interview: str) -> list[Event]:
    """Return the events of one interview, unless the person has withdrawn."""
    events = _events(connection, _EVENTS_OF_INTERVIEW, interview=interview)
    if any(event.kind == WITHDRAWN for event in events):
        raise WithdrawnError
    return events


def _events(connection: Connection, statement: Select[Any], **parameters: str) -> list[Event]:
    found = connection.execute(statement, parameters)
    events = [Event(**dict(zip((*OUTLINE, *CONTENT), row, strict=True))) for row in found]
    for event in events:
        if not is_plain(event):
            raise DamagedError(
                f"an event “{event.kind!s:.20}” of the study {shown(event.study)} is damaged: "
                "it holds more than text and whole numbers"
            )
    return events


def newest_version(connection: Connection, study: str) -> str | None:
    """Return the document of a study as it is now."""
    events = _events(connection, _NEWEST_VERSION, study=study, kind=STUDY)
    return events[0].detail if events else None


def number_begun(connection: Connection, study: str) -> int:
    """Return how many interviews of a study have begun, those included that were withdrawn."""
    return int(connection.execute(_NUMBER_OF_KIND, {"study": study, "kind": BEGUN}).scalar_one())


def has_begun(connection: Connection, interview: str) -> bool:
    """Whether there is such an interview, also if it was withdrawn."""
    return connection.execute(_FIRST_PLACE, {"interview": interview}).first() is not None


def withdrawn_interviews(connection: Connection) -> set[str]:
    """Return the interviews that were withdrawn."""
    return set(connection.execute(select(log.c.interview).where(log.c.kind == WITHDRAWN)).scalars())


def moves_of_interview(connection: Connection, interview: str) -> int | None:
    """Return how often something was answered or undone in an interview; None if the person has withdrawn."""
    counted = connection.execute(_COUNTED, {"interview": interview}).one()
    return None if counted.withdrawn else int(counted.moves)


def end_of(database: Database) -> End:
    """Return where the log ends, as it was written down and as it is."""
    last = select(func.coalesce(func.max(log.c.place), 0)).scalar_subquery().label("last")
    with database.reading() as connection:
        found = connection.execute(select(head_table.c.place, head_table.c.hash, last)).one_or_none()
    return End(_head(found), 0 if found is None else found.last)


def _head(found: Any) -> Head:
    """Return the head that was read, if it is one."""
    if found is None or not isinstance(found.place, int):
        raise DamagedError("The store no longer says where its log ends: that was deleted or changed.")
    return Head(found.place, str(found.hash))


def stored_rows(database: Database, head: Head) -> Iterator[Stored]:
    """Yield every row up to a head as it is stored.

    They are read some at a time, since SQLite blocks writers while it reads; rows that are written never change.
    """
    joined = log.outerjoin(content, log.c.place == content.c.place)
    columns = (log.c.place, log.c.hash, *_OUTLINE, log.c.content, content.c.salt, *_CONTENT)
    last = 0
    while last < head.place:
        some = select(*columns).select_from(joined).where(log.c.place > last, log.c.place <= head.place)
        with database.reading() as connection:
            found = connection.execute(some.order_by(log.c.place).limit(_AT_ONCE)).all()
        for place, last_hash, *values in found:
            outline = dict(zip(OUTLINE, values, strict=False))
            digest, salt, *said = values[len(OUTLINE) :]
            event = None if salt is None else Event(**outline, **dict(zip(CONTENT, said, strict=True)))
            yield Stored(Head(place, str(last_hash)), Row(**outline, content=digest), event, salt)
        last = found[-1].place if found else head.place
