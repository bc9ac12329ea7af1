"""One interview in progress: its next question, or what it found; answer, undo, and resume after anything."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from evenhand.elicitation import SKIP, Finding, Question
from evenhand.elicitation.procedure import checked
from evenhand.elicitation.question import Skip, word_for
from evenhand.errors import EvenhandError
from evenhand.rates import GroupRates
from evenhand.study.kinds import Run
from evenhand.study.log.file import AnswerFile
from evenhand.wording.comparison import Rounding


class Shown(NamedTuple):
    """The two models of a question, in the order in which they are shown."""

    a: GroupRates
    b: GroupRates


class Session:
    """Asks the questions of an answer file's plan, and keeps every answer in that file.

    The procedure runs on while answers come in. To undo or to resume is to run it again over the answers that stand.
    """

    _run: Run

    def __init__(self, file: AnswerFile) -> None:
        self.file = file
        self.plan = file.header.plan
        self._run_again()

    @property
    def question(self) -> Question | None:
        """What to ask next, or None when all is answered."""
        return self._run.outcome if isinstance(self._run.outcome, Question) else None

    @property
    def finding(self) -> Finding | None:
        """What was found, or None before all is answered."""
        return self._run.outcome if isinstance(self._run.outcome, Finding) else None

    @property
    def finding_so_far(self) -> Finding | None:
        """What was found or, from a method that can tell, what it would be if nothing more was answered."""
        return self.finding or self.file.header.kind.so_far(self.file.answers)

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
        header = self.file.header
        return header.kind.draws_sides or bool(np.random.default_rng([header.seed, self.answered]).random() < 0.5)

    @property
    def shown(self) -> Shown:
        """The two models of the present question, as A and B."""
        question = self._present()
        first, second = (GroupRates.from_vector(self.plan.setting, p) for p in (question.first, question.second))
        return Shown(first, second) if self.first_is_a else Shown(second, first)

    def answer(self, *, prefers_a: bool | Skip | None, rounding: Rounding) -> None:
        """Keep an answer, then take the next question; the rounding says how exactly the models were shown."""
        question = self._present()
        choice = prefers_a if prefers_a is None or prefers_a is SKIP else bool(prefers_a) == self.first_is_a
        checked(choice, question)
        self.file.add(
            first=question.first.tolist(),
            second=question.second.tolist(),
            shown_as_a="first" if self.first_is_a else "second",
            rounding=rounding,
            answer=word_for(choice),
        )
        self._run = self._run.answered(choice)

    def undo(self) -> None:
        """Withdraw the last answer and ask its question again."""
        self.file.undo()
        self._run_again()

    def _present(self) -> Question:
        if self.question is None:
            raise EvenhandError("this interview has no more questions: undo the last answer to change it")
        return self.question

    def _run_again(self) -> None:
        header = self.file.header
        try:
            self._run = header.kind.after(self.file.answers)
        except EvenhandError as error:
            raise EvenhandError(
                f"{self.file.path}, {error}. The file was edited, or another version wrote it (it was begun with "
                f"{header.evenhand}): use that version, or a copy"
            ) from error
