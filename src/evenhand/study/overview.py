"""How far the studies of a store have come, counted by the database: no interview is read for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Subquery, and_, case, func, or_, select

from evenhand.study.invitations import InvitationState, doors_of, is_over
from evenhand.study.log.events import ANSWERED, ASKED, FOUND, UNDONE, WITHDRAWN
from evenhand.study.log.schema import admissions, content, invitations, log


@dataclass(frozen=True, kw_only=True)
class StudyOverview:
    """How far a study has come.

    Attributes
    ----------
    slug, title
        Its name in the address, and what it asks.
    closed
        Whether nobody can begin or go on.
    anyone
        Whether anyone who knows the study's address can begin, or invited people only.
    invited
        How many personal invitations there are that were not revoked.
    begun, finished
        How many interviews began, and how many have come to their result; those withdrawn do not count.
    withdrawn
        How many interviews were withdrawn.
    answers, last_answer
        How many answers stand, and when the last one was given, in UTC.
    """

    slug: str
    title: str
    closed: bool = False
    anyone: bool = True
    invited: int = 0
    begun: int = 0
    finished: int = 0
    withdrawn: int = 0
    answers: int = 0
    last_answer: str | None = None


@dataclass(frozen=True, kw_only=True)
class Invitation:
    """A link to a study, and how far those have come who have it.

    Attributes
    ----------
    id, label
        What it is called, by the store and by the owner.
    personal
        Whether it is one interview; an open link is many.
    places
        How many people it admits.
    made, expires
        When it was made, and until when people can answer, in UTC.
    state
        How far a personal invitation has come; an open link is “unopened” or “begun” until it is revoked or expires.
    begun, finished, withdrawn
        How many interviews it has led to.
    answers, about_left
        How many answers stand, and about how many questions are left.
    """

    id: str
    label: str
    personal: bool
    places: int
    made: str
    expires: str | None
    state: InvitationState
    begun: int
    finished: int
    withdrawn: int
    answers: int
    about_left: int


def counted(connection: Connection) -> dict[str, dict[str, object]]:
    """Return the numbers of each study's overview, by its name."""
    progress = _progress(log.c.interview.is_not(None))
    standing = progress.c.withdrawn == 0
    of_interviews = select(
        progress.c.study,
        func.count().filter(standing).label("begun"),
        func.count().filter(and_(standing, progress.c.finished == 1)).label("finished"),
        func.count().filter(~standing).label("withdrawn"),
        func.coalesce(func.sum(progress.c.answers).filter(standing), 0).label("answers"),
        func.max(progress.c.last).filter(standing).label("last"),
    ).group_by(progress.c.study)
    latest = of_interviews.subquery()
    found = connection.execute(
        select(latest, content.c.time.label("last_answer")).outerjoin(content, content.c.place == latest.c.last)
    )
    numbers: dict[str, dict[str, object]] = {}
    for row in found.mappings():
        values = dict(row)
        values.pop("last")
        numbers[values.pop("study")] = values
    invited = select(invitations.c.study, func.count()).where(invitations.c.personal, ~invitations.c.revoked)
    for study, number in connection.execute(invited.group_by(invitations.c.study)):
        numbers.setdefault(study, {})["invited"] = number
    for study, door in doors_of(connection).items():
        numbers.setdefault(study, {}).update(closed=door.closed, anyone=door.anyone)
    return numbers


def invitations_of(connection: Connection, study: str) -> list[Invitation]:
    """Return the invitations of a study, in the order in which they were made."""
    of_study = and_(log.c.interview.is_not(None), log.c.study == study)
    return [one for _, one in _invitations(connection, invitations.c.study == study, of_study)]


def first_invitations(connection: Connection, most: int) -> dict[str, list[Invitation]]:
    """Return the first invitations of every study, at most so many of each."""
    place = func.row_number().over(partition_by=invitations.c.study, order_by=invitations.c.number)
    numbered = select(invitations.c.id, place.label("place")).subquery()
    first = select(numbered.c.id).where(numbered.c.place <= most)
    theirs = select(admissions.c.interview).where(admissions.c.invitation.in_(first))
    found: dict[str, list[Invitation]] = {}
    for study, one in _invitations(connection, invitations.c.id.in_(first), log.c.interview.in_(theirs)):
        found.setdefault(study, []).append(one)
    return found


def _invitations(
    connection: Connection, which: ColumnElement[bool], of_interviews: ColumnElement[bool]
) -> Iterator[tuple[str, Invitation]]:
    """Yield invitations, each with its study; the rows of the log that are of their interviews say how far they are."""
    progress = _progress(of_interviews)
    led = (
        select(
            admissions.c.invitation,
            func.count().label("begun"),
            func.coalesce(func.sum(progress.c.finished), 0).label("finished"),
            func.coalesce(func.sum(progress.c.answers), 0).label("answers"),
            func.max(progress.c.asked).label("asked"),
            func.max(progress.c.asked_n).label("asked_n"),
        )
        .join_from(admissions, progress, progress.c.interview == admissions.c.interview)
        .group_by(admissions.c.invitation)
        .subquery()
    )
    rows = (
        select(invitations, led, content.c.detail)
        .outerjoin(led, led.c.invitation == invitations.c.id)
        .outerjoin(content, content.c.place == led.c.asked)
        .where(which)
        .order_by(invitations.c.number)
    )
    for row in connection.execute(rows):
        begun, finished, answers = row.begun or 0, row.finished or 0, row.answers or 0
        under_way = row.personal and begun > finished and row.detail is not None
        yield (
            row.study,
            Invitation(
                id=row.id,
                label=row.label,
                personal=bool(row.personal),
                places=row.places,
                made=row.made,
                expires=row.expires,
                state=_state(row.revoked, row.withdrawn if row.personal else 0, row.expires, begun, finished),
                begun=begun,
                finished=finished,
                withdrawn=row.withdrawn,
                answers=answers,
                about_left=_left(row.detail) + row.asked_n - answers - 1 if under_way else 0,
            ),
        )


def _state(revoked: bool, withdrawn: int, expires: str | None, begun: int, finished: int) -> InvitationState:
    if withdrawn:
        return InvitationState.WITHDRAWN
    if revoked:
        return InvitationState.REVOKED
    if begun and begun == finished:
        return InvitationState.FINISHED
    if is_over(expires):
        return InvitationState.EXPIRED
    return InvitationState.BEGUN if begun else InvitationState.UNOPENED


def _left(detail: str) -> int:
    """Return about how many questions were left when the last one was asked, that one included."""
    return int(json.loads(detail)["left"])


def _progress(chosen: ColumnElement[bool]) -> Subquery:
    """Return how far each interview of these rows has come: the answers that stand, and whether it has its result."""
    kind, place = log.c.kind, log.c.place

    def last(of: str) -> ColumnElement[int]:
        return func.max(case((kind == of, place)))

    found, undone = last(FOUND), last(UNDONE)
    finished = and_(found.is_not(None), or_(undone.is_(None), undone < found))
    return (
        select(
            log.c.study,
            log.c.interview,
            (func.count().filter(kind == ANSWERED) - func.count().filter(kind == UNDONE)).label("answers"),
            case((finished, 1), else_=0).label("finished"),
            func.count().filter(kind == WITHDRAWN).label("withdrawn"),
            last(ANSWERED).label("last"),
            last(ASKED).label("asked"),
            func.max(case((kind == ASKED, log.c.n))).label("asked_n"),
        )
        .where(chosen)
        .group_by(log.c.study, log.c.interview)
        .subquery()
    )
