"""What is asked next depends on the answers that stand, and on nothing that happened on the way to them."""

from __future__ import annotations

import numpy as np
from tests.support.quick import study

from evenhand.elicitation import Finding, Question
from evenhand.elicitation.question import SKIP, Answer
from evenhand.study.runner import Runner

LOANS = study(models=4, max_questions=5)


def same(one: Question | Finding, other: Question | Finding) -> bool:
    if isinstance(one, Finding) or isinstance(other, Finding):
        return isinstance(one, Finding) and isinstance(other, Finding) and one.metric == other.metric
    return np.array_equal(one.first, other.first) and np.array_equal(one.second, other.second)


def test_a_procedure_that_waits_goes_on_exactly_as_a_replay_would() -> None:
    runner = Runner()
    history: list[tuple[Question, Answer]] = []
    answers: list[Answer] = [True, None, False, SKIP, True]
    outcome = runner.step(LOANS.method, 3, history)
    while isinstance(outcome, Question):
        # Another answer first, as before an undo; and each of them twice, as after a write that failed.
        for answer in (not answers[len(history)], answers[len(history)]):
            now = [*history, (outcome, answer)]
            reply = runner.step(LOANS.method, 3, now)
            assert runner.step(LOANS.method, 3, now) is reply
            assert same(reply, Runner().step(LOANS.method, 3, now))
        history, outcome = now, reply
    assert len(history) <= 5


def test_other_seeds_and_other_studies_do_not_get_each_other_s_questions() -> None:
    runner = Runner()
    first = runner.step(LOANS.method, 3, [])
    assert runner.step(LOANS.method, 4, []) is not first
    assert runner.step(study(models=5, max_questions=5).method, 3, []) is not first
    assert runner.step(LOANS.method, 3, []) is first


def test_only_so_many_procedures_wait() -> None:
    runner = Runner(most_waiting=2)
    steps = [runner.step(LOANS.method, seed, []) for seed in range(3)]
    assert runner.step(LOANS.method, 2, []) is steps[2]
    again = runner.step(LOANS.method, 0, [])
    assert again is not steps[0]
    assert same(again, steps[0])


def test_an_answer_to_what_another_process_asked_is_not_taken_for_an_answer_to_our_own_question() -> None:
    short, runner = study(models=4, max_questions=1), Runner()
    ours = runner.step(short.method, 3, [])
    assert isinstance(ours, Question)
    theirs = Question(ours.second, ours.first, ours.part, undecided=True)
    found = runner.step(short.method, 3, [(theirs, False)])
    assert same(found, Runner().step(short.method, 3, [(theirs, False)]))
    assert not same(found, Runner().step(short.method, 3, [(ours, False)]))
