"""A study with all its interviews as one JSON file, and back: nothing is lost, nothing is added twice."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from sqlalchemy import Connection

from evenhand.checks.documents import Format, checked_fields, checked_time
from evenhand.checks.messages import shown
from evenhand.checks.nesting import loads
from evenhand.checks.text import LINES, check_characters
from evenhand.errors import EvenhandError
from evenhand.study.interview import fold
from evenhand.study.log.events import ANSWERED, KINDS, STUDY, Event
from evenhand.study.log.schema import log
from evenhand.study.log.stored_answer import whole_number
from evenhand.study.log.tables import append, events_of_interview, events_where, head_of
from evenhand.study.refusals import DamagedError
from evenhand.study.store import Store
from evenhand.study.study import Study, digest_of

EXPORT_FORMAT = Format(
    name="evenhand.export",
    what="exported study",
    fields=("evenhand", "digest", "slug", "studies", "interviews"),
)

_IDENTITY = re.compile(r"[0-9a-f]{64}")
_ROW = ("kind", "n", "choice", "why", "detail", "time")


@dataclass(frozen=True)
class Export:
    """What an export holds: the versions of a study, and the rows of each interview."""

    slug: str
    versions: list[Event]
    interviews: dict[str, list[Event]]


@dataclass(frozen=True)
class Imported:
    """What an import added."""

    slug: str
    interviews: int
    answers: int
    known: int


def export_study(store: Store, slug: str) -> str:
    """Return a study as one JSON document."""
    store.study(slug)  # or say that there is none
    with store.database.reading() as connection:
        rows = events_where(connection, log.c.study == slug)
    interviews: dict[str, list[Event]] = {}
    for row in rows:
        if row.interview is not None:
            interviews.setdefault(row.interview, []).append(row)
    content = {
        "slug": slug,
        "studies": [_row_document(row) for row in rows if row.kind == STUDY],
        "interviews": [
            {"id": interview, "rows": [_row_document(row) for row in of_interview]}
            for interview, of_interview in interviews.items()
        ],
    }
    document = EXPORT_FORMAT.write(evenhand=version("evenhand"), digest=content_digest(content), **content)
    return json.dumps(document, allow_nan=False, indent=1)


def import_study(store: Store, text: str) -> Imported:
    """Add a study that was exported; what is there already is left as it is."""
    return add_export(store, read_export(text))


def read_export(text: str) -> Export:
    """Read a study that was exported, or say what is wrong with it."""
    content = _content(text)
    versions, interviews = _versions(content), dict(_interviews(content))
    studies = {digest_of(row.detail): Study.from_json(row.detail) for row in versions}
    for rows in interviews.values():  # what makes no interview is refused before anything is added
        fold("", studies, rows)
    return Export(content["slug"], versions, interviews)


def add_export(store: Store, export: Export) -> Imported:
    """Add all of it that is not there already, or nothing."""
    slug, versions, interviews = export.slug, export.versions, export.interviews
    with store.database.writing() as connection:
        head_of(connection, lock=True)
        there = {row.detail for row in events_where(connection, log.c.study == slug, log.c.kind == STUDY)}
        added = [row for row in versions if row.detail not in there]
        known = 0
        new = 0
        for interview, rows in interviews.items():
            missing = _missing(connection, interview, rows)
            known += not missing
            new += bool(missing)
            added.extend(missing)
        append(connection, added)
    return Imported(slug, new, sum(row.kind == ANSWERED for row in added), known)


def _missing(connection: Connection, interview: str, rows: list[Event]) -> list[Event]:
    """Return the rows of an interview that are not there yet."""
    there = events_of_interview(connection, interview)
    both = min(len(there), len(rows))
    if there[:both] != rows[:both]:
        raise EvenhandError(
            f"interview {interview:.12}… is in this store already, and went on differently there: nothing was imported"
        )
    return rows[both:]


def _row_document(row: Event) -> dict[str, Any]:
    try:
        document = {name: getattr(row, name) for name in _ROW} | {"detail": loads(row.detail)}
        json.dumps(document, allow_nan=False)
    except (ValueError, TypeError) as error:
        raise DamagedError(f"a row “{row.kind}” of the study {shown(row.study)} is damaged: {error}") from error
    return document


def content_digest(content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of what an export holds."""
    return hashlib.sha256(json.dumps(content, allow_nan=False, sort_keys=True).encode()).hexdigest()


def _content(text: str) -> dict[str, Any]:
    document = EXPORT_FORMAT.from_json(text)
    content = {name: document[name] for name in ("slug", "studies", "interviews")}
    try:
        digest = content_digest(content)
    except ValueError as error:
        raise EvenhandError(f"this export holds what no export does: {error}") from error
    if digest != document["digest"]:
        raise EvenhandError("this export was changed after it was written: its digest does not fit. Export it again")
    for name in ("studies", "interviews"):
        if not isinstance(content[name], list) or not all(isinstance(entry, dict) for entry in content[name]):
            raise EvenhandError(f'"{name}" of this export must be a list of objects, but is {shown(content[name])}')
    return content


def _versions(content: dict[str, Any]) -> list[Event]:
    rows = [_row(document, content["slug"], None) for document in content["studies"]]
    for row in rows:
        if (row.n, row.choice, row.why) != (None, None, None):
            raise EvenhandError("a study of this export has an answer, which only interviews have")
        if row.kind != STUDY or Study.from_json(row.detail).slug != content["slug"]:
            raise EvenhandError(f"this export is of the study {shown(content['slug'])}, but holds another one")
    return rows


def _interviews(content: dict[str, Any]) -> Iterator[tuple[str, list[Event]]]:
    seen = set()
    for document in content["interviews"]:
        checked_fields(document, "an interview of this export", ("id", "rows"))
        identity, rows = document["id"], document["rows"]
        if not (isinstance(identity, str) and _IDENTITY.fullmatch(identity)) or identity in seen:
            raise EvenhandError(f"an interview of this export has the id {shown(identity)}: none, or another's")
        if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
            raise EvenhandError(f"interview {identity:.12}… of this export has no rows: {shown(rows)}")
        seen.add(identity)
        yield identity, [_row(row, content["slug"], identity) for row in rows]


def _row(document: dict[str, Any], slug: str, interview: str | None) -> Event:
    checked_fields(document, "a row of this export", _ROW)
    n, why = document["n"], document["why"]
    if why is not None:
        if not isinstance(why, str):
            raise EvenhandError(f'"why" must be text, but is {shown(why)}')
        check_characters(why, "why", allowed=LINES)
    for name, known in (("kind", KINDS), ("choice", (None, "first", "second", "neither", "skip"))):
        if document[name] not in known:
            raise EvenhandError(f"a row of this export has the {name} {shown(document[name])}, which is none")
    return Event(
        study=slug,
        kind=document["kind"],
        interview=interview,
        n=None if n is None else whole_number(n, "n"),
        choice=document["choice"],
        why=why,
        detail=json.dumps(document["detail"], allow_nan=False),
        time=checked_time(document["time"]),
    )
