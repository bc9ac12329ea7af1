"""The state of one interview: a fold over its events.

In a database, what was asked and what was found are events too, so that a person who comes back after a restart, or
reaches another process or a newer version, still sees the question that they left, and the result that they were given.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, TypeVar

from evenhand.checks.arrays import whole_number
from evenhand.checks.documents import parsed
from evenhand.checks.messages import listed, shown
from evenhand.elicitation import Finding, History, Method
from evenhand.elicitation.codec import read_finding
from evenhand.elicitation.finding import Choice
from evenhand.elicitation.question import STORED
from evenhand.errors import EvenhandError
from evenhand.study.log.events import ANSWERED, ASKED, BEGUN, FOUND, UNDONE, Event
from evenhand.study.question_codec import read_question
from evenhand.study.refusals import DamagedError
from evenhand.study.shown_question import ShownQuestion
from evenhand.study.study import Study

LARGEST_SEED = 2**32
"""The seeds of interviews are smaller than this."""


@dataclass(frozen=True, eq=False, kw_only=True)
class GivenAnswer:
    """An answer that stands, with its question as it was shown."""

    asked: ShownQuestion
    choice: str
    why: str | None
    time: str
    revision: int

    @property
    def n(self) -> int:
        """The question's number, from 1."""
        return self.asked.n

    def is_same(self, choice: str, why: str | None) -> bool:
        """Whether this answer, sent again, is the same one; a reason left out is no other reason."""
        return self.choice == choice and why in {None, self.why}


@dataclass(frozen=True, eq=False, kw_only=True)
class InterviewState:
    """An interview as it stands.

    Attributes
    ----------
    method
        What asks the questions.
    seed
        What is left to chance is drawn from it.
    answers
        The answers that stand, the first question's first.
    question
        What to ask next; None when all is answered, or where the log does not say it.
    finding
        What was found; None before all is answered, or where the log does not say it.
    revision
        How often something was answered or undone.
    reached
        How many answers stood at once, at most.
    """

    outcomes_are_kept: ClassVar[bool] = False
    """Whether the log says what was asked and found; otherwise the method works it out again."""

    method: Method
    seed: int
    answers: tuple[GivenAnswer, ...] = ()
    question: ShownQuestion | None = None
    finding: Finding | None = None
    revision: int = 0
    reached: int = 0

    @property
    def about_left(self) -> int:
        """About how many questions are left, this one included."""
        return 0 if self.question is None else self.question.left

    @property
    def history(self) -> History:
        """The answers that stand, as a procedure takes them."""
        return tuple((given.asked.question, given.asked.as_asked(STORED[given.choice])) for given in self.answers)

    @property
    def is_settled(self) -> bool:
        """Whether it is known what to ask next, or what was found."""
        return self.question is not None or self.finding is not None

    def after(self, n: int) -> Self:
        """Return the interview as it stood after answer n."""
        if n == len(self.answers):
            return self
        question, revision = self.answers[n].asked, self.answers[n - 1].revision
        return replace(self, answers=self.answers[:n], question=question, finding=None, revision=revision)

    def with_event(self, event: Event) -> Self:
        """Return the interview after one more event, or say why such an event cannot come next."""
        detail = _detail(event)
        standing = len(self.answers)
        if event.kind == ASKED and not self.is_settled and event.n == standing + 1:
            return replace(self, question=self._question(event.n, detail))
        if event.kind == ANSWERED and self._awaits_answer and event.n == standing + 1 and event.choice in STORED:
            given = GivenAnswer(
                asked=self._question(event.n, detail),
                choice=event.choice,
                why=event.why,
                time=event.time,
                revision=self.revision + 1,
            )
            answers = (*self.answers, given)
            return replace(self._moved(), answers=answers, question=None, reached=max(self.reached, event.n))
        if event.kind == UNDONE and standing and event.n == standing:
            question = self.answers[-1].asked if self.outcomes_are_kept else None
            return replace(self._moved(), answers=self.answers[:-1], question=question, finding=None)
        if event.kind == FOUND and not self.is_settled and event.n == standing:
            return replace(self, finding=self._finding(detail))
        raise EvenhandError(
            f"an event “{event.kind}” of question {shown(event.n)} cannot follow {standing} standing answers"
        )

    @property
    def _awaits_answer(self) -> bool:
        return self.question is not None or not (self.outcomes_are_kept or self.is_settled)

    def _moved(self) -> Self:
        return replace(self, revision=self.revision + 1)

    def _question(self, n: int, document: dict[str, Any]) -> ShownQuestion:
        question = read_question(document, self.method.setting)
        if question.n != n:
            raise EvenhandError(f"it is about question {n}, but holds question {question.n}")
        return question

    def _finding(self, document: dict[str, Any]) -> Finding:
        return read_finding(document, self.method.setting)


@dataclass(frozen=True, eq=False, kw_only=True)
class Interview(InterviewState):
    """An interview of a study.

    Attributes
    ----------
    token
        The secret in the interview's address.
    study
        The study that it is about.
    """

    outcomes_are_kept: ClassVar[bool] = True

    token: str
    study: Study

    def _finding(self, document: dict[str, Any]) -> Finding:
        finding = super()._finding(document)
        if finding.choice is not None:
            _check_models(finding.choice, self.study)
        return finding


S = TypeVar("S", bound=InterviewState)


def new_seed() -> int:
    """Draw the seed of a new interview."""
    return secrets.randbelow(LARGEST_SEED)


def fold(begun: S, events: Sequence[Event], *, after: int = 0) -> S:
    """Return what an interview comes to with these events, or say which is wrong; so many are folded already."""
    state = begun
    for place, event in enumerate(events, after + 1):
        try:
            if place > 1:
                state = state.with_event(event)
            else:
                _check_begins(event)
        except (ValueError, KeyError, TypeError) as error:
            raise EventError(event, place, str(error)) from error
    return state


def interview_of(token: str, studies: Mapping[str, Study], events: Sequence[Event]) -> Interview:
    """Return the interview of a study that its events make; `studies` are known by their digests."""
    return fold(begun_interview(token, studies, events), events)


def begun_interview(token: str, studies: Mapping[str, Study], events: Sequence[Event]) -> Interview:
    """Return an interview of a study as it began, from its first event."""
    if not events:
        raise DamagedError("an interview has at least one event, and this has none")
    first = events[0]
    try:
        _check_begins(first)
        detail = _detail(first)
        if detail["study"] not in studies:
            raise EvenhandError(f"its study ({shown(detail['study'])}) is missing")
        study, seed = studies[detail["study"]], whole_number(detail["seed"], "seed", 0)
    except (ValueError, KeyError, TypeError) as error:
        raise EventError(first, 1, str(error)) from error
    return Interview(token=token, study=study, method=study.method, seed=seed)


class EventError(DamagedError):
    """An event makes no sense where it is."""

    def __init__(self, event: Event, place: int, why: str) -> None:
        super().__init__(f"event {place} of interview {event.interview!s:.12}… is damaged: {why}")
        self.place, self.why = place, why


def _check_begins(event: Event) -> None:
    if event.kind != BEGUN:
        raise EvenhandError(f"an interview begins with an event “{BEGUN}”, but this is “{event.kind}”")
    if (event.n, event.choice, event.why) != (None, None, None):
        raise EvenhandError(f"an event “{BEGUN}” answers no question, but this has an answer")


def _check_models(choice: Choice, study: Study) -> None:
    """Refuse a choice that is about other models than the study."""
    for name in (choice.best, *choice.ranking, *choice.probabilities):
        if name not in study.candidates:
            raise EvenhandError(f"it is about a model that the study does not have: {shown(name)}")
    for what, names in (("ranking", choice.ranking), ("probabilities", tuple(choice.probabilities))):
        if names and sorted(names) != sorted(study.candidates):
            raise EvenhandError(f"its {what} must have each model of the study once, but has {listed(names)}")


def _detail(event: Event) -> dict[str, Any]:
    try:
        detail = parsed(event.detail)
    except ValueError as error:
        raise EvenhandError(f"its detail is not JSON: {error}") from error
    if not isinstance(detail, dict):
        raise EvenhandError(f"its detail is not an object: {shown(detail)}")
    return detail
