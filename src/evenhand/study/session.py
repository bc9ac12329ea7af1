"""One interview in progress: its next question, or what it found; answer, undo, and resume after anything.

The procedure runs on while answers come in. To undo or to resume is to run it again over the answers that stand.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import NamedTuple

import numpy as np

from evenhand.elicitation import Finding, Question
from evenhand.errors import EvenhandError
from evenhand.oracles.people import Rounding
from evenhand.rates import GroupRates
from evenhand.rates.vector import Floats
from evenhand.study.answer_file import AnswerFile
from evenhand.study.stored_answer import Profile, StoredAnswer

_ROUNDING = 1e-12


class Shown(NamedTuple):
    """The two models of a question, in the order in which they are shown."""

    a: GroupRates
    b: GroupRates


class Session:
    """Asks the questions of an answer file's plan, and keeps every answer in that file.

    Attributes
    ----------
    question
        What to ask next, or None when all is answered.
    finding
        What was found, or None before all is answered.
    """

    question: Question | None
    finding: Finding | None

    def __init__(self, file: AnswerFile) -> None:
        self.file = file
        self.plan = file.header.plan
        self.questions_by_part = self.plan.questions_by_part()
        self._run_again()

    @property
    def answered(self) -> int:
        """How many answers stand."""
        return len(self.file.answers)

    @property
    def finished(self) -> bool:
        """Whether all questions are answered."""
        return self.question is None

    @property
    def first_is_a(self) -> bool:
        """Whether the question's first profile is shown as A: drawn from the seed, the same after a resume."""
        return bool(np.random.default_rng([self.file.header.seed, self.answered]).random() < 0.5)

    @property
    def shown(self) -> Shown:
        """The two models of the present question, as A and B."""
        question = self._present()
        first, second = (GroupRates.from_vector(self.plan.setting, p) for p in (question.first, question.second))
        return Shown(first, second) if self.first_is_a else Shown(second, first)

    def answer(self, *, prefers_a: bool, rounding: Rounding) -> None:
        """Keep an answer, then take the next question; the rounding says how exactly the models were shown."""
        question = self._present()
        prefers_first = prefers_a == self.first_is_a
        self.file.add(
            first=question.first.tolist(),
            second=question.second.tolist(),
            shown_as_a="first" if self.first_is_a else "second",
            rounding=rounding,
            answer="first" if prefers_first else "second",
        )
        self._send(prefers_first)

    def undo(self) -> None:
        """Withdraw the last answer and ask its question again."""
        self.file.withdraw()
        self._run_again()

    def _present(self) -> Question:
        if self.question is None:
            raise EvenhandError("this interview has no more questions: undo the last answer to change it")
        return self.question

    def _run_again(self) -> None:
        self._procedure = self.plan.procedure()
        self.question, self.finding = next(self._procedure), None
        for stored in self.file.answers:
            self._check_same_question(stored)
            self._send(stored.prefers_first)

    def _send(self, prefers_first: bool) -> None:
        try:
            self.question = self._procedure.send(prefers_first)
        except StopIteration as done:
            self.question, self.finding = None, done.value

    def _check_same_question(self, stored: StoredAnswer) -> None:
        question = self.question
        if question is None or not (_same(stored.first, question.first) and _same(stored.second, question.second)):
            raise EvenhandError(
                f"{self.file.path}, line {stored.line}: question {stored.n} is not the one that evenhand "
                f"{version('evenhand')} asks after these answers. The file was edited, or another version wrote it "
                f"(it was begun with {self.file.header.evenhand}): use that version, or a copy"
            )


def _same(stored: Profile, asked: Floats) -> bool:
    try:
        array = np.array(stored, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return False
    return array.shape == asked.shape and bool(np.allclose(array, asked, rtol=0.0, atol=_ROUNDING))
