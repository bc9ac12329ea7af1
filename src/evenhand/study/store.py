"""The store of studies and interviews: every answer that was acknowledged is on the disk, once.

All is one log (`log.py`), and an interview is a fold over its rows (`interview.py`). A writer looks at an interview,
works out what comes next, and adds its rows only if nobody else was quicker; otherwise it looks again.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from importlib.metadata import version
from threading import Lock
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Connection

from evenhand.checks.messages import listed, shown
from evenhand.checks.text import checked_text
from evenhand.elicitation import Finding, Question
from evenhand.elicitation.question import STORED
from evenhand.errors import EvenhandError
from evenhand.study.codec import finding_document, question_document
from evenhand.study.interview import Interview, fold
from evenhand.study.log.chain import breaks
from evenhand.study.log.database import Database
from evenhand.study.log.events import ANSWERED, ASKED, BEGUN, FOUND, STUDY, UNDONE, Event
from evenhand.study.log.migrating import bring_up_to_date
from evenhand.study.log.schema import log
from evenhand.study.log.stored_answer import now
from evenhand.study.log.tables import (
    append,
    chained_events,
    count_of_interview,
    end_of,
    events_of_interview,
    events_where,
    head_of,
    set_head,
)
from evenhand.study.refusals import (
    AnswerConflictError,
    DamagedError,
    NotSavedError,
    OutOfOrderError,
    Refusal,
    UnknownInterviewError,
    UnknownStudyError,
    UnreachableError,
)
from evenhand.study.runner import Asking
from evenhand.study.shown_question import ShownQuestion
from evenhand.study.study import Study, digest_of, is_slug

LONGEST_REASON = 2000

_TOKEN_BYTES = 24
_LARGEST_SEED = 2**32
_TURNS = 64


class Store:
    """Studies and interviews in an SQLite file or a PostgreSQL database; close it, or use `with`."""

    def __init__(self, url: str, *, create: bool = True, asking: Asking | None = None) -> None:
        """Open the store at an URL such as `sqlite:///evenhand.db`, bringing its tables up to date.

        Where there is no file yet, one is made if `create`; `asking` works out what to ask next.
        """
        self.database = Database(url, create=create)
        try:
            bring_up_to_date(self.database)
        except EvenhandError as error:
            self.database.close()
            if isinstance(error, Refusal):  # whoever runs the server may know what the people who answer may not
                reason = str(getattr(error.__cause__, "orig", error)).splitlines()[0]
                raise EvenhandError(f"the store {self.database.name} cannot be opened: {reason}") from error
            raise
        self._asking = asking or Asking()
        # Fifty equal answers at once: one thread works out what comes next, the others wait and read it.
        self._turns = [Lock() for _ in range(_TURNS)]

    def put_study(self, study: Study) -> None:
        """Keep a study; interviews that began with an earlier one of this name go on with that."""
        with self.database.writing() as connection:
            head_of(connection, lock=True)
            texts = _versions(connection, study.slug)
            if not texts or _read_study(texts[-1]).to_json() != study.to_json():
                append(connection, [Event(study=study.slug, kind=STUDY, detail=study.to_json(), time=now())])

    def study(self, slug: str) -> Study:
        """Return the study of that name."""
        return _read_study(self._newest(slug))

    def studies(self) -> Mapping[str, Study]:
        """Return all studies by name, in the order in which they came."""
        with self.database.reading() as connection:
            rows = events_where(connection, log.c.kind == STUDY)
        return {row.study: _read_study(row.detail) for row in rows}

    def begin(self, slug: str) -> str:
        """Begin an interview and return its token."""
        token, seed = secrets.token_urlsafe(_TOKEN_BYTES), secrets.randbelow(_LARGEST_SEED)
        text = self._newest(slug)
        study = _read_study(text)
        interview = Interview(token=token, study=study, seed=seed)
        detail = {"study": digest_of(text), "seed": seed, "evenhand": version("evenhand")}
        rows = [_row(interview, BEGUN, detail), _outcome_row(interview, self._asking.step(study, seed, ()))]
        with self.database.writing() as connection:
            append(connection, rows)
        return token

    def interview(self, token: str) -> Interview:
        """Return an interview as it stands."""
        with self.database.reading() as connection:
            rows = events_of_interview(connection, identity(token))
            if not rows:
                raise UnknownInterviewError
            texts = _versions(connection, rows[0].study)
        return fold(token, {digest_of(text): _read_study(text) for text in texts}, rows)

    def answer(
        self, token: str, n: int, choice: str, why: str | None = None, *, revision: int | None = None
    ) -> Interview:
        """Keep the answer to question n, and return the interview as it stands after it.

        The same answer sent again changes nothing and gets the same reply. `revision` is that of the interview as the
        person saw it: an answer on a page that is out of date is then refused.
        """
        if choice not in STORED:
            raise EvenhandError(f"a choice is one of {listed(tuple(STORED))}, but received {shown(choice)}")
        reason = checked_text(why, "why", longest=LONGEST_REASON, lines=True) if why and why.strip() else None
        with self._turn(token):
            while True:
                interview = self._to_change(token)
                if 1 <= n <= len(interview.answers):
                    stored = interview.answers[n - 1]
                    if not stored.is_same(choice, reason):
                        raise AnswerConflictError(stored)
                    return interview.after(n)
                asked = _question_to_answer(interview, n)
                _check_revision(interview, revision)
                row = _row(interview, ANSWERED, question_document(asked), n=n, choice=choice, why=reason)
                answered = interview.with_event(row)
                outcome = _outcome_row(answered, self._asking.step(answered.study, answered.seed, answered.history))
                if self._added(interview, row, outcome):
                    return answered.with_event(outcome)

    def undo(self, token: str, n: int, *, revision: int | None = None) -> Interview:
        """Withdraw answer n, the last one that stands; sent again, it changes nothing."""
        with self._turn(token):
            while True:
                interview = self._to_change(token)
                standing = len(interview.answers)
                if standing < n <= interview.reached:
                    return interview
                if n != standing or n < 1:
                    raise OutOfOrderError(
                        f"Answer {shown(n)} cannot be undone: {_standing(interview)}.",
                        "Undo the last answer first." if 1 <= n < standing else "Reload the page to see where you are.",
                    )
                _check_revision(interview, revision)
                row = _row(interview, UNDONE, {}, n=n)
                if self._added(interview, row):
                    return interview.with_event(row)

    def breaks(self) -> list[str]:
        """Say where the log was changed after it was written."""
        end = end_of(self.database)
        return list(breaks(chained_events(self.database, end.head), end))

    def check_writable(self) -> None:
        """Write something that changes nothing, or raise `NotSavedError`."""
        with self.database.writing() as connection:
            set_head(connection, head_of(connection, lock=True))
        self.database.check_room()

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _newest(self, slug: str) -> str:
        """Return the text of the newest study of that name."""
        texts = []
        if is_slug(slug):  # other names may hold what no database takes
            with self.database.reading() as connection:
                texts = _versions(connection, slug)
        if not texts:
            raise UnknownStudyError(slug)
        return texts[-1]

    @contextmanager
    def _turn(self, token: str) -> Iterator[None]:
        with self._turns[hash(token) % _TURNS]:
            yield

    def _to_change(self, token: str) -> Interview:
        try:
            return self.interview(token)
        except UnreachableError as error:
            raise NotSavedError(error.reason) from error

    def _added(self, interview: Interview, *rows: Event) -> bool:
        """Add rows to an interview, unless it is no longer as it was when they were made."""
        with self.database.writing() as connection:
            head_of(connection, lock=True)
            if count_of_interview(connection, identity(interview.token)) != interview.revision:
                return False
            append(connection, rows)
            return True


def identity(token: str) -> str:
    """Return what the log calls the interview of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _versions(connection: Connection, slug: str) -> list[str]:
    """Return the documents of a study, the earliest first."""
    return [row.detail for row in events_where(connection, log.c.study == slug, log.c.kind == STUDY)]


@lru_cache(maxsize=64)
def _read_study(text: str) -> Study:
    try:
        return Study.from_json(text)
    except EvenhandError as error:
        raise DamagedError(f"What is stored of this study is damaged: {error}.") from error


def _row(
    interview: Interview,
    kind: str,
    detail: Mapping[str, Any],
    *,
    n: int | None = None,
    choice: str | None = None,
    why: str | None = None,
) -> Event:
    return Event(
        study=interview.study.slug,
        kind=kind,
        interview=identity(interview.token),
        n=n,
        choice=choice,
        why=why,
        detail=json.dumps(detail, allow_nan=False),
        time=now(),
    )


def _outcome_row(interview: Interview, outcome: Question | Finding) -> Event:
    """Return the row of what comes after the standing answers."""
    standing = len(interview.answers)
    if isinstance(outcome, Finding):
        return _row(interview, FOUND, finding_document(outcome), n=standing)
    asked = ShownQuestion.of(outcome, standing + 1, interview.study.setting)
    return _row(interview, ASKED, question_document(asked), n=asked.n)


def _question_to_answer(interview: Interview, n: int) -> ShownQuestion:
    asked = interview.question
    if asked is None or asked.n != n:
        raise OutOfOrderError(
            f"Question {shown(n)} cannot be answered now: {_standing(interview)}.",
            "Reload the page to see where you are.",
        )
    return asked


def _check_revision(interview: Interview, revision: int | None) -> None:
    if revision is not None and revision != interview.revision:
        raise OutOfOrderError(
            f"This page is out of date: {_standing(interview)}.", "Reload the page to see where you are."
        )


def _standing(interview: Interview) -> str:
    answered = {0: "no question is answered yet", 1: "question 1 is answered"}.get(
        len(interview.answers), f"questions 1 to {len(interview.answers)} are answered"
    )
    return answered + ("" if interview.question else ", and that was the last one")
