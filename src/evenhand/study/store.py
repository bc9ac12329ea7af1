"""The store of studies and interviews: every answer that was acknowledged is on the disk, once.

All is one log, and an interview is a fold over its events. A `Session` answers and undoes, as it does in a file.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache
from importlib.metadata import version
from threading import Lock
from typing import Self

from sqlalchemy import Connection, func, select

from evenhand.errors import EvenhandError
from evenhand.study import invitations as invited
from evenhand.study.folds import Folds
from evenhand.study.interview import Interview, begun_interview, new_seed
from evenhand.study.invitations import Admission, Door, NewInvitation
from evenhand.study.limits import MOST_AT_ADDRESS, MOST_STUDIES, ROOM_TO_BEGIN
from evenhand.study.log.chain import breaks
from evenhand.study.log.database import Database
from evenhand.study.log.events import ANSWERED, BEGUN, STUDY, WITHDRAWN, Event, now
from evenhand.study.log.migrating import bring_up_to_date
from evenhand.study.log.patience import waiting
from evenhand.study.log.schema import log
from evenhand.study.log.tables import (
    DatabaseLog,
    append,
    end_of,
    erase,
    events_of_interview,
    events_where,
    has_begun,
    head_of,
    moves_of_interview,
    newest_version,
    number_begun,
    set_head,
    stored_rows,
    withdrawn_interviews,
)
from evenhand.study.overview import Invitation, StudyOverview, counted, first_invitations, invitations_of
from evenhand.study.refusals import (
    ChangedError,
    DamagedError,
    FullError,
    NotAdmittedError,
    NotSavedError,
    NotToldError,
    Refusal,
    UnknownInterviewError,
    UnknownStudyError,
    UnreachableError,
    WithdrawnError,
)
from evenhand.study.runner import Runner
from evenhand.study.session import Session
from evenhand.study.study import Study, digest_of, is_slug

_EVENHAND = version("evenhand")
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
        self._folds = Folds()
        # Fifty equal answers at once: one thread works out what comes next, the others wait and read it.
        self._turns = [Lock() for _ in range(_TURNS)]

    def put_study(self, study: Study, *, by_invitation: bool = False, over: str | None = None) -> bool:
        """Keep a study, unless it is there already as it is; return whether it is new, or a new version.

        Interviews that began with an earlier study of this name go on with that. A new study is open to anyone who
        knows its address, or `by_invitation`; a new version changes nothing of that. Where `over` says which version
        this one replaces (its digest, or nothing for a new study), any other is left as it is.
        """
        with self.database.writing() as connection:
            head = head_of(connection, lock=True)
            newest = newest_version(connection, study.slug)
            if newest is None and _number_of_studies(connection) >= MOST_STUDIES:
                raise EvenhandError(f"this store has {MOST_STUDIES} studies, which is the most: use another store")
            there = "" if newest is None else _read_study(newest).to_json()
            if there == study.to_json():
                return False
            if over is not None and over != (there and digest_of(there)):
                raise ChangedError(study.slug)
            append(connection, head, [Event(study=study.slug, kind=STUDY, detail=study.to_json(), time=now())])
            if by_invitation and newest is None:
                invited.set_door(connection, study.slug, Door(anyone=False))
            return True

    def study(self, slug: str) -> Study:
        """Return the study of that name."""
        return _read_study(self._newest(slug))

    def studies(self) -> Mapping[str, Study]:
        """Return all studies by name, in the order in which they came."""
        with self.database.reading() as connection:
            places = select(func.min(log.c.place), func.max(log.c.place), log.c.study).where(log.c.kind == STUDY)
            came = sorted(tuple(row) for row in connection.execute(places.group_by(log.c.study)))
            events = events_where(connection, log.c.place.in_([last for _, last, _ in came]))
        texts = {event.study: event.detail for event in events}
        return {slug: _read_study(texts[slug]) for *_, slug in came if slug in texts}

    def begin(self, slug: str, *, by_owner: bool = False) -> str:
        """Begin an interview at a study's own address, and return its token.

        Where a study is by invitation, only its owner can begin there.
        """
        token = secrets.token_urlsafe(_TOKEN_BYTES)

        def check(connection: Connection, _: Study) -> None:
            door = invited.door_of(connection, slug)
            door.check_open()
            if by_owner:
                return
            door.check_anyone()
            if number_begun(connection, slug) >= MOST_AT_ADDRESS:
                raise FullError

        self._begin(slug, token, check)
        return token

    def interview(self, token: str) -> Interview:
        """Return an interview as it stands; one that is not finished is refused where nobody can go on with it."""
        begun, refusal, events = self._begun(token)
        state = self._session(begun, events).state()
        if refusal is not None and state.finding is None:
            raise refusal
        return state

    def answers_kept(self, token: str) -> int:
        """Return how many answers of an interview are stored, those included that were undone."""
        with self.database.reading() as connection:
            events = events_of_interview(connection, identity(token))
        if not events:
            raise UnknownInterviewError
        return sum(event.kind == ANSWERED for event in events)

    def withdraw(self, token: str) -> None:
        """Erase what a person said, for good; what remains is that somebody withdrew. To do so again changes nothing.

        People can always withdraw: also when the study is closed, and the invitation revoked.
        """
        interview = identity(token)
        with self.database.writing() as connection:
            head = head_of(connection, lock=True)
            if moves_of_interview(connection, interview) is not None:
                events = events_where(connection, log.c.interview == interview)
                if not events:
                    raise UnknownInterviewError
                withdrawn = Event(study=events[0].study, kind=WITHDRAWN, interview=interview, detail="{}", time=now())
                append(connection, head, [withdrawn])
                erase(connection, interview)
                invited.forget(connection, interview)
        self._forget(interview)  # once more, perhaps: another process may have withdrawn it, or this one was too busy

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

    def invite(
        self, slug: str, count: int = 1, label: str = "invitation", expires: datetime | None = None
    ) -> list[NewInvitation]:
        """Invite people, each by a link of their own: `/i/` and the secret, which is told only now.

        From then on the study is by invitation, unless it is opened to anyone again. Where there are several
        invitations with a label, each gets a number.
        """
        with self._doors(slug) as connection:
            if not invited.has_any(connection, slug):
                door = invited.door_of(connection, slug)
                invited.set_door(connection, slug, Door(closed=door.closed, anyone=False))
            return invited.make(connection, slug, count=count, label=label, expires=expires, made=now())

    def invite_openly(
        self, slug: str, places: int, label: str = "open link", expires: datetime | None = None
    ) -> NewInvitation:
        """Make a study's open link, which admits so many people; the one that it had is revoked."""
        with self._doors(slug) as connection:
            return invited.make_open_link(connection, slug, places=places, label=label, expires=expires, made=now())

    def invitation(self, secret: str) -> Admission | None:
        """Return the invitation of a secret, if there is one that admits somebody now; refuse it otherwise."""
        with self.database.reading() as connection:
            admission = invited.admission_by(connection, secret)
            if admission is not None:
                admission.check()
                invited.door_of(connection, admission.study).check_open()
                admission.check_place()
        return admission

    def accept(self, secret: str, *, names_told: bool = False) -> str:
        """Begin the interview of an invitation, and return its token; a personal one that has begun goes on.

        Where a study keeps names, nobody begins by a personal invitation who was not told so: `names_told`.
        """
        with self.database.reading() as connection:
            admission = invited.admission_by(connection, secret)
        if admission is None:
            raise UnknownInterviewError
        token = secret if admission.personal else secrets.token_urlsafe(_TOKEN_BYTES)

        def check(connection: Connection, study: Study) -> None:
            now_there = invited.admission_by(connection, secret)
            if now_there is None:
                raise UnknownInterviewError
            now_there.check()
            invited.door_of(connection, now_there.study).check_open()
            now_there.check_place()
            if now_there.personal and study.names_kept and not names_told:
                raise NotToldError
            invited.admit(connection, identity(token), now_there.id)

        self._begin(admission.study, token, check)
        return token

    def invitations(self, slug: str) -> list[Invitation]:
        """Return the invitations of a study, and how far each has come."""
        self._newest(slug)
        with self.database.reading() as connection:
            return invitations_of(connection, slug)

    def first_invitations(self, most: int) -> dict[str, list[Invitation]]:
        """Return the first invitations of every study that has any, at most so many of each."""
        with self.database.reading() as connection:
            return first_invitations(connection, most)

    def revoke(self, slug: str, invitation: str) -> None:
        """Take an invitation back: nobody can begin or go on with it. What was answered is kept."""
        with self._doors(slug) as connection:
            invited.revoke(connection, slug, invitation)

    def close_study(self, slug: str) -> None:
        """Let nobody begin or go on; what was answered is kept."""
        with self._doors(slug) as connection:
            door = invited.door_of(connection, slug)
            invited.set_door(connection, slug, Door(closed=True, anyone=door.anyone))

    def open_study(self, slug: str, *, anyone: bool | None = None) -> None:
        """Let people begin and go on again; `anyone` says whether without an invitation, too, or as before."""
        with self._doors(slug) as connection:
            before = invited.door_of(connection, slug).anyone
            invited.set_door(connection, slug, Door(anyone=before if anyone is None else anyone))

    def door(self, slug: str) -> Door:
        """Return whether a study is closed, and who may begin."""
        self._newest(slug)
        with self.database.reading() as connection:
            return invited.door_of(connection, slug)

    def doors(self) -> Mapping[str, Door]:
        """Return who may begin, by study; a study that is not among them is open to anyone."""
        with self.database.reading() as connection:
            return invited.doors_of(connection)

    def overview(self) -> list[StudyOverview]:
        """Return how far each study has come, in the order in which they came; the database counts."""
        studies = self.studies()
        with self.database.reading() as connection:
            numbers = counted(connection)
        return [
            StudyOverview(slug=slug, title=study.title, **numbers.get(slug, {}))  # type: ignore[arg-type]
            for slug, study in studies.items()
        ]

    def breaks(self) -> list[str]:
        """Say where the log was changed after it was written."""
        end = end_of(self.database)
        with self.database.reading() as connection:
            withdrawn = withdrawn_interviews(connection)
        return list(breaks(stored_rows(self.database, end.head), end, withdrawn))

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

    def _forget(self, interview: str) -> None:
        """Drop what is remembered of an interview beside the database."""
        self._runner.forget(interview)
        self._folds.forget(interview)

    def _begin(self, slug: str, token: str, check: Callable[[Connection, Study], None]) -> None:
        """Begin an interview, unless there is one of that token or the check refuses it when it is written."""
        self.database.check_room(ROOM_TO_BEGIN)
        text, seed = self._newest(slug), new_seed()
        study = _read_study(text)
        session = self._session(Interview(token=token, study=study, method=study.method, seed=seed))
        begun = session.event(BEGUN, {"study": digest_of(text), "seed": seed, "evenhand": _EVENHAND})
        outcome = session.outcome(session.begun)
        state = session.begun.with_event(outcome)  # what cannot be read back is not kept

        def write(connection: Connection) -> bool:
            head = head_of(connection, lock=True)
            if has_begun(connection, session.interview):
                return False
            check(connection, study)
            append(connection, head, [begun, outcome])
            return True

        if self.database.write(write):
            self._folds.remember(session.interview, session.begun, [begun, outcome], state)

    @contextmanager
    def _doors(self, slug: str) -> Iterator[Connection]:
        """Change who may take part in a study."""
        self._newest(slug)
        with self.database.writing() as connection:
            head_of(connection, lock=True)
            yield connection

    def _newest(self, slug: str) -> str:
        """Return the text of the newest study of that name."""
        text = None
        if is_slug(slug):  # other names may hold what no database takes
            with self.database.reading() as connection:
                text = newest_version(connection, slug)
        if text is None:
            raise UnknownStudyError(slug)
        return text

    def _begun(self, token: str) -> tuple[Interview, NotAdmittedError | None, list[Event]]:
        """Return an interview before its first question, why its person cannot go on, if so, and its events."""
        interview = identity(token)
        known = self._folds.begun(interview)
        with self.database.reading() as connection:
            events = events_of_interview(connection, interview)
            if not events:
                raise UnknownInterviewError
            slug = events[0].study
            if known is None or known[1] != events[0]:
                texts = [newest_version(connection, slug) or ""]
                if digest_of(texts[0]) not in events[0].detail:  # it began with an earlier one
                    texts = _versions(connection, slug)
                known = (
                    begun_interview(token, {digest_of(text): _read_study(text) for text in texts}, events),
                    events[0],
                )
            refusal = invited.refusal_to_go_on(connection, interview)
        return known[0], refusal, events

    def _session(self, begun: Interview, seen: list[Event] | None = None) -> Session[Interview]:
        return Session(
            self.log,
            identity(begun.token),
            begun,
            self._runner,
            study=begun.study.slug,
            folds=self._folds,
            seen=seen,
        )

    @contextmanager
    def _change(self, token: str) -> Iterator[Session[Interview]]:
        """Change an interview: one thread at a time, and what cannot be read is not saved either."""
        with waiting(self._turns[hash(token) % _TURNS], NotSavedError):
            try:
                begun, refusal, events = self._begun(token)
                if refusal is not None:
                    raise refusal
                yield self._session(begun, events)
            except UnreachableError as error:
                raise NotSavedError(error.reason) from error
            except WithdrawnError:  # meanwhile, perhaps, when something was remembered again
                self._forget(identity(token))
                raise


def identity(token: str) -> str:
    """Return what the log calls the interview of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _versions(connection: Connection, slug: str) -> list[str]:
    """Return the documents of a study, the earliest first."""
    return [event.detail for event in events_where(connection, log.c.study == slug, log.c.kind == STUDY)]


def _number_of_studies(connection: Connection) -> int:
    studies = select(func.count(log.c.study.distinct())).where(log.c.kind == STUDY)
    return int(connection.execute(studies).scalar_one())


@lru_cache(maxsize=64)
def _read_study(text: str) -> Study:
    try:
        return Study.from_json(text)
    except EvenhandError as error:
        raise DamagedError(f"What is stored of this study is damaged: {error}.") from error
