"""Who may take part in a study: invitations, an open link, and whether the study is closed.

An invitation is a link with a secret, of which the store keeps a hash. A personal one is one interview: its secret is
the interview's token, so that the same link opens it and leads back to it, wherever it is opened. An open link, for a
class or a conference, admits a number of people, each with an interview, and a token, of their own.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from hmac import compare_digest
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, insert, select, update

from evenhand.checks.arrays import whole_number
from evenhand.checks.messages import expect
from evenhand.checks.text import checked_text
from evenhand.errors import EvenhandError
from evenhand.study.limits import LONGEST_LABEL, MOST_INVITATIONS, MOST_INVITED_AT_ONCE, MOST_PLACES
from evenhand.study.log.schema import admissions, doors, invitations, log
from evenhand.study.refusals import (
    ByInvitationError,
    ClosedError,
    ExpiredError,
    FullError,
    NotAdmittedError,
    RevokedError,
    UnknownInvitationError,
)

_SECRET_BYTES = 24
_ID_BYTES = 8

_TAKEN = select(func.count()).where(admissions.c.invitation == invitations.c.id).scalar_subquery()
_BY_SECRET = select(invitations, _TAKEN.label("taken")).where(invitations.c.secret == bindparam("key"))
_DOOR = select(doors.c.closed, doors.c.anyone).where(doors.c.study == bindparam("study"))
_STANDING = (  # of an interview: its first event is always there
    select(doors.c.closed, invitations.c.revoked, invitations.c.expires)
    .select_from(log)
    .outerjoin(doors, doors.c.study == log.c.study)
    .outerjoin(admissions, admissions.c.interview == log.c.interview)
    .outerjoin(invitations, invitations.c.id == admissions.c.invitation)
    .where(log.c.interview == bindparam("interview"))
    .order_by(log.c.place)
    .limit(1)
)


class InvitationState(StrEnum):
    """How far an invitation has come."""

    UNOPENED = "unopened"
    BEGUN = "begun"
    FINISHED = "finished"
    REVOKED = "revoked"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True)
class NewInvitation:
    """An invitation that was just made: only now is its secret known."""

    id: str
    label: str
    secret: str


@dataclass(frozen=True)
class Door:
    """Whether a study is closed, and whether anyone who knows its address may begin."""

    closed: bool = False
    anyone: bool = True

    @property
    def admits_anyone(self) -> bool:
        """Whether somebody without an invitation can begin now."""
        return self.anyone and not self.closed

    def check_open(self) -> None:
        """Refuse everybody if the study is closed."""
        if self.closed:
            raise ClosedError

    def check_anyone(self) -> None:
        """Refuse those who come without an invitation, if the study is by invitation."""
        self.check_open()
        if not self.anyone:
            raise ByInvitationError


@dataclass(frozen=True, kw_only=True)
class Admission:
    """The invitation by which somebody comes."""

    id: str
    study: str
    personal: bool
    places: int
    expires: str | None
    revoked: bool
    taken: int = 0

    def check(self) -> None:
        """Refuse an invitation that was revoked or has expired."""
        _check_holds(revoked=self.revoked, expires=self.expires)

    def check_place(self) -> None:
        """Refuse one more person if all places are taken."""
        if self.taken >= self.places:
            raise FullError


def is_over(expires: str | None) -> bool:
    """Whether that time has passed."""
    return expires is not None and datetime.fromisoformat(expires) <= datetime.now(UTC)


def _check_holds(*, revoked: bool, expires: str | None) -> None:
    if revoked:
        raise RevokedError
    if is_over(expires):
        raise ExpiredError


def key_of(secret: str) -> str:
    """Return what the store keeps of an invitation's secret: not what it calls the interview of the same token."""
    return hashlib.sha256(b"evenhand invitation " + secret.encode("utf-8", "surrogatepass")).hexdigest()


def checked_expiry(expires: datetime | None) -> str | None:
    """Return the time until which an invitation holds, as the store keeps it."""
    if expires is None:
        return None
    expect(expires, "expires", datetime)
    if expires.tzinfo is None:
        raise EvenhandError(f"expires must have a time zone, but received {expires.isoformat()}")
    if expires <= datetime.now(UTC):
        raise EvenhandError(f"expires must be in the future, but received {expires.isoformat()}")
    try:
        return expires.astimezone(UTC).isoformat(timespec="milliseconds")
    except OverflowError as error:
        raise EvenhandError(f"expires must be before the year 10000 in UTC, but received {expires}") from error


def make(
    connection: Connection, study: str, *, count: object, label: object, expires: datetime | None, made: str
) -> list[NewInvitation]:
    """Make personal invitations; where there are several of one label, it gets a number."""
    number = whole_number(count, "count", 1)
    if number > MOST_INVITED_AT_ONCE:
        raise EvenhandError(f"count must be at most {MOST_INVITED_AT_ONCE}, but received {number}: invite in parts")
    until, text = checked_expiry(expires), _checked_label(label)
    named = (invitations.c.label == text) | invitations.c.label.startswith(f"{text} ", autoescape=True)
    before = select(func.count(), func.count().filter(named))
    before = before.where(invitations.c.study == study, invitations.c.personal)
    there, alike = connection.execute(before).one()
    if there + number > MOST_INVITATIONS:
        raise EvenhandError(
            f"a study can have {MOST_INVITATIONS} invitations, and this one has {there}: give people an open link"
        )
    several = number > 1 or alike > 0
    labels = [f"{text} {alike + place}" if several else text for place in range(1, number + 1)]
    return _insert(connection, study, labels, personal=True, places=1, expires=until, made=made)


def make_open_link(
    connection: Connection, study: str, *, places: object, label: object, expires: datetime | None, made: str
) -> NewInvitation:
    """Make the open link of a study; the one that it had admits nobody else."""
    number = whole_number(places, "places", 1)
    if number > MOST_PLACES:
        raise EvenhandError(f"an open link admits at most {MOST_PLACES} people, but received {number}")
    until, text = checked_expiry(expires), _checked_label(label)
    earlier = (invitations.c.study == study) & ~invitations.c.personal
    connection.execute(update(invitations).where(earlier).values(revoked=True))
    return _insert(connection, study, [text], personal=False, places=number, expires=until, made=made)[0]


def revoke(connection: Connection, study: str, invitation: str) -> None:
    """Take an invitation back; to do so again changes nothing."""
    of_study = (invitations.c.study == study) & (invitations.c.id == str(invitation))
    if not _is_text(invitation) or connection.execute(select(invitations.c.id).where(of_study)).first() is None:
        raise UnknownInvitationError(study)
    connection.execute(update(invitations).where(of_study).values(revoked=True))


def door_of(connection: Connection, study: str) -> Door:
    """Return who may begin an interview of a study."""
    found = connection.execute(_DOOR, {"study": study}).one_or_none()
    return Door() if found is None else Door(closed=bool(found.closed), anyone=bool(found.anyone))


def doors_of(connection: Connection) -> dict[str, Door]:
    """Return who may begin, for each study that does not admit anyone just so."""
    return {
        row.study: Door(closed=bool(row.closed), anyone=bool(row.anyone)) for row in connection.execute(select(doors))
    }


def set_door(connection: Connection, study: str, door: Door) -> None:
    """Write down who may begin an interview of a study."""
    values = {"closed": door.closed, "anyone": door.anyone}
    if not connection.execute(update(doors).where(doors.c.study == study).values(values)).rowcount:
        connection.execute(insert(doors).values(study=study, **values))


def admission_by(connection: Connection, secret: str) -> Admission | None:
    """Return the invitation of a secret, if there is one, with how many interviews began by it.

    It is looked up by its hash: how long that takes says nothing about the secrets that there are.
    """
    key = key_of(secret)
    found = connection.execute(_BY_SECRET, {"key": key}).one_or_none()
    return _admission(found) if found is not None and compare_digest(found.secret, key) else None


def refusal_to_go_on(connection: Connection, interview: str) -> NotAdmittedError | None:
    """Return why nobody can go on with an interview: its invitation does not hold any more, or its study is closed."""
    found = connection.execute(_STANDING, {"interview": interview}).one()
    try:
        _check_holds(revoked=bool(found.revoked), expires=found.expires)
        Door(closed=bool(found.closed)).check_open()
    except NotAdmittedError as refusal:
        return refusal
    return None


def has_any(connection: Connection, study: str) -> bool:
    """Whether anybody was ever invited to a study."""
    return connection.execute(select(invitations.c.id).where(invitations.c.study == study).limit(1)).first() is not None


def admit(connection: Connection, interview: str, invitation: str) -> None:
    """Write down that an interview began by an invitation."""
    connection.execute(insert(admissions).values(interview=interview, invitation=invitation))


def labels_of(connection: Connection, study: str) -> dict[str, str]:
    """Return the label of the personal invitation by which an interview of a study began, by interview."""
    chosen = select(admissions.c.interview, invitations.c.label).join_from(
        admissions, invitations, invitations.c.id == admissions.c.invitation
    )
    rows = connection.execute(chosen.where(invitations.c.study == study, invitations.c.personal))
    return {row.interview: row.label for row in rows}


def forget(connection: Connection, interview: str) -> None:
    """Let nothing say by which invitation an interview began; what remains is that somebody withdrew."""
    of_interview = admissions.c.interview == interview
    found = connection.execute(select(admissions.c.invitation).where(of_interview)).scalar_one_or_none()
    if found is not None:
        connection.execute(admissions.delete().where(of_interview))
        more = invitations.c.withdrawn + 1
        connection.execute(update(invitations).where(invitations.c.id == found).values(withdrawn=more))


def _admission(row: Row[Any]) -> Admission:
    return Admission(
        id=row.id,
        study=row.study,
        personal=bool(row.personal),
        places=row.places,
        expires=row.expires,
        revoked=bool(row.revoked),
        taken=row.taken + row.withdrawn,
    )


def _insert(
    connection: Connection,
    study: str,
    labels: Sequence[str],
    *,
    personal: bool,
    places: int,
    expires: str | None,
    made: str,
) -> list[NewInvitation]:
    last = connection.execute(select(func.coalesce(func.max(invitations.c.number), 0))).scalar_one()
    new = [NewInvitation(secrets.token_hex(_ID_BYTES), label, secrets.token_urlsafe(_SECRET_BYTES)) for label in labels]
    same = {
        "study": study,
        "personal": personal,
        "places": places,
        "made": made,
        "expires": expires,
        "revoked": False,
        "withdrawn": 0,
    }
    rows = [
        {"id": one.id, "number": number, "secret": key_of(one.secret), "label": one.label, **same}
        for number, one in enumerate(new, last + 1)
    ]
    connection.execute(insert(invitations), rows)
    return new


def _checked_label(label: object) -> str:
    return checked_text(label, "label", longest=LONGEST_LABEL)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value.isascii() and "\x00" not in value
