"""The state of one interview: a fold over the rows of its log.

What was asked and what was found are rows too, so that a person who comes back after a restart, or reaches another
process or a newer version, still sees the question that they left, and the result that they were given.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evenhand.elicitation.question import SKIP, Answer, Question
from evenhand.rates import GroupRates

if TYPE_CHECKING:
    from evenhand.elicitation import Finding
    from evenhand.study.study import Study

CHOICES: dict[str, Answer] = {"first": True, "second": False, "neither": None, "skip": SKIP}
"""What a person can say, and what a procedure is sent."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Asked:
    """A question as it is shown: `a` is "first" and `b` is "second"; the rates are whole people of 100."""

    n: int
    a: GroupRates
    b: GroupRates
    part: str
    about_left: int

    @property
    def question(self) -> Question:
        """The question as the procedure poses it."""
        return Question(self.a.vector, self.b.vector, self.part, undecided=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class Given:
    """An answer that stands, with its question as it was shown."""

    asked: Asked
    choice: str
    why: str | None
    time: str

    @property
    def n(self) -> int:
        """The question's number, from 1."""
        return self.asked.n

    def same(self, choice: str, why: str | None) -> bool:
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
    """

    token: str
    study: Study
    seed: int
    answers: tuple[Given, ...] = ()
    question: Asked | None = None
    finding: Finding | None = None
    revision: int = 0

    @property
    def about_left(self) -> int:
        """About how many questions are left, this one included."""
        return 0 if self.question is None else self.question.about_left

    @property
    def history(self) -> tuple[tuple[Question, Answer], ...]:
        """The answers that stand, as a procedure takes them."""
        return tuple((given.asked.question, CHOICES[given.choice]) for given in self.answers)
