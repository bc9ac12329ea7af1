"""Events: what is kept of an interview, one by one; and a log, where they are only ever added."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from evenhand.checks.arrays import whole_number
from evenhand.checks.documents import checked_fields, checked_time
from evenhand.checks.messages import expect, listed, shown
from evenhand.checks.nesting import loads
from evenhand.checks.text import LINES, check_characters
from evenhand.elicitation.question import STORED
from evenhand.errors import EvenhandError
from evenhand.study.refusals import DamagedError

STUDY, BEGUN, ASKED, ANSWERED, UNDONE, FOUND = "study", "begun", "asked", "answered", "undone", "found"
WITHDRAWN = "withdrawn"
KINDS = (STUDY, BEGUN, ASKED, ANSWERED, UNDONE, FOUND, WITHDRAWN)
MOVES = (ANSWERED, UNDONE)
"""How a person answers: the number of moves is the revision of an interview."""

OUTLINE = ("study", "kind", "interview", "n")
"""What the chain holds of an event as it is: that something happened, in which interview."""

CONTENT = ("choice", "why", "detail", "time")
"""What says anything about a person. The chain holds only a salted digest of it, so that it can be erased."""

_DOCUMENT = ("kind", "n", "choice", "why", "detail", "time")


@dataclass(frozen=True, kw_only=True)
class Event:
    """One row of a log.

    Attributes
    ----------
    study
        The slug of the study; empty in a file, which holds one interview and no study.
    interview
        The SHA-256 of the interview's token: to read the log, or an export, is not enough to answer for another person.
    n, choice, why
        The number of the question; the answer to it, and its reason.
    detail
        A JSON document: the study, the question as it was shown, or what was found.
    time
        When, in UTC.
    """

    study: str
    kind: str
    interview: str | None = None
    n: int | None = None
    choice: str | None = None
    why: str | None = None
    detail: str
    time: str

    def to_document(self) -> dict[str, Any]:
        """Return the event as JSON holds it; which study and interview it belongs to is said around it."""
        try:
            document = {name: getattr(self, name) for name in _DOCUMENT} | {"detail": loads(self.detail)}
            json.dumps(document, allow_nan=False)
        except (ValueError, TypeError) as error:
            raise DamagedError(
                f"an event “{self.kind}” of the study {shown(self.study)} is damaged: {error}"
            ) from error
        return document

    @classmethod
    def from_document(cls, document: object, *, study: str, interview: str | None) -> Event:
        """Read an event back, or say what is wrong with it."""
        fields = checked_fields(document, "an event", _DOCUMENT)
        n, why = fields["n"], fields["why"]
        if why is not None:
            expect(why, "why", str)
            check_characters(why, "why", allowed=LINES)
        for name, known in (("kind", KINDS), ("choice", (None, *STORED))):
            if fields[name] not in known:
                raise EvenhandError(f"its {name} must be one of {listed(known)}, but is {shown(fields[name])}")
        try:
            detail = json.dumps(fields["detail"], allow_nan=False)
        except ValueError as error:
            raise EvenhandError(f"its detail holds a number that JSON does not know: {error}") from error
        return cls(
            study=study,
            kind=fields["kind"],
            interview=interview,
            n=None if n is None else whole_number(n, "n", 0),
            choice=fields["choice"],
            why=why,
            detail=detail,
            time=checked_time(fields["time"]),
        )


class Log(Protocol):
    """Where the events of interviews are kept: they are only ever added."""

    def events(self, interview: str) -> Sequence[Event]:
        """Return the events of an interview, the first one first; none if there is no such interview."""

    def append(self, interview: str, events: Sequence[Event], *, after: int) -> bool:
        """Add events if the interview has had so many moves; True means that they are on the disk."""


def now() -> str:
    """Return the time in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
