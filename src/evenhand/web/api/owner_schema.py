"""What the owner's part of the API takes and returns, as types."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from evenhand.elicitation.finding import VerdictKind
from evenhand.study.invitations import InvitationState
from evenhand.study.limits import LONGEST_LABEL, MOST_INVITED_AT_ONCE, MOST_PLACES
from evenhand.study.study import CONSENT
from evenhand.web.api.schema import Label, Matrix, MetricDocument, ProblemReply, Replies, UncertaintyDocument


class _Exact(BaseModel):
    """Something with exactly these fields."""

    model_config = ConfigDict(extra="forbid")


class SettingDocument(_Exact):
    """The classes and the groups, and which share of each class is in each group (a row for each group)."""

    classes: list[Label]
    groups: list[Label]
    prevalence: Matrix


class WordsDocument(_Exact):
    """Words for groups and classes, in their order, and for mistakes, in the order of (true class, predicted class)."""

    groups: list[str]
    classes: list[str]
    mistakes: list[str]


class CandidateDocument(_Exact):
    """A model: for each group, the rate of each prediction (columns) in each true class (rows).

    `counts` are the people behind these rates, and `sizes` how many of each group each class has; null if that is not
    known. `prevalence` is null where it is the study's.
    """

    name: str
    matrix: list[Matrix]
    counts: list[Matrix] | None
    sizes: Matrix | None
    prevalence: Matrix | None


class StudyDocument(_Exact):
    """A study, as `Study.to_json` writes it; `method` has a name and all options of that method.

    `names_kept` says whether the owner sees the label of a person's invitation beside their result.
    """

    format: Literal["evenhand.study"]
    version: Literal[1]
    slug: str
    title: str
    introduction: str
    consent: str = CONSENT
    setting: SettingDocument
    population: Matrix
    words: WordsDocument
    candidates: list[CandidateDocument]
    method: dict[str, Any]
    names_kept: Annotated[bool, Field(strict=True)] = False


class PublishedStudy(_Exact):
    """Where a study is found; `changed` says whether it is new, or a new version."""

    slug: str
    address: str
    changed: bool


class StudyProgress(_Exact):
    """How far a study has come: `anyone` says whether people can begin without an invitation."""

    slug: str
    title: str
    closed: bool
    anyone: bool
    invited: int
    begun: int
    finished: int
    withdrawn: int
    answers: int
    last_answer: str | None


class StudiesReply(_Exact):
    """All studies."""

    studies: list[StudyProgress]


class DoorChange(_Exact):
    """Whether a study is closed, and whether people can begin without an invitation; null leaves that as it is."""

    model_config = ConfigDict(extra="forbid", strict=True)

    closed: bool | None = None
    anyone: bool | None = None


NewLabel = Annotated[str, Field(min_length=1, max_length=LONGEST_LABEL)]
Expiry = Annotated[
    datetime | None,
    Field(description="Until when people can answer, with a time zone; null: for as long as it is open"),
]


class NewInvitations(_Exact):
    """How many people to invite, and what the owner calls them: several with one label get a number."""

    count: Annotated[int, Field(ge=1, le=MOST_INVITED_AT_ONCE, strict=True)] = 1
    label: NewLabel = "invitation"
    expires: Expiry = None


class NewOpenLink(_Exact):
    """How many people an open link admits."""

    places: Annotated[int, Field(ge=1, le=MOST_PLACES, strict=True)]
    label: NewLabel = "open link"
    expires: Expiry = None


class MadeInvitation(_Exact):
    """An invitation that was just made: `address` is its secret link, which is told only now."""

    id: str
    label: str
    address: str


class MadeInvitations(_Exact):
    """Invitations that were just made."""

    invitations: list[MadeInvitation]


class InvitationReply(_Exact):
    """An invitation, and how far those have come who have it; see `begun` and `finished` for an open link."""

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


class InvitationsReply(_Exact):
    """The invitations of a study, in the order in which they were made."""

    invitations: list[InvitationReply]


class ModelResult(_Exact):
    """For how many people a model is the best, and how much more it costs the person who would regret it most."""

    name: str
    best_for: int
    largest_regret: float


class PersonResult(_Exact):
    """A finished interview, by a number that says nothing about the person.

    `label` is that of their invitation, if the study with which they began keeps names, and null otherwise.
    `tested_certainty` is `best_certainty` allowing for the sampling error of the rates.
    """

    number: int
    label: str | None
    verdict: VerdictKind
    best: str
    best_certainty: float | None
    tested_certainty: float | None
    order: list[str]
    metric: MetricDocument
    uncertainty: UncertaintyDocument | None


class DividedPair(_Exact):
    """Two models, and how many people would rather take each."""

    first: str
    second: str
    for_first: int
    for_second: int


class PeopleDocument(_Exact):
    """People side by side: `agreement` is Kendall's τ between two people's orders, on average."""

    format: Literal["evenhand.people"]
    version: Literal[1]
    study: str
    title: str
    models: list[ModelResult]
    people: list[PersonResult]
    left_out: list[PersonResult]
    agreement: float | None
    most_divided: DividedPair | None


class EventDocument(_Exact):
    """One event of an export."""

    kind: str
    n: int | None
    choice: str | None
    why: str | None
    detail: dict[str, Any]
    time: str


class ExportedInterview(_Exact):
    """All events of an interview; of one that was withdrawn, only that it was."""

    id: str
    events: list[EventDocument]


class ExportDocument(_Exact):
    """A study with all its answers, as `evenhand import` reads it; it names nobody."""

    format: Literal["evenhand.export"]
    version: Literal[1]
    evenhand: str
    digest: str
    slug: str
    studies: list[EventDocument]
    interviews: list[ExportedInterview]


FOR_OWNER: Replies = {401: {"model": ProblemReply, "description": "The request does not bear the owner's token"}}
