"""The adaptive method: its options, histories and what it refuses."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from tests.elicitation.adaptive_people import SETTING, TRUTH, models

from evenhand import (
    Adaptive,
    EvenhandError,
    FairMetric,
    GroupRates,
    Question,
    Setting,
    SimulatedOracle,
    elicit,
    next_question,
    replay,
)
from evenhand.elicitation import Finding
from evenhand.elicitation.procedure import seed_of


def test_a_history_can_be_gone_on_with_and_replayed() -> None:
    method = Adaptive(setting=SETTING, stop="budget", max_questions=12)
    elicited = elicit(
        SimulatedOracle(TRUTH), SETTING, method="adaptive", stop="budget", max_questions=12, random_state=5
    )
    for n in (0, 5, 11):
        question = next_question(SETTING, elicited.history[:n], stop="budget", max_questions=12, random_state=5)
        assert isinstance(question, Question)
        assert np.array_equal(question.first, elicited.history[n][0].first)
        assert np.array_equal(question.second, elicited.history[n][0].second)
    done = next_question(SETTING, elicited.history, stop="budget", max_questions=12, random_state=5)
    assert isinstance(done, Finding)
    assert done.metric == elicited.metric
    again = replay(partial(method.procedure, seed=seed_of(5)), [answer for _, answer in elicited.history])
    assert isinstance(again, Finding)
    assert again.metric == elicited.metric


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"stop": "soon"}, "stop must be one of"),
        ({"stop": "best"}, "none were given"),
        ({"stop": "budget"}, "max_questions"),
        ({"confidence": 1.0}, "confidence"),
        ({"confidence": float("nan")}, "confidence"),
        ({"max_questions": 0}, "max_questions"),
        ({"max_questions": 2.5}, "max_questions"),
        ({"out_of": 1}, "out_of"),
        ({"visible": -0.1}, "visible"),
        ({"visible": 0.5}, "no two points"),
        ({"visible": 0.5, "candidates": models(SETTING, 3, 0)}, "no two candidates"),
        ({"out_of": 2}, "in whole people of 2"),
        ({"out_of": 100, "radius": 0.001}, "nobody could tell them apart"),
        ({"candidates": [GroupRates.uniform(SETTING)] * 2}, "received a list: give each model a name"),
        ({"visible": "x"}, "visible"),
        ({"confidence": None}, "confidence"),
        ({"random_state": "x"}, "random_state"),
        ({"interval_width": 0.0}, "interval_width"),
        ({"candidates": {"one": GroupRates.uniform(SETTING)}}, "at least two"),
        ({"candidates": {"one": 1, "two": 2}}, "'one' must be GroupRates"),
        ({"candidates": models(Setting.random(3, 2, 0), 3, 0)}, "was not measured in the setting's classes"),
    ],
)
def test_bad_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        elicit(SimulatedOracle(TRUTH), SETTING, method="adaptive", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ((Question(np.full((2, 2), 0.4), np.full((2, 2), 0.5)), "second"), "True .prefers the first"),
        ((Question(np.full((2, 2), 50.0), np.zeros((2, 2))), True), "between 0 and 1"),
        ((Question(np.full((2, 2), np.nan), np.zeros((2, 2))), True), "between 0 and 1"),
        ((Question(np.zeros((3, 2)), np.zeros((3, 2))), True), "shape"),
        (("x", True), "must be a Question"),
        (1, "must be a Question"),
    ],
)
def test_a_history_from_outside_is_checked_entry_by_entry(entry: object, message: str) -> None:
    good = (Question(np.full((2, 2), 0.4), np.full((2, 2), 0.5)), True)
    with pytest.raises(EvenhandError, match=message):
        next_question(SETTING, [good, entry])  # type: ignore[list-item]
    with pytest.raises(EvenhandError, match="history must be"):
        next_question(SETTING, None)  # type: ignore[arg-type]
    with pytest.raises(EvenhandError, match="no option 'confidense': did you mean 'confidence'"):
        next_question(SETTING, [], confidense=0.9)


def test_a_history_kept_as_lists_is_the_same() -> None:
    asked = next_question(SETTING, [])
    assert isinstance(asked, Question)
    kept = Question(asked.first.tolist(), asked.second.tolist())
    live, stored = (next_question(SETTING, [(one, True)]) for one in (asked, kept))
    assert isinstance(live, Question)
    assert isinstance(stored, Question)
    assert np.array_equal(live.first, stored.first)


def test_an_answer_that_was_handed_in_twice_is_not_believed_twice() -> None:
    asked = next_question(SETTING, [])
    assert isinstance(asked, Question)
    with pytest.raises(EvenhandError, match=r"history\[1\]: it is the same question as the one before"):
        next_question(SETTING, [(asked, True), (asked, True)])
    swapped = Question(asked.second, asked.first)
    assert isinstance(next_question(SETTING, [(asked, True), (swapped, False)]), Question)


@pytest.mark.parametrize("random_state", [None, np.random.default_rng(0), 1.5])
def test_the_next_question_is_drawn_by_a_number_and_nothing_that_changes(random_state: Any) -> None:
    with pytest.raises(EvenhandError, match="random_state must be a whole number"):
        next_question(SETTING, [], random_state=random_state)


def test_a_history_of_what_are_no_rates_is_refused() -> None:
    setting = Setting.random(3, 2, 0)
    impossible = Question(np.full((2, 6), 0.9), np.full((2, 6), 0.1))
    with pytest.raises(EvenhandError, match="more people than a class has"):
        next_question(setting, [(impossible, True)])


def test_a_history_goes_through_json_as_often_as_a_server_likes() -> None:
    history: list[tuple[Question, Any]] = []
    asked = []
    for _ in range(3):
        kept = [{"first": q.first.tolist(), "second": q.second.tolist(), "answer": answer} for q, answer in history]
        history = [(Question(one["first"], one["second"]), one["answer"]) for one in kept]
        question = next_question(SETTING, history)
        assert isinstance(question, Question)
        asked.append(question)
        history.append((question, True))
    lived_through = elicit(lambda *_: True, SETTING, method="adaptive", max_questions=3, random_state=0)
    for one, (other, _) in zip(asked, lived_through.history, strict=True):
        assert np.array_equal(one.first, other.first)


def test_an_answer_that_is_none_is_refused_with_its_place() -> None:
    question = next_question(SETTING, [])
    assert isinstance(question, Question)
    with pytest.raises(EvenhandError, match=r"history\[0\].*'skip'"):
        next_question(SETTING, [(question, "skip")])  # type: ignore[list-item]


def test_it_says_about_how_many_questions_are_left() -> None:
    off = []
    for seed in range(4):
        setting = Setting.random(2, 2, seed)
        told: list[tuple[int, int]] = []
        elicited = elicit(
            SimulatedOracle(FairMetric.random(setting, seed)),
            setting,
            method="adaptive",
            candidates=models(setting, 30, seed),
            random_state=seed,
            progress=lambda asked, in_all, told=told: told.append((asked, in_all)),  # type: ignore[misc]
        )
        lefts = [question.left for question, _ in elicited.history]
        assert [in_all - asked for asked, in_all in told] == [*lefts[1:], 0]
        off += [abs(left - (elicited.questions - place)) for place, left in enumerate(lefts) if left is not None]
        assert len(off) >= elicited.questions
    assert np.mean(off) < 5


def test_a_budget_is_counted_down_exactly() -> None:
    elicited = elicit(SimulatedOracle(TRUTH), SETTING, method="adaptive", stop="budget", max_questions=6)
    assert [question.left for question, _ in elicited.history] == [6, 5, 4, 3, 2, 1]
