"""What is asked next depends on the answers that stand, and on nothing that happened on the way to them."""

from __future__ import annotations

import numpy as np
from tests.support.quick import study

from evenhand.elicitation import Finding, Question
from evenhand.elicitation.question import SKIP, Answer
from evenhand.study.runner import Asking

LOANS = study(models=4, max_questions=5)


def same(one: Question | Finding, other: Question | Finding) -> bool:
    if isinstance(one, Finding) or isinstance(other, Finding):
        return isinstance(one, Finding) and isinstance(other, Finding) and one.metric == other.metric
    return np.array_equal(one.first, other.first) and np.array_equal(one.second, other.second)


def test_a_procedure_that_waits_goes_on_exactly_as_a_replay_would() -> None:
    asking = Asking()
    history: list[tuple[Question, Answer]] = []
    answers: list[Answer] = [True, None, False, SKIP, True]
    outcome = asking.step(LOANS, 3, history)
    while isinstance(outcome, Question):
        # Another answer first, as before an undo; and each of them twice, as after a write that failed.
        for answer in (not answers[len(history)], answers[len(history)]):
            now = [*history, (outcome, answer)]
            reply = asking.step(LOANS, 3, now)
            assert asking.step(LOANS, 3, now) is reply
            assert same(reply, Asking().step(LOANS, 3, now))
        history, outcome = now, reply
    assert len(history) <= 5


def test_other_seeds_and_other_studies_do_not_get_each_other_s_questions() -> None:
    asking = Asking()
    first = asking.step(LOANS, 3, [])
    assert asking.step(LOANS, 4, []) is not first
    assert asking.step(study(models=5, max_questions=5), 3, []) is not first
    assert asking.step(LOANS, 3, []) is first


def test_only_so_many_procedures_wait() -> None:
    asking = Asking(most_waiting=2)
    steps = [asking.step(LOANS, seed, []) for seed in range(3)]
    assert asking.step(LOANS, 2, []) is steps[2]
    again = asking.step(LOANS, 0, [])
    assert again is not steps[0]
    assert same(again, steps[0])


def test_an_answer_to_what_another_process_asked_is_not_taken_for_an_answer_to_our_own_question() -> None:
    short, asking = study(models=4, max_questions=1), Asking()
    ours = asking.step(short, 3, [])
    assert isinstance(ours, Question)
    theirs = Question(ours.second, ours.first, ours.part, undecided=True)
    found = asking.step(short, 3, [(theirs, False)])
    assert same(found, Asking().step(short, 3, [(theirs, False)]))
    assert not same(found, Asking().step(short, 3, [(ours, False)]))
