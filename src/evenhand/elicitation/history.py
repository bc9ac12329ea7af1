"""A history from outside, checked entry by entry before anything is learned from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from evenhand.checks.messages import expect
from evenhand.elicitation.procedure import checked, question_and_answer
from evenhand.elicitation.question import Answer, History, Question
from evenhand.errors import EvenhandError, HistoryError
from evenhand.rates import Setting
from evenhand.rates.asked import checked_rates


def checked_history(history: History, setting: Setting) -> Iterator[tuple[Question, Answer]]:
    """Yield each question with its answer; `HistoryError` names an entry that cannot be part of the history.

    Any question about rates in this setting can be, no matter who chose it, but not the same one twice in a row.
    """
    expect(history, "history", Sequence)
    before: Question | None = None
    for place, entry in enumerate(history):
        try:
            asked, answer = _entry(entry, before, setting)
        except EvenhandError as error:
            raise HistoryError(place, str(error)) from error
        before = asked
        yield asked, answer


def _entry(entry: object, before: Question | None, setting: Setting) -> tuple[Question, Answer]:
    question, answer = question_and_answer(entry)
    first, second = checked_rates(question.first, "first", setting), checked_rates(question.second, "second", setting)
    asked = Question(first, second, question.part, undecided=True)
    told = checked(answer, asked)
    if before is not None and np.array_equal(before.first, first) and np.array_equal(before.second, second):
        raise EvenhandError("it is the same question as the one before, with the same sides: remove it")
    return asked, told
