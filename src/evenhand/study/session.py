"""One interview in progress: its next question, or what it found; answer, undo, and resume after anything."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from evenhand.elicitation import SKIP, Answer, Finding, History, Procedure, Question
from evenhand.elicitation.procedure import checked, seed_of, step
from evenhand.elicitation.question import Skip, word_for
from evenhand.errors import EvenhandError, HistoryError
from evenhand.rates import GroupRates
from evenhand.study.log.file import AnswerFile
from evenhand.wording.comparison import Rounding


class Shown(NamedTuple):
    """The two models of a question, in the order in which they are shown."""

    a: GroupRates
    b: GroupRates


class Session:
    """Asks the questions of an answer file's method, and keeps every answer in that file.

    The procedure runs on while answers come in. To undo or to resume is to run it again over the answers that stand.
    """

    _procedure: Procedure[Finding]
    _reached: Question | Finding

    def __init__(self, file: AnswerFile) -> None:
        self.file = file
        self.method = file.header.method
        self._run_again()

    @property
    def question(self) -> Question | None:
        """What to ask next, or None when all is answered."""
        return self._reached if isinstance(self._reached, Question) else None

    @property
    def finding(self) -> Finding | None:
        """What was found, or None before all is answered."""
        return self._reached if isinstance(self._reached, Finding) else None

    @property
    def finding_so_far(self) -> Finding | None:
        """What was found or, from a method that can tell, what it would be if nothing more was answered."""
        return self.finding or self.method.finding_after(self._history(), seed=self._seed)

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
        return self.method.draws_sides or bool(np.random.default_rng([header.seed, self.answered]).random() < 0.5)

    @property
    def shown(self) -> Shown:
        """The two models of the present question, as A and B."""
        question = self._present()
        first, second = (GroupRates.from_vector(self.method.setting, p) for p in (question.first, question.second))
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
        self._reached = step(self._procedure, choice)

    def undo(self) -> None:
        """Withdraw the last answer and ask its question again."""
        self.file.undo()
        self._run_again()

    def _present(self) -> Question:
        if self.question is None:
            raise EvenhandError("this interview has no more questions: undo the last answer to change it")
        return self.question

    @property
    def _seed(self) -> int | None:
        return seed_of(self.file.header.seed)

    def _history(self) -> History:
        """Return the questions as they were shown, each with its answer."""
        history: list[tuple[Question, Answer]] = []
        for place, stored in enumerate(self.file.answers):
            try:
                for profile in (stored.first, stored.second):
                    GroupRates.from_vector(self.method.setting, profile)  # says what is wrong with it
            except EvenhandError as error:
                raise HistoryError(place, str(error)) from error
            asked = Question(np.array(stored.first), np.array(stored.second), undecided=self.method.undecided)
            history.append((asked, stored.choice))
        return history

    def _run_again(self) -> None:
        header = self.file.header
        try:
            history = self._history()
            self.method.check_asked(history)
            self._procedure = self.method.procedure(history, seed=self._seed)
            self._reached = step(self._procedure)
        except HistoryError as error:
            stored = self.file.answers[error.place]
            raise EvenhandError(
                f"{self.file.path}, line {stored.line}: question {stored.n} was never asked: {error.why}. The file "
                f"was edited, or evenhand {header.evenhand} wrote it and asks otherwise: use that version, or a copy"
            ) from error
