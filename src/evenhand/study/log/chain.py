"""The log that everything is kept in: rows are only ever added, and each is chained to the one before by its hash.

To edit, insert or delete a row later breaks the chain, and `evenhand doctor` says where. It can be hidden by writing
all later rows anew; a head that was noted down elsewhere shows that too.

A person may withdraw, and what they said is then erased for good. So the chain hashes an outline of each event and a
salted digest of its content. Content and salt are stored apart: without them the chain is still whole, and without the
salt the digest says nothing, not even to somebody who tries all answers.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from evenhand.study.log.events import CONTENT, OUTLINE, WITHDRAWN, Event

_SALT_BYTES = 32
_PLAIN = (str, int, type(None))


@dataclass(frozen=True, kw_only=True)
class Row:
    """What the chain hashes of an event."""

    study: str
    kind: str
    interview: str | None
    n: int | None
    content: str

    @classmethod
    def of(cls, event: Event, salt: str) -> Row:
        """Return the row of an event."""
        content = json.dumps([salt, *(getattr(event, name) for name in CONTENT)], allow_nan=False)
        digest = hashlib.sha256(content.encode("ascii")).hexdigest()
        return cls(study=event.study, kind=event.kind, interview=event.interview, n=event.n, content=digest)

    @property
    def is_plain(self) -> bool:
        """Whether it holds nothing but text and whole numbers, as it was written: SQLite takes anything anywhere."""
        return _is_plain(self, (*OUTLINE, "content"))


@dataclass(frozen=True)
class Head:
    """Where a log ends: how many rows it has, and the hash of the last one."""

    place: int
    hash: str

    def __str__(self) -> str:
        return f"{self.place}:{self.hash}"

    def next(self, row: Row) -> Head:
        """Return where the log ends after one more row."""
        values = [getattr(row, name) for name in (*OUTLINE, "content")]
        hashed = json.dumps([self.hash, self.place + 1, *values], allow_nan=False)
        return Head(self.place + 1, hashlib.sha256(hashed.encode("ascii")).hexdigest())


NOTHING = Head(0, "0" * 64)
"""Where an empty log ends."""


@dataclass(frozen=True)
class End:
    """Where a log ends, as it was written down, and the place of the last row that is there."""

    head: Head
    last: int


@dataclass(frozen=True)
class Stored:
    """A row as it is stored: with its place and hash and, unless it was erased, with its event and salt."""

    head: Head
    row: Row
    event: Event | None
    salt: str | None

    @property
    def is_as_written(self) -> bool:
        """Whether the content is the one that the row was made of."""
        event, salt = self.event, self.salt
        return event is not None and isinstance(salt, str) and is_plain(event) and Row.of(event, salt) == self.row


def new_salt() -> str:
    """Draw the salt of one row."""
    return secrets.token_hex(_SALT_BYTES)


def breaks(rows: Iterable[Stored], end: End, withdrawn: Collection[str]) -> Iterator[str]:
    """Say where the chain is broken; `withdrawn` are the interviews whose content was erased."""
    before = NOTHING
    for stored in rows:
        head, row = stored.head, stored.row
        if head.place != before.place + 1:
            yield f"rows are missing from the log, or in the wrong place: row {head.place} follows row {before.place}"
        elif not row.is_plain or before.next(row).hash != head.hash:
            yield f"row {head.place} of the log ({row.kind}) was changed after it was written"
        else:
            yield from _wrong_content(stored, erased=row.interview in withdrawn and row.kind != WITHDRAWN)
        before = head
    if before.place != end.head.place or end.last > end.head.place:
        yield f"the log ends with row {end.last}, but it was written up to row {end.head.place}"
    elif before != end.head:
        yield f"the hash of row {before.place} of the log, the last, is not the one that was written down"


def _wrong_content(stored: Stored, *, erased: bool) -> Iterator[str]:
    place, kind = stored.head.place, stored.row.kind
    if erased:
        if stored.event is not None or stored.salt is not None:
            yield f"row {place} of the log ({kind}) has content again, although the person has withdrawn"
    elif stored.event is None:
        yield f"the content of row {place} of the log ({kind}) was deleted, although nobody has withdrawn"
    elif not stored.is_as_written:
        yield f"row {place} of the log ({kind}) was changed after it was written"


def is_plain(event: Event) -> bool:
    """Whether an event holds nothing but text and whole numbers."""
    return _is_plain(event, (*OUTLINE, *CONTENT))


def _is_plain(thing: object, names: Iterable[str]) -> bool:
    return all(isinstance(getattr(thing, name), _PLAIN) for name in names)
