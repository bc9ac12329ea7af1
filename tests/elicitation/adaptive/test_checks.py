"""Checks of attention are asked while it is in doubt, and an alarm allows for how surely answers were predicted."""

from __future__ import annotations

import numpy as np
import pytest
from tests.elicitation.adaptive_people import SETTING, TRUTH

from evenhand import SimulatedOracle
from evenhand.elicitation.adaptive.checks import check_due, first_check, looks_random, mixed_pairs
from evenhand.elicitation.inference.attention import Attention
from evenhand.elicitation.methods.adaptive import Adaptive
from evenhand.elicitation.thresholds import QUESTIONS, WARNINGS
from evenhand.rates import GroupRates
from evenhand.typing import Floats


def attention(*predicted: float) -> Attention:
    return Attention(np.array(predicted), np.ones(len(predicted), dtype=bool))


def test_every_second_question_is_a_check_until_attention_is_clear_and_two_in_three_later_on() -> None:
    doubtful, clear = attention(), attention(*[0.9] * 8)
    assert clear.bayes_factor > QUESTIONS.clear_attention
    assert [check_due(n, doubtful, first_check=0) for n in range(6)] == [False, True] * 3
    assert sum(check_due(n, doubtful, first_check=0) for n in range(30, 60)) == 20
    assert not any(check_due(n, clear, first_check=0) for n in range(60))


def test_the_first_questions_about_candidates_are_no_checks() -> None:
    for most, before in ((6, 8), (20, 8), (60, 24), (100, 40)):
        first = first_check(most, about_candidates=True)
        assert first == before
        assert [check_due(n, attention(), first_check=first) for n in range(before)] == [False] * before
        assert any(check_due(n, attention(), first_check=first) for n in (before, before + 1))
    assert first_check(60, about_candidates=False) == 0


def test_the_answer_to_a_check_is_predicted_surely_and_that_to_another_question_is_not() -> None:
    interviewer = Adaptive(setting=SETTING, stop="budget", max_questions=20).interviewer(0)
    oracle = SimulatedOracle(TRUTH)
    learned = interviewer.learned()
    sure: dict[bool, list[float]] = {True: [], False: []}
    while len(learned.transcript) < 12:
        check = check_due(len(learned.transcript), learned.beliefs.attention, first_check=0)
        question = interviewer.question(learned)
        first, second = (GroupRates.from_vector(SETTING, each) for each in (question.first, question.second))
        learned = interviewer.after(learned, question, oracle(first, second))
        if question.part == "adaptive":
            sure[check].append(abs(learned.beliefs.attention.predicted[-1] - 0.5))
    assert min(sure[True]) > 0.25
    assert np.median(sure[False]) < 0.15


def test_nothing_is_checked_where_attention_was_never_in_doubt() -> None:
    interviewer = Adaptive(setting=SETTING, error=0.1).interviewer(0)
    first = Adaptive(setting=SETTING).interviewer(0)
    for one, checks in ((interviewer, False), (first, True)):
        learned = one.learned()
        learned = one.after(learned, one.question(learned), True)
        assert one.checks(learned) is checks


def test_agreement_is_standard_normal_of_random_answers_whatever_was_asked() -> None:
    rng = np.random.default_rng(0)
    found = []
    for _ in range(2000):
        chances = rng.beta(0.5, 0.5, size=30)
        found.append(attention(*np.where(rng.random(30) < 0.5, chances, 1 - chances)).agreement)
    assert np.mean(found) == pytest.approx(0, abs=0.07)
    assert np.std(found) == pytest.approx(1, abs=0.05)
    assert np.mean(np.array(found) < WARNINGS.agreement) > 0.9
    assert attention(0.5, 0.5).agreement == 0.0


def test_random_looking_answers_are_called_so_later_than_contradicting_ones() -> None:
    mixed: Floats = np.tile([0.9, 0.1], 30)
    against = np.full(60, 0.3)
    for about_candidates, many in ((False, WARNINGS.many_answers), (True, WARNINGS.many_about_candidates)):
        for n in range(60):
            assert looks_random(attention(*mixed[:n]), about_candidates=about_candidates) == (n >= many)
            assert looks_random(attention(*against[:n]), about_candidates=about_candidates) == (
                n >= WARNINGS.few_answers
            )


def test_mixed_pairs_are_of_the_same_models() -> None:
    firsts, seconds = np.random.default_rng(0).random((2, 5, 2, 2))
    here, there = mixed_pairs(firsts, seconds, np.random.default_rng(1))
    assert here is firsts
    assert sorted(there.sum(axis=(1, 2))) == pytest.approx(sorted(seconds.sum(axis=(1, 2))))


def test_about_candidates_people_who_err_are_not_taken_for_random_as_soon() -> None:
    """Of 30 answers that could be predicted, 19 came as predicted: 1.46 standard deviations more than by chance."""
    mixed = attention(*[0.9] * 19, *[0.1] * 11)
    assert mixed.agreement == pytest.approx(8 / np.sqrt(30))
    assert looks_random(mixed, about_candidates=False)
    assert not looks_random(mixed, about_candidates=True)
