"""Events: what the log says, one by one."""

from __future__ import annotations

from dataclasses import dataclass

STUDY, BEGUN, ASKED, ANSWERED, UNDONE, FOUND = "study", "begun", "asked", "answered", "undone", "found"
KINDS = (STUDY, BEGUN, ASKED, ANSWERED, UNDONE, FOUND)

HASHED = ("study", "kind", "interview", "n", "choice", "why", "detail", "time")
"""The fields of a row in the order in which they are hashed: all chains ever written rest on it."""


@dataclass(frozen=True, kw_only=True)
class Event:
    """What one row of the log says.

    Attributes
    ----------
    study
        The slug of the study.
    interview
        The SHA-256 of the interview's token: who reads the log, or an export, cannot answer for somebody else.
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
