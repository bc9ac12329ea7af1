"""The state of one interview: a fold over the rows of its log.

What was asked and what was found are rows too, so that a person who comes back after a restart, or reaches another
process or a newer version, still sees the question that they left, and the result that they were given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evenhand.checks.messages import shown
from evenhand.checks.nesting import loads
from evenhand.elicitation import Finding
from evenhand.elicitation.question import STORED, Answer, Question
from evenhand.errors import EvenhandError
from evenhand.study.codec import read_finding, read_question
from evenhand.study.log.events import ANSWERED, ASKED, BEGUN, FOUND, UNDONE, Event
from evenhand.study.log.stored_answer import whole_number
from evenhand.study.refusals import DamagedError
from evenhand.study.shown_question import ShownQuestion
from evenhand.study.study import Study


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
class Interview:
    """One interview as it stands.

    Attributes
    ----------
    token
        The secret in the interview's address.
    answers
        The answers that stand, the first question's first.
    question
        What to ask next, or None when all is answered.
    finding
        What was found, or None before all is answered.
    revision
        How many rows the interview has: it grows with every answer and every undo.
    reached
        How many answers stood at once, at most.
    """

    token: str
    study: Study
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
    def history(self) -> tuple[tuple[Question, Answer], ...]:
        """The answers that stand, as a procedure takes them."""
        return tuple((given.asked.question, given.asked.as_asked(STORED[given.choice])) for given in self.answers)

    def after(self, n: int) -> Interview:
        """Return the interview as it stood after answer n."""
        if n == len(self.answers):
            return self
        # An answer and what came of it are two rows, written together.
        revision = self.answers[n - 1].revision + 1
        question = self.answers[n].asked
        return replace(self, answers=self.answers[:n], question=question, finding=None, revision=revision)

    def with_event(self, row: Event) -> Interview:
        """Return the interview after one more row, or say why such a row cannot come next."""
        detail = _detail(row)
        here = replace(self, revision=self.revision + 1)
        standing = len(self.answers)
        if row.kind == ASKED and self.question is None and self.finding is None and row.n == standing + 1:
            return replace(here, question=self._checked_question(row.n, detail))
        if row.kind == ANSWERED and self.question and row.n == self.question.n and row.choice in STORED:
            asked = self._checked_question(row.n, detail)
            given = GivenAnswer(asked=asked, choice=row.choice, why=row.why, time=row.time, revision=here.revision)
            reached = max(self.reached, row.n)
            return replace(here, answers=(*self.answers, given), question=None, reached=reached)
        if row.kind == UNDONE and standing and row.n == standing:
            return replace(here, answers=self.answers[:-1], question=self.answers[-1].asked, finding=None)
        if row.kind == FOUND and self.question is None and self.finding is None and row.n == standing:
            return replace(here, finding=self._checked_finding(detail))
        raise EvenhandError(f"a row “{row.kind}” of question {shown(row.n)} cannot follow {standing} standing answers")

    def _checked_question(self, n: int, document: dict[str, Any]) -> ShownQuestion:
        question = read_question(document, self.study.setting)
        if question.n != n:
            raise EvenhandError(f"it is about question {n}, but holds question {question.n}")
        return question

    def _checked_finding(self, document: dict[str, Any]) -> Finding:
        finding = read_finding(document)
        choice = finding.choice
        for name in () if choice is None else (choice.best, *choice.ranking, *choice.probabilities):
            if name not in self.study.candidates:
                raise EvenhandError(f"it is about a model that the study does not have: {shown(name)}")
        return finding


def fold(token: str, studies: Mapping[str, Study], rows: Sequence[Event]) -> Interview:
    """Return the interview that its rows make, or say which row is wrong; `studies` are known by their digests."""
    interview: Interview | None = None
    for place, row in enumerate(rows, 1):
        try:
            interview = _begun(token, studies, row) if interview is None else interview.with_event(row)
        except (ValueError, KeyError, TypeError) as error:
            raise DamagedError(f"row {place} of interview {row.interview!s:.12}… is damaged: {error}") from error
    if interview is None:
        raise DamagedError("an interview without rows is none")
    return interview


def _begun(token: str, studies: Mapping[str, Study], row: Event) -> Interview:
    """Return an interview that has just begun, from its first row."""
    detail = _detail(row)
    if row.kind != BEGUN:
        raise EvenhandError(f"an interview begins with a row “{BEGUN}”, but this is “{row.kind}”")
    if detail["study"] not in studies:
        raise EvenhandError(f"its study ({shown(detail['study'])}) is missing")
    return Interview(token=token, study=studies[detail["study"]], seed=whole_number(detail["seed"], "seed"), revision=1)


def _detail(row: Event) -> dict[str, Any]:
    try:
        detail = loads(row.detail)
    except ValueError as error:
        raise EvenhandError(f"its detail is not JSON: {error}") from error
    if not isinstance(detail, dict):
        raise EvenhandError(f"its detail is not an object: {shown(detail)}")
    return detail
