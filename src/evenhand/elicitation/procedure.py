"""Run a procedure: with a respondent, or over answers that are stored.

A procedure never knows who answers. What it has come to follows from the answers alone, so undo, resume and audit are
one operation: run the procedure again over the answers that stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, overload

import numpy as np

from evenhand.checks.arrays import generator
from evenhand.checks.messages import expect, shown
from evenhand.elicitation.question import SKIP, Answer, History, Procedure, Question, T
from evenhand.errors import EvenhandError, HistoryError
from evenhand.rates import GroupRates, Setting
from evenhand.typing import Floats, RandomState

Oracle = Callable[[Any, Any], Any]
"""`oracle(first, second)` says whether it prefers `first`: True, or False for `second`."""

_LARGEST_SEED = 2**62


@overload
def seed_of(random_state: int) -> int: ...


@overload
def seed_of(random_state: RandomState) -> int | None: ...


def seed_of(random_state: RandomState) -> int | None:
    """Return the seed of a procedure, drawn from `random_state`; None, which fixes nothing, stays None.

    This is the one rule: for the `random_state` of `elicit`, and for the seed of an interview that is stored.
    """
    return None if random_state is None else int(generator(random_state).integers(_LARGEST_SEED))


def fresh_seed() -> int:
    """Return an unpredictable seed."""
    return int(np.random.default_rng().integers(_LARGEST_SEED))


def interview(procedure: Procedure[T], oracle: Oracle, *, setting: Setting | None = None) -> T:
    """Ask the oracle every question of the procedure and return what the procedure learned.

    With a `setting` the oracle is shown two `GroupRates`; without one, the profiles as the procedure poses them, which
    may be those of many people at once.

    Examples
    --------
    >>> from evenhand import FairMetric, Paper, Setting, SimulatedOracle
    >>> setting = Setting.random(2, 2, random_state=7)
    >>> truth = FairMetric.random(setting, 7)
    >>> found = interview(Paper(setting=setting).procedure(), SimulatedOracle(truth), setting=setting)
    >>> max(found.metric.distance(truth)) < 0.002
    True
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

    Give each answer with its question where you have it, as in the history of what `evenhand.elicit` returns. An answer
    to another question than the one that the procedure asks is then refused.

    Examples
    --------
    >>> from evenhand import Bisection, FairMetric, Setting, SimulatedOracle, elicit
    >>> setting = Setting.random(2, 2, random_state=7)
    >>> elicited = elicit(SimulatedOracle(FairMetric.random(setting, 7)), setting, method="bisection")
    >>> replay(Bisection(setting=setting).procedure, elicited.history[:5]).left
    28
    >>> replay(Bisection(setting=setting).procedure, elicited.history).metric == elicited.metric
    True
    """
    return _replayed(make_procedure(), answers)


def resumed(search: Procedure[T], history: History, total: int) -> Procedure[T]:
    """Go on with a search where a history ends; `total` is how many questions the search asks in all.

    Every question of the history must be the one that the search asks there.
    """
    reached = _replayed(search, list(_pairs(history)))
    left = total - len(history)
    while isinstance(reached, Question):
        answer = yield replace(reached, left=left)
        left -= 1
        reached = step(search, answer)
    return reached


def _pairs(history: History) -> Iterator[tuple[Question, Answer]]:
    expect(history, "history", Sequence)
    for place, entry in enumerate(history):
        try:
            yield question_and_answer(entry)
        except EvenhandError as error:
            raise HistoryError(place, str(error)) from error


def question_and_answer(entry: object) -> tuple[Question, Answer]:
    """Return an entry of a history, if it is a pair of them."""
    if not (isinstance(entry, tuple | list) and len(entry) == 2 and isinstance(entry[0], Question)):
        raise EvenhandError(f"an entry must be a Question and its answer, but received {shown(entry)}")
    question, answer = entry
    return question, answer


def _replayed(procedure: Procedure[T], answers: Iterable[Answer | tuple[Question, Answer]]) -> Question | T:
    reached = step(procedure)
    rest = iter(answers)
    for place, entry in enumerate(rest):
        if not isinstance(reached, Question):
            surplus = 1 + sum(1 for _ in rest)
            raise HistoryError(
                place,
                f"the procedure had its result {surplus} answers before the end of the list: these answers belong to "
                "another procedure, or to other options",
            )
        asked, answer = entry if isinstance(entry, tuple) else (reached, entry)
        if not reached.same_models(asked):
            raise HistoryError(
                place,
                f"answer {place + 1} was given to another question than this procedure asks: it belongs to another "
                "procedure, to other options or to another version of evenhand",
            )
        try:
            told = checked(answer, reached)
        except EvenhandError as error:
            raise HistoryError(place, str(error)) from error
        reached = step(procedure, told)
    return reached


def embed(procedure: Procedure[T], into: Callable[[Floats], Floats], part: str) -> Procedure[T]:
    """Run a procedure on points of the sphere, showing them as profiles of all groups.

    The paper's modified oracles Ω^class, Ω^viol and Ω^trade-off are made of the one oracle Ω in this way.

    Examples
    --------
    >>> from evenhand.region import common_sphere
    >>> from evenhand.elicitation import interview, linear
    >>> alike = embed(linear(common_sphere(2), 0.01), lambda point: np.stack([point, point]), "mistakes")
    >>> slope = interview(alike, lambda first, second: first[0] @ [3, 4] < second[0] @ [3, 4])
    >>> slope.round(1).tolist()
    [0.6, 0.8]
    """
    reached = step(procedure)
    while isinstance(reached, Question):
        answer = yield Question(into(reached.first), into(reached.second), part)
        reached = step(procedure, answer)
    return reached


def ask(oracle: Oracle, question: Question, setting: Setting | None = None) -> Answer:
    """Put one question to an oracle and check that the reply is an answer."""
    first: Any = question.first
    second: Any = question.second
    if setting is not None:
        first, second = GroupRates.from_vector(setting, first), GroupRates.from_vector(setting, second)
    return checked(oracle(first, second), question)


def checked(answer: Any, question: Question) -> Answer:
    """Return the answer if it is one: True or False, one for each entry of the batch."""
    batch = question.first.shape[:-2]
    if (isinstance(answer, bool) and not batch) or (question.undecided and (answer is None or answer is SKIP)):
        return answer
    if answer is None or answer is SKIP:
        received = "None (can't tell)" if answer is None else "SKIP"
        raise EvenhandError(
            f"the answer was {received}, but this method halves an interval with every answer and needs "
            "True (prefers the first) or False (prefers the second): take method='adaptive', or an oracle that always "
            "decides, such as a majority of an odd number of experts who do"
        )
    try:
        array = np.asarray(answer)
    except (TypeError, ValueError):  # lists of different lengths
        array = np.array(None)
    if array.dtype != np.bool_ or array.shape != batch:
        undecided = ", None (can't tell) or evenhand.SKIP" if question.undecided else ""
        raise EvenhandError(
            f"an answer must be True (prefers the first) or False (prefers the second){undecided}, but received "
            + (f"{shown(answer)}; {batch} people were asked at once" if batch else shown(answer))
        )
    return array if batch else bool(array)
