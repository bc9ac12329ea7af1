"""The model of answers: its likelihood is the product of the probabilities that it predicts."""

from __future__ import annotations

import numpy as np
import pytest
from tests.elicitation.adaptive_people import SETTING

from evenhand import FairMetric
from evenhand.elicitation.inference.likelihood import FIRST, NEITHER, SECOND, probabilities
from evenhand.elicitation.inference.model import AnswerModel, Answers
from evenhand.metric.prior import Prior
from evenhand.typing import Floats

MODEL = AnswerModel(Prior.of(SETTING))


def _answers(codes: tuple[int, ...], rng: np.random.Generator) -> Answers:
    answers = Answers.none()
    for code in codes:
        answers = answers.with_answer(rng.normal(0, 0.05, size=4), code)
    return answers


def test_the_likelihood_is_the_product_of_the_probabilities_of_the_answers() -> None:
    rng = np.random.default_rng(0)
    answers = _answers((FIRST, SECOND, NEITHER, SECOND, FIRST), rng)
    u = MODEL.draw(200, rng)
    predicted = probabilities(MODEL.prices(u) @ answers.features.T, MODEL.responses(u))
    product: Floats = np.prod([predicted[code, :, n] for n, code in enumerate(answers.codes)], axis=0)
    assert MODEL.log_likelihood(u, answers) == pytest.approx(np.log(product), abs=1e-9)


def test_swapping_sides_is_preferring_the_other() -> None:
    rng = np.random.default_rng(1)
    features = rng.normal(0, 0.05, size=(3, 4))
    one, other = Answers.none(), Answers.none()
    for row, code, opposite in zip(features, (FIRST, SECOND, NEITHER), (SECOND, FIRST, NEITHER), strict=True):
        one, other = one.with_answer(row, code), other.with_answer(row, opposite)
    u = MODEL.draw(100, rng)
    assert MODEL.log_likelihood(u, one.with_sides_swapped()) == pytest.approx(MODEL.log_likelihood(u, other), abs=1e-12)


def test_prices_times_features_are_costs() -> None:
    u = MODEL.draw(5, np.random.default_rng(2))
    profile = np.array([[0.1, 0.3], [0.2, 0.05]])
    weights = MODEL.weights(u)
    costs = MODEL.prices(u) @ MODEL.prior.family.features(profile, SETTING)
    for n, cost in enumerate(costs):
        metric = FairMetric.from_weights(
            SETTING,
            misclassification=weights.misclassification[n],
            violation=weights.violation[n],
            trade_off=float(weights.trade_off[n]),
        )
        assert cost == pytest.approx(metric.cost_of_profiles(profile), abs=1e-12)


def test_many_particles_are_worked_out_a_block_at_a_time_with_the_same_result() -> None:
    rng = np.random.default_rng(3)
    answers = _answers(tuple(rng.integers(0, 3, size=60)), rng)
    u = MODEL.draw(1000, rng)
    alone = [float(MODEL.log_likelihood(one[None], answers)[0]) for one in u[::37]]
    assert MODEL.log_likelihood(u, answers)[::37] == pytest.approx(alone, abs=1e-9)


def test_a_component_holds_the_particles_of_its_kind() -> None:
    u = MODEL.draw(500, np.random.default_rng(4))
    soft, sharp = (box.hold(u) for box in MODEL.components)
    assert (soft != sharp).all()
    assert (MODEL.responses(u)[soft, 1] < 8).all()
    assert (MODEL.responses(u)[sharp, 1] > 8).all()
