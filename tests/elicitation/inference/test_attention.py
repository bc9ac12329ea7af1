"""Evidence of attention: for somebody who looks at the page alone it is a martingale, whatever was asked."""

from __future__ import annotations

from itertools import product
from math import exp

import numpy as np
import pytest

from evenhand.elicitation.inference.attention import Attention, inattentive_answers
from evenhand.elicitation.inference.likelihood import FIRST, NEITHER, SECOND
from evenhand.typing import Floats


def _predicted(past: tuple[int, ...]) -> Floats:
    """Some prediction that depends on all answers so far."""
    return np.random.default_rng([9, *past]).dirichlet([0.5, 0.5, 0.2])


def test_the_two_factors_of_an_answer_average_to_one() -> None:
    for seed in range(20):
        predicted = _predicted((seed,))
        factors = [exp(Attention().after(answer, predicted).log_bayes_factor) for answer in (FIRST, SECOND)]
        assert np.mean(factors) == pytest.approx(1, abs=1e-12)


def test_the_mean_bayes_factor_of_all_ways_to_answer_is_one() -> None:
    """With the sides drawn by a coin, every way to answer in terms of models is equally likely."""
    reached = []
    for answers in product((FIRST, SECOND), repeat=8):
        attention = Attention()
        for n, answer in enumerate(answers):
            attention = attention.after(answer, _predicted(answers[:n]))
        reached.append(attention.bayes_factor)
    assert np.mean(reached) == pytest.approx(1, abs=1e-9)
    assert 0.01 < np.mean(np.array(reached) >= 10) <= 0.1, "Ville's inequality"


def test_cannot_tell_says_nothing_about_attention() -> None:
    before = Attention().after(FIRST, np.array([0.9, 0.05, 0.05]))
    assert before.after(NEITHER, np.array([0.1, 0.8, 0.1])).bayes_factor == before.bayes_factor
    assert before.bayes_factor == pytest.approx(2 * 0.9 / 0.95)


def test_somebody_inattentive_cannot_tell_as_often_and_else_names_either() -> None:
    assert inattentive_answers(np.array([0.7, 0.1, 0.2])) == pytest.approx([0.4, 0.4, 0.2])
    assert inattentive_answers(np.zeros((3, 5))).shape == (3, 5)


def test_the_probability_of_inattention_follows_from_the_bayes_factor() -> None:
    assert Attention().inattentive(0.25) == 0.25
    ten_times = Attention(np.full(4, 10**0.25 / 2), np.ones(4, dtype=bool))
    assert ten_times.bayes_factor == pytest.approx(10)
    assert ten_times.inattentive(0.25) == pytest.approx(1 / 31)
    assert ten_times.inattentive(0.0) == 0.0
