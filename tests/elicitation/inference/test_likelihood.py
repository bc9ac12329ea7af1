"""The likelihood of answers."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.elicitation.inference.likelihood import NEITHER, probabilities
from evenhand.elicitation.inference.response import ResponsePrior
from evenhand.typing import Floats


def test_answers_have_probabilities_that_sum_to_one() -> None:
    response = ResponsePrior().draw(50, np.random.default_rng(0))
    savings: Floats = np.linspace(-1, 1, 11)[None, :].repeat(50, axis=0)
    chances = probabilities(savings, response)
    assert chances.sum(axis=0) == pytest.approx(1.0, abs=1e-9)
    assert (np.diff(chances[0], axis=1) >= -1e-12).all()
    assert chances[0] == pytest.approx(chances[1][:, ::-1])


def test_single_precision_is_the_same_model() -> None:
    responses = ResponsePrior().draw(1, np.random.default_rng(3))
    savings: Floats = np.linspace(-0.3, 0.3, 31)[None, :]
    short = probabilities(savings.astype(np.float32), responses)
    assert short.dtype == np.float32
    assert short == pytest.approx(probabilities(savings, responses), abs=1e-5)


def test_neither_is_as_likely_as_the_model_of_ties_says() -> None:
    """What is left over by first and second: here it is large enough to be told from rounding."""
    response: Floats = np.array([[-40.0, np.log(20.0), np.log(0.7)]])
    savings: Floats = np.array([[0.0, 0.03, -0.2]])
    felt = 20 * savings[0]
    left = 1 - 1 / (1 + np.exp(0.7 - felt)) - 1 / (1 + np.exp(0.7 + felt))
    assert probabilities(savings, response)[NEITHER, 0] == pytest.approx(left, abs=1e-12)
