"""The likelihood of answers."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.elicitation.inference.likelihood import (
    ResponsePrior,
    probabilities,
    probabilities_in_single_precision,
)
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
    short = probabilities_in_single_precision(savings.astype(np.float32), responses)
    assert short.dtype == np.float32
    assert short == pytest.approx(probabilities(savings, responses), abs=1e-5)
