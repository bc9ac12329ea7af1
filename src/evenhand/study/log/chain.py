"""The log that everything is kept in: rows are only ever added, and each is chained to the one before by its hash.

To edit, insert or delete a row later breaks the chain, and `evenhand doctor` says where. It can be hidden by writing
all later rows anew; a head that was noted down elsewhere shows that too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evenhand.study.log.events import HASHED, Event


@dataclass(frozen=True)
class Head:
    """Where a log ends: how many rows it has, and the hash of the last one."""

    place: int
    hash: str

    def __str__(self) -> str:
        return f"{self.place}:{self.hash}"

    def next(self, event: Event) -> Head:
        """Return where the log ends after one more row."""
        content = json.dumps([self.hash, self.place + 1, *_values(event)], allow_nan=False)
        return Head(self.place + 1, hashlib.sha256(content.encode("ascii")).hexdigest())


NOTHING = Head(0, "0" * 64)
"""Where an empty log ends."""


@dataclass(frozen=True)
class End:
    """Where a log ends, as it was written down, and the place of the last row that is there."""

    head: Head
    last: int


def breaks(events: Iterable[tuple[Head, Event]], end: End) -> Iterator[str]:
    """Say where the chain is broken: each event comes with the place and hash that are stored with it."""
    before = NOTHING
    for stored, event in events:
        if stored.place != before.place + 1:
            yield f"rows are missing from the log, or in the wrong place: row {stored.place} follows row {before.place}"
        elif not is_plain(event) or before.next(event).hash != stored.hash:
            yield f"row {stored.place} of the log ({event.kind}) was changed after it was written"
        before = stored
    if before.place != end.head.place or end.last > end.head.place:
        yield f"the log ends with row {end.last}, but it was written up to row {end.head.place}"
    elif before != end.head:
        yield f"the hash of row {before.place} of the log, the last, is not the one that was written down"


def is_plain(event: Event) -> bool:
    """Whether a row holds nothing but text and whole numbers, as it was written: SQLite takes anything anywhere."""
    return all(isinstance(value, str | int | None) for value in _values(event))


def _values(event: Event) -> list[str | int | None]:
    return [getattr(event, name) for name in HASHED]
