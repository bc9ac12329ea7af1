"""The likelihood of answers."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.elicitation.inference.likelihood import (
    ResponsePrior,
    inattentive_answers,
    probabilities,
)
from evenhand.typing import Floats


def test_answers_have_probabilities_that_sum_to_one() -> None:
    response = ResponsePrior().draw(50, np.random.default_rng(0))
    savings: Floats = np.linspace(-1, 1, 11)[None, :].repeat(50, axis=0)
    chances = probabilities(savings, response)
    assert chances.sum(axis=0) == pytest.approx(1.0, abs=1e-9)
    assert (np.diff(chances[0], axis=1) >= -1e-12).all()
    assert chances[0] == pytest.approx(chances[1][:, ::-1])
    assert inattentive_answers(10, 0).sum() == pytest.approx(1)
