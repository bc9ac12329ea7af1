"""How much a question tells."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.elicitation.adaptive.information import (
    agreement,
    expected_agreement_gain,
    expected_variance_reduction,
    information_about_attention,
    information_about_outcome,
    information_but_for_noise,
    least_entropy,
    mean_entropy,
)
from evenhand.elicitation.inference.likelihood import Probabilities
from evenhand.typing import Floats


def information_about_all(answers: Probabilities, inattentive: float) -> Probabilities:
    """Return I(Y; particle, attention) (questions,) = H(πq + (1 − π)p̄) − πH(q) − (1 − π)·mean H(p)."""
    return information_but_for_noise(answers, inattentive) - (1 - inattentive) * mean_entropy(answers)


def test_information_is_highest_where_the_sample_disagrees() -> None:
    agree: Floats = np.array([[0.98, 0.98], [0.01, 0.01], [0.01, 0.01]])
    split: Floats = np.array([[0.98, 0.01], [0.01, 0.98], [0.01, 0.01]])
    answers = np.stack([agree, split], axis=-1)
    assert np.argmax(information_about_all(answers, 0.0)) == 1
    assert information_about_all(answers, 0.0)[0] == pytest.approx(0, abs=1e-9)
    outcome: Floats = np.eye(2)
    assert np.argmax(information_about_outcome(answers, outcome, 0.0)) == 1
    assert information_about_all(answers, 0.5)[0] > 0.1, "a predictable answer tells a person from random answers"


def test_information_about_an_order_needs_an_answer_that_goes_with_it() -> None:
    with_it: Floats = np.array([[0.98, 0.01], [0.01, 0.98], [0.01, 0.01]])
    without: Floats = np.array([[0.5, 0.5], [0.49, 0.49], [0.01, 0.01]])
    ahead = np.array([[True, False], [True, True]])
    told = expected_agreement_gain(np.stack([with_it, without], axis=-1), agreement(ahead))
    assert told[0] > 0.4, "one of two pairs is in doubt, and the answer almost settles it"
    assert told[1] == pytest.approx(0, abs=1e-9)


def test_an_answer_that_halves_what_is_possible_takes_off_what_the_halves_differ_by() -> None:
    weights: Floats = np.array([[0.0, 0.0], [0.0, 0.2], [1.0, 0.0], [1.0, 0.2]])
    by_first, by_second = np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 1.0, 0.0, 1.0])
    even = np.full(4, 0.5)
    answers = np.stack([np.stack([yes, 1 - yes, np.zeros(4)]) for yes in (by_first, by_second, even)], axis=-1)
    told = expected_variance_reduction(answers, weights, 0.0)
    assert told == pytest.approx([0.25 / 0.26, 0.01 / 0.26, 0.0])
    assert expected_variance_reduction(answers, weights, 0.25) == pytest.approx(0.75 * told)
    assert information_about_all(answers, 0.0)[0] == pytest.approx(information_about_all(answers, 0.0)[1])
    for known in (weights[:1].repeat(4, axis=0), np.full((4, 1), 0.1)):
        assert (expected_variance_reduction(answers, known, 0.0) == 0).all()


def test_predictable_answers_tell_a_person_from_random_answers() -> None:
    predictable: Floats = np.array([[0.98, 0.98], [0.01, 0.01], [0.01, 0.01]])
    open_ended: Floats = np.array([[0.98, 0.01], [0.01, 0.98], [0.01, 0.01]])
    told = information_about_attention(np.stack([predictable, open_ended], axis=-1), 0.35)
    assert told[0] > 10 * told[1]


def test_what_an_answer_tells_is_bounded_without_logarithms() -> None:
    """Harremoës and Topsøe 2001; equal where an answer is certain, and where two are as likely."""
    answers = np.random.default_rng(0).dirichlet([0.3, 0.3, 0.1], size=(50, 200)).transpose(2, 0, 1)
    assert (least_entropy(answers) <= mean_entropy(answers) + 1e-12).all()
    certain_or_even: Floats = np.array([[1.0, 0.5], [0.0, 0.5], [0.0, 0.0]])[:, None]
    assert least_entropy(certain_or_even) == pytest.approx(mean_entropy(certain_or_even), abs=1e-9)
