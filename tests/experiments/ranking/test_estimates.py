"""The methods and the eight baselines of Table 2: what is fixed is fixed, what is elicited is elicited."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand import Setting
from evenhand.elicitation import questions_by_part
from evenhand.experiments.ranking.estimates import (
    BASELINES,
    baseline,
    elicited,
    equal,
    in_true_order,
)
from evenhand.metric import MetricBatch
from evenhand.metric.families import Gaps


@pytest.fixture(scope="module")
def hidden() -> MetricBatch:
    return MetricBatch.random(3, 3, 20, 0)


def test_prices_give_the_cost_of_definition_1(hidden: MetricBatch) -> None:
    profiles = np.random.default_rng(0).random((20, 3, 6)) / 2
    setting = Setting.random(3, 3, 0)
    features = Gaps().features(profiles, setting)
    alike = replace(hidden, tau=np.broadcast_to(setting.tau, hidden.tau.shape))
    costs = np.einsum("nd,nd->n", Gaps().prices(hidden.weights), features)
    assert np.allclose(costs, alike.cost_of_profiles(profiles))


@given(st.integers(2, 4), st.integers(2, 4), st.integers(0, 2**32 - 1))
def test_weighted_accuracy_keeps_the_true_order_and_nothing_else(classes: int, groups: int, seed: int) -> None:
    hidden = MetricBatch.random(classes, groups, 5, seed)
    guessed = in_true_order(hidden, np.random.default_rng(seed))
    for true, weights in (
        (hidden.weights.misclassification, guessed.weights.misclassification),
        (hidden.weights.violation.reshape(5, -1), guessed.weights.violation.reshape(5, -1)),
    ):
        assert np.array_equal(true.argsort(axis=1), weights.argsort(axis=1))
        assert not np.allclose(true, weights)
    assert np.array_equal(hidden.weights.trade_off > 0.5, guessed.weights.trade_off > 0.5)
    assert np.allclose(np.linalg.norm(guessed.weights.misclassification, axis=1), 1)
    assert np.allclose(np.linalg.norm(guessed.weights.violation, axis=2).sum(axis=1), 1)


def test_accuracy_has_equal_weights_and_a_trade_off_of_one_half(hidden: MetricBatch) -> None:
    for found in (equal(hidden), baseline(hidden, "phi_varphi_lambda_a", seed=0)[0]):
        assert np.ptp(found.weights.misclassification) == np.ptp(found.weights.violation) == 0
        assert (found.weights.trade_off == 0.5).all()


def test_only_performance_and_only_fairness_know_the_true_weights(hidden: MetricBatch) -> None:
    performance, _ = baseline(hidden, "o_p", seed=0)
    fairness, _ = baseline(hidden, "o_f", seed=0)
    assert np.array_equal(Gaps().prices(performance.weights)[:, :6], hidden.weights.misclassification)
    assert not Gaps().prices(performance.weights)[:, 6:].any()
    assert np.array_equal(Gaps().prices(fairness.weights)[:, 6:], hidden.weights.violation.reshape(20, -1))
    assert not Gaps().prices(fairness.weights)[:, :6].any()


@pytest.mark.parametrize("by", ["a", "w"])
def test_what_a_baseline_elicits_takes_the_questions_of_its_parts(by: str, hidden: MetricBatch) -> None:
    parts = questions_by_part(3, 3, 1e-3)
    asked = {name: baseline(hidden, f"{name}_{by}", seed=0) for name in ("phi_varphi_lambda", "phi_varphi", "phi")}
    assert asked["phi_varphi_lambda"][1] == 0
    assert asked["phi_varphi"][1] == parts["trade_off"]
    assert asked["phi"][1] == parts["violation"] + parts["trade_off"]
    default = asked["phi_varphi_lambda"][0]
    for found, _ in asked.values():
        assert np.array_equal(found.weights.misclassification, default.weights.misclassification)
    assert np.array_equal(asked["phi_varphi"][0].weights.violation, default.weights.violation)
    assert not np.allclose(asked["phi"][0].weights.violation, default.weights.violation)
    assert not np.allclose(asked["phi_varphi"][0].weights.trade_off, default.weights.trade_off)


def test_a_trade_off_is_found_if_the_parts_that_are_fixed_happen_to_be_right() -> None:
    hidden = equal(MetricBatch.random(2, 2, 10, 1))
    held = MetricBatch(hidden.tau, replace(hidden.weights, trade_off=np.linspace(0.05, 0.95, 10)))
    found, _ = baseline(held, "phi_varphi_a", seed=0)
    assert np.allclose(found.weights.trade_off, held.weights.trade_off, atol=2e-3)


@pytest.mark.parametrize(("method", "questions"), [("paper", 6242), ("bisection", 253)])
def test_elicited_metrics_are_near_the_hidden_ones(method: str, questions: int, hidden: MetricBatch) -> None:
    found, asked = elicited(hidden, method)
    errors = hidden.weights.distance(found.weights)
    assert asked == questions
    assert np.median(errors, axis=1).max() < 0.003


def test_there_are_the_eight_baselines_of_table_2() -> None:
    assert len(BASELINES) == 8
