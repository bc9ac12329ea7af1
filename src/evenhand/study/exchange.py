"""A study with all its interviews as one JSON file, and back: nothing is lost, nothing is added twice.

Of an interview that was withdrawn, the file says only that. So an import erases it where it still is, and brings it
back nowhere.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from sqlalchemy import Connection

from evenhand.checks.documents import Format, checked_fields
from evenhand.checks.messages import shown
from evenhand.errors import EvenhandError
from evenhand.study import invitations as invited
from evenhand.study.answers import Answered, StudyAnswers
from evenhand.study.interview import interview_of
from evenhand.study.log.events import ANSWERED, STUDY, WITHDRAWN, Event
from evenhand.study.log.schema import log
from evenhand.study.log.tables import append, erase, events_where, head_of
from evenhand.study.store import Store
from evenhand.study.study import Study, digest_of

EXPORT_FORMAT = Format(
    name="evenhand.export",
    what="exported study",
    fields=("evenhand", "digest", "slug", "studies", "interviews"),
)

_IDENTITY = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Export:
    """What an export holds: the versions of a study, and the events of each interview."""

    slug: str
    versions: list[Event]
    interviews: dict[str, list[Event]]

    def answers(self) -> StudyAnswers:
        """Return the answers of all interviews that have some."""
        studies = {digest_of(event.detail): Study.from_json(event.detail) for event in self.versions}
        if not studies:
            raise EvenhandError("this export holds no study")
        states = {
            name: interview_of("", studies, events)
            for name, events in self.interviews.items()
            if not _is_withdrawn(events)
        }
        answers = {name: Answered.of(state) for name, state in states.items() if state.answers}
        return StudyAnswers(list(studies.values())[-1], answers)


@dataclass(frozen=True)
class Imported:
    """What an import added."""

    slug: str
    interviews: int
    answers: int
    known: int


def export_study(store: Store, slug: str) -> str:
    """Return a study as one JSON document."""
    store.study(slug)  # refuses a study that is not there
    with store.database.reading() as connection:
        events = events_where(connection, log.c.study == slug)
    interviews: dict[str, list[Event]] = {}
    for event in events:
        if event.interview is not None:
            interviews.setdefault(event.interview, []).append(event)
    content = {
        "slug": slug,
        "studies": [event.to_document() for event in events if event.kind == STUDY],
        "interviews": [
            {"id": interview, "events": [event.to_document() for event in of_interview]}
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
    studies = {digest_of(event.detail): Study.from_json(event.detail) for event in versions}
    for events in interviews.values():  # what makes no interview is refused before anything is added
        if not _is_withdrawn(events):
            interview_of("", studies, events)
    return Export(content["slug"], versions, interviews)


def add_export(store: Store, export: Export) -> Imported:
    """Add all of it that is not there already, or nothing."""
    slug, versions, interviews = export.slug, export.versions, export.interviews
    with store.database.writing() as connection:
        head = head_of(connection, lock=True)
        there = {event.detail for event in events_where(connection, log.c.study == slug, log.c.kind == STUDY)}
        added = [event for event in versions if event.detail not in there]
        known = 0
        new = 0
        for interview, events in interviews.items():
            missing = _missing(connection, interview, events)
            known += not missing
            new += bool(missing)
            added.extend(missing)
        append(connection, head, added)
    return Imported(slug, new, sum(event.kind == ANSWERED for event in added), known)


def _missing(connection: Connection, interview: str, events: list[Event]) -> list[Event]:
    """Return the events of an interview that are not there yet."""
    there = events_where(connection, log.c.interview == interview)
    if _is_withdrawn(there):
        return []
    if _is_withdrawn(events):
        erase(connection, interview)
        invited.forget(connection, interview)
        return events
    both = min(len(there), len(events))
    if there[:both] != events[:both]:
        raise EvenhandError(
            f"interview {interview:.12}… is in this store already, and went on differently there: nothing was imported"
        )
    return events[both:]


def _is_withdrawn(events: list[Event]) -> bool:
    return len(events) == 1 and events[0].kind == WITHDRAWN


def content_digest(content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of what an export holds."""
    return hashlib.sha256(json.dumps(content, allow_nan=False, sort_keys=True).encode()).hexdigest()


def _content(text: str) -> dict[str, Any]:
    document = EXPORT_FORMAT.from_json(text)
    content = {name: document[name] for name in ("slug", "studies", "interviews")}
    try:
        digest = content_digest(content)
    except ValueError as error:
        raise EvenhandError(f"this export holds a number that JSON does not know: {error}") from error
    if digest != document["digest"]:
        raise EvenhandError("this export was changed after it was written: its digest does not fit. Export it again")
    for name in ("studies", "interviews"):
        if not isinstance(content[name], list) or not all(isinstance(entry, dict) for entry in content[name]):
            raise EvenhandError(f'"{name}" of this export must be a list of objects, but is {shown(content[name])}')
    return content


def _versions(content: dict[str, Any]) -> list[Event]:
    events = [Event.from_document(document, study=content["slug"], interview=None) for document in content["studies"]]
    for event in events:
        if (event.n, event.choice, event.why) != (None, None, None):
            raise EvenhandError("a study of this export has an answer, which only interviews have")
        if event.kind != STUDY or Study.from_json(event.detail).slug != content["slug"]:
            raise EvenhandError(f"this export is of the study {shown(content['slug'])}, but holds another one")
    return events


def _interviews(content: dict[str, Any]) -> Iterator[tuple[str, list[Event]]]:
    seen = set()
    for document in content["interviews"]:
        checked_fields(document, "an interview of this export", ("id", "events"))
        identity, events = document["id"], document["events"]
        if not (isinstance(identity, str) and _IDENTITY.fullmatch(identity)) or identity in seen:
            raise EvenhandError(
                f"an interview of this export has the id {shown(identity)}, which is not 64 hexadecimal digits or "
                "belongs to another one, too"
            )
        if not isinstance(events, list) or not events or not all(isinstance(event, dict) for event in events):
            raise EvenhandError(f"interview {identity:.12}… of this export has no events: {shown(events)}")
        seen.add(identity)
        yield identity, [Event.from_document(event, study=content["slug"], interview=identity) for event in events]
