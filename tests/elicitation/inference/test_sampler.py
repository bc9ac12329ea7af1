"""The moves of the sampler."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.elicitation.inference.features import Pairs
from evenhand.elicitation.inference.likelihood import (
    FIRST,
    NEITHER,
    SECOND,
)
from evenhand.elicitation.inference.model import AnswerModel
from evenhand.elicitation.inference.posterior import Posterior
from evenhand.elicitation.inference.sampler import component_size, population, refined_sweeps, usual_sweeps
from evenhand.metric.families import Family
from evenhand.metric.prior import Prior
from evenhand.metric.weights import Dimensions
from evenhand.typing import Floats


class _PairWith(Pairs):
    """A pair with these features, whatever its models."""

    def __init__(self, features: Floats) -> None:
        self._features = features[None]

    def features(self, family: Family) -> Floats:
        del family
        return self._features


def test_the_moves_leave_the_exact_posterior_in_place() -> None:
    """Few answers: what they say of metrics and responses is known from importance weights."""
    rng = np.random.default_rng(0)
    model = AnswerModel(Prior(dimensions=Dimensions(2, 1, 2)))
    reference = Posterior.without_answers(model, particles=400_000, rng=rng)
    moved = Posterior.without_answers(model, particles=8000, rng=rng)
    likelihood: Floats = np.ones(reference.size)
    for answer in (FIRST, SECOND, SECOND, NEITHER, FIRST):
        features = rng.normal(0, [0.1, 0.1, 0.03, 0.03])
        likelihood *= reference.predict(features[None])[answer, :, 0]
        moved = moved.updated(_PairWith(features), answer, rng)
    moved = moved.refined(rng)
    assert moved.log_evidence == pytest.approx(np.log(likelihood.mean()), abs=0.1)
    for sample, expected in ((moved.prices, reference.prices), (moved.responses, reference.responses)):
        mean = np.average(expected, axis=0, weights=likelihood)
        deviation = np.sqrt(np.average((expected - mean) ** 2, axis=0, weights=likelihood))
        assert (moved.probability @ sample - mean) / deviation == pytest.approx(0, abs=0.05)
        assert np.sqrt(moved.probability @ (sample - mean) ** 2) == pytest.approx(deviation, rel=0.06)


def test_there_are_more_particles_while_few_answers_are_in() -> None:
    sizes = [population(800, 8, answered) for answered in (0, 5, 15, 30, 60, 1000)]
    assert sizes == [3200, 3200, 3200, 1600, 800, 800]


def test_there_are_more_particles_where_there_are_many_numbers() -> None:
    assert [population(800, numbers, 1000) for numbers in (8, 16, 31, 52, 224)] == [800, 800, 1550, 2600, 3200]


def test_particles_of_many_numbers_are_moved_more_often_within_bounds() -> None:
    assert [usual_sweeps(numbers) for numbers in (8, 31, 224)] == [5, 19, 9]
    assert [
        refined_sweeps(numbers, answered) for numbers, answered in ((8, 10), (8, 45), (31, 20), (31, 160), (224, 45))
    ] == [8, 22, 47, 264, 108]


def test_an_unlikely_component_keeps_a_quarter_of_the_particles() -> None:
    assert [component_size(800, mass) for mass in (0.0, 0.25, 0.5, 1.0)] == [200, 200, 400, 600]
