"""Put a procedure's questions to somebody, or to a stored list of answers.

A procedure never knows who answers. An interview is a fold over its answers, so that undo, resume and audit are
all the same thing: run the procedure again with other answers, or fewer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from evenhand.checks.messages import expect, shown
from evenhand.elicitation.question import SKIP, Answer, Procedure, Question, T
from evenhand.errors import EvenhandError
from evenhand.rates import GroupRates, Setting

Oracle = Callable[[Any, Any], Any]
"""`oracle(first, second)` says whether it prefers `first`: True, or False for `second`."""


def interview(procedure: Procedure[T], oracle: Oracle, *, setting: Setting | None = None) -> T:
    """Ask the oracle every question of the procedure and return what the procedure learned.

    With a `setting` the oracle is shown two `GroupRates`; without one, the profiles as the procedure
    poses them, which may be of many people at once.
    """
    if setting is not None:
        expect(setting, "setting", Setting)
    return conduct(procedure, lambda question: ask(oracle, question, setting))


def conduct(procedure: Procedure[T], answer_to: Callable[[Question], Answer]) -> T:
    """Run a procedure to its end with a function from question to answer."""
    answer: Answer = None  # sending None starts a generator
    while True:
        try:
            question = procedure.send(answer)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]  # StopIteration is not generic
        answer = answer_to(question)


def step(procedure: Procedure[T], answer: Answer = None) -> Question | T:
    """Send an answer, or None to start, and return what the procedure has come to: a question, or its result."""
    try:
        return procedure.send(answer)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]  # StopIteration is not generic


def replay(
    make_procedure: Callable[[], Procedure[T]], answers: Iterable[Answer | tuple[Question, Answer]]
) -> Question | T:
    """Run a fresh procedure over stored answers: return its next question or, if it is done, its result.

    Give each answer with its question where you have it, as in the history of what `evenhand.elicit` returns: an answer
    to another question than the procedure asks is then refused, and not taken for an answer to this one.
    """
    procedure = make_procedure()
    left = iter(answers)
    try:
        question = next(procedure)
        for place, entry in enumerate(left, 1):
            answer = entry
            if isinstance(entry, tuple):
                asked, answer = entry
                if not question.same_models(asked):
                    raise EvenhandError(
                        f"answer {place} was given to another question than this procedure asks: it belongs to another "
                        "procedure, to other options or to another version of evenhand"
                    )
            question = procedure.send(checked(answer, question))
    except StopIteration as done:
        surplus = sum(1 for _ in left)
        if surplus:
            raise EvenhandError(
                f"the procedure had its result {surplus} answers before the end of the list: "
                "these answers belong to another procedure, or to other options"
            ) from None
        return done.value  # type: ignore[no-any-return]
    return question


def ask(oracle: Oracle, question: Question, setting: Setting | None = None) -> Answer:
    """Put one question to an oracle and check that the reply is an answer."""
    first: Any = question.first
    second: Any = question.second
    if setting is not None:
        first, second = GroupRates.from_vector(setting, first), GroupRates.from_vector(setting, second)
    return checked(oracle(first, second), question)


def checked(answer: Any, question: Question) -> Answer:
    """Return the answer if it is one: True or False, for each of the people asked."""
    people = question.first.shape[:-2]
    if (isinstance(answer, bool) and not people) or (question.undecided and (answer is None or answer is SKIP)):
        return answer
    if answer is None or answer is SKIP:
        received = "None (can't tell)" if answer is None else "SKIP"
        raise EvenhandError(
            f"the answer was {received}, but this method halves an interval with every answer and needs "
            "True (prefers the first) or False (prefers the second): take method='adaptive', or an oracle that always "
            "decides, such as a majority of an odd number of experts who do"
        )
    array = np.asarray(answer)
    if array.dtype != np.bool_ or array.shape != people:
        undecided = ", None (can't tell) or evenhand.SKIP" if question.undecided else ""
        raise EvenhandError(
            f"an answer must be True (prefers the first) or False (prefers the second){undecided}, but received "
            + (f"{shown(answer)}; {people} people were asked at once" if people else shown(answer))
        )
    return array if people else bool(array)
