"""The store of studies and interviews: every answer that was acknowledged is on the disk, once.

All is one log, and an interview is a fold over its events. A `Session` answers and undoes, as it does in a file.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from importlib.metadata import version
from threading import Lock
from typing import Self

from sqlalchemy import Connection

from evenhand.errors import EvenhandError
from evenhand.study.interview import Interview, begun_interview, new_seed
from evenhand.study.log.chain import breaks
from evenhand.study.log.database import Database
from evenhand.study.log.events import BEGUN, STUDY, Event, now
from evenhand.study.log.migrating import bring_up_to_date
from evenhand.study.log.schema import log
from evenhand.study.log.tables import (
    DatabaseLog,
    append,
    chained_events,
    end_of,
    events_of_interview,
    events_where,
    head_of,
    set_head,
)
from evenhand.study.refusals import (
    DamagedError,
    NotSavedError,
    Refusal,
    UnknownInterviewError,
    UnknownStudyError,
    UnreachableError,
)
from evenhand.study.runner import Runner
from evenhand.study.session import Session
from evenhand.study.study import Study, digest_of, is_slug

_TOKEN_BYTES = 24
_TURNS = 64


class Store:
    """Studies and interviews in an SQLite file or a PostgreSQL database; close it, or use `with`."""

    def __init__(self, url: str, *, create: bool = True, runner: Runner | None = None) -> None:
        """Open the store at a URL such as `sqlite:///evenhand.db`, bringing its tables up to date.

        Where there is no file yet, one is made if `create`; `runner` works out what to ask next.
        """
        self.database = Database(url, create=create)
        try:
            bring_up_to_date(self.database)
        except EvenhandError as error:
            self.database.close()
            if isinstance(error, Refusal):  # for the person who runs the server, not for respondents
                reason = str(getattr(error.__cause__, "orig", error)).splitlines()[0]
                raise EvenhandError(f"the store {self.database.name} cannot be opened: {reason}") from error
            raise
        self.log = DatabaseLog(self.database)
        self._runner = runner or Runner()
        # Fifty equal answers at once: one thread works out what comes next, the others wait and read it.
        self._turns = [Lock() for _ in range(_TURNS)]

    def put_study(self, study: Study) -> bool:
        """Keep a study, unless it is there already as it is; return whether it is new, or a new version.

        Interviews that began with an earlier study of this name go on with that.
        """
        with self.database.writing() as connection:
            head_of(connection, lock=True)
            texts = _versions(connection, study.slug)
            if texts and _read_study(texts[-1]).to_json() == study.to_json():
                return False
            append(connection, [Event(study=study.slug, kind=STUDY, detail=study.to_json(), time=now())])
            return True

    def study(self, slug: str) -> Study:
        """Return the study of that name."""
        return _read_study(self._newest(slug))

    def studies(self) -> Mapping[str, Study]:
        """Return all studies by name, in the order in which they came."""
        with self.database.reading() as connection:
            events = events_where(connection, log.c.kind == STUDY)
        return {event.study: _read_study(event.detail) for event in events}

    def begin(self, slug: str) -> str:
        """Begin an interview and return its token."""
        token, seed = secrets.token_urlsafe(_TOKEN_BYTES), new_seed()
        text = self._newest(slug)
        study = _read_study(text)
        session = self._session(Interview(token=token, study=study, method=study.method, seed=seed))
        begun = session.event(BEGUN, {"study": digest_of(text), "seed": seed, "evenhand": version("evenhand")})
        outcome = session.outcome(session.begun)
        session.begun.with_event(outcome)  # what cannot be read back is not kept
        self.log.append(session.interview, [begun, outcome], after=0)
        return token

    def interview(self, token: str) -> Interview:
        """Return an interview as it stands."""
        return self._session(self._begun(token)).state()

    def answer(
        self, token: str, n: int, choice: str, why: str | None = None, *, revision: int | None = None
    ) -> Interview:
        """Keep the answer to question n, as `Session.answer` does."""
        with self._change(token) as session:
            return session.answer(n, choice, why, revision=revision)

    def undo(self, token: str, n: int, *, revision: int | None = None) -> Interview:
        """Take back answer n, as `Session.undo` does."""
        with self._change(token) as session:
            return session.undo(n, revision=revision)

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

    def __exit__(self, *raised: object) -> None:
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

    def _begun(self, token: str) -> Interview:
        """Return an interview before its first question."""
        with self.database.reading() as connection:
            events = events_of_interview(connection, identity(token))
            if not events:
                raise UnknownInterviewError
            texts = _versions(connection, events[0].study)
        return begun_interview(token, {digest_of(text): _read_study(text) for text in texts}, events)

    def _session(self, begun: Interview) -> Session[Interview]:
        return Session(self.log, identity(begun.token), begun, self._runner, study=begun.study.slug)

    @contextmanager
    def _change(self, token: str) -> Iterator[Session[Interview]]:
        """Change an interview: one thread at a time, and what cannot be read is not saved either."""
        with self._turns[hash(token) % _TURNS]:
            try:
                yield self._session(self._begun(token))
            except UnreachableError as error:
                raise NotSavedError(error.reason) from error


def identity(token: str) -> str:
    """Return what the log calls the interview of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _versions(connection: Connection, slug: str) -> list[str]:
    """Return the documents of a study, the earliest first."""
    return [event.detail for event in events_where(connection, log.c.study == slug, log.c.kind == STUDY)]


@lru_cache(maxsize=64)
def _read_study(text: str) -> Study:
    try:
        return Study.from_json(text)
    except EvenhandError as error:
        raise DamagedError(f"What is stored of this study is damaged: {error}.") from error
