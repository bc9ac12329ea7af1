"""A history from outside, checked entry by entry before anything is learned from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from evenhand.checks.arrays import float_array
from evenhand.checks.messages import expect, shown
from evenhand.elicitation.procedure import checked, question_and_answer
from evenhand.elicitation.question import Answer, History, Question
from evenhand.errors import EvenhandError, HistoryError
from evenhand.rates import Setting
from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats


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


def checked_rates(profile: ArrayLike, side: str, setting: Setting) -> Floats:
    """Return the profile (m, q) of one side of a question; `side` names it in messages."""
    rates = float_array(profile, side, setting.tau.shape, "(groups, kinds of mistake)")
    if not ((rates >= -ROUNDING) & (rates <= 1 + ROUNDING)).all():
        raise EvenhandError(f"{side} holds {shown(rates.tolist())}: rates lie between 0 and 1")
    k = len(setting.classes)
    if (rates.reshape(-1, k, k - 1).sum(axis=-1) > 1 + ROUNDING).any():
        raise EvenhandError(f"{side} holds {shown(rates.tolist())}: mistakes about more people than a class has")
    return rates
