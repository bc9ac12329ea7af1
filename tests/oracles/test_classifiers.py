"""Comparing classifiers is comparing their rates: Γ(h₁, h₂) = Ω(r₁, r₂)."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand import FairMetric, GroupRates, Setting, SimulatedOracle, classifier_oracle, group_rates
from evenhand.oracles import StandInClassifier

seeds = st.integers(0, 2**32 - 1)


def people(setting: Setting, each: int) -> tuple[Any, Any]:
    """Return so many people of each group and class."""
    cells = [(c, g) for c in setting.classes for g in setting.groups] * each
    return [c for c, _ in cells], [g for _, g in cells]


@given(st.integers(2, 3), st.integers(2, 3), seeds)
def test_asking_about_classifiers_and_about_rates_is_the_same(k: int, m: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    setting = Setting.random(k, m, rng)
    metric = FairMetric.random(setting, rng)
    matrices = rng.dirichlet(np.ones(k), size=(2, m, k))
    first, second = (GroupRates(setting=setting, matrix=matrix) for matrix in matrices)
    oracle = classifier_oracle(lambda h1, h2: metric.cost(h1.rates) < metric.cost(h2.rates))
    assert oracle(first, second) is SimulatedOracle(metric)(first, second)
    assert oracle(second, first) is SimulatedOracle(metric)(second, first)
    assert oracle.questions == 2


def test_the_classifier_behind_rates_can_be_ones_own() -> None:
    setting = Setting.random(2, 2, 0)
    seen: list[Any] = []

    def prefers(first: float, second: float) -> bool:
        seen.append((first, second))
        return True

    oracle = classifier_oracle(prefers, classifier_for=lambda rates: rates.matrix[0, 0, 0])
    assert oracle(GroupRates.trivial(setting, 1), GroupRates.trivial(setting, 2)) is True
    assert seen == [(1.0, 0.0)]


@given(st.integers(2, 3), st.integers(2, 3), seeds)
def test_a_stand_in_has_the_rates_it_stands_for(k: int, m: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    setting = Setting.random(k, m, rng)
    rates = GroupRates(setting=setting, matrix=rng.dirichlet(np.ones(k), size=(m, k)))
    true, group = people(setting, 400)
    predicted = StandInClassifier(rates).predict(true, sensitive_features=group, random_state=rng)
    measured = group_rates(true, predicted, sensitive_features=group, setting=setting)
    assert measured.matrix == pytest.approx(rates.matrix, abs=6 * 0.5 / np.sqrt(400))


@given(st.lists(st.text(max_size=3), min_size=2, max_size=4, unique=True), seeds)
def test_a_stand_in_never_predicts_what_has_no_rate(classes: list[str], seed: int) -> None:
    drawn = Setting.random(len(classes), 2, seed)
    setting = Setting(classes, [True, False], drawn.prevalence)
    true, group = people(setting, 3)
    for only in classes:
        stand_in = StandInClassifier(GroupRates.trivial(setting, only))
        predicted = stand_in.predict(true, sensitive_features=group, random_state=seed)
        assert set(predicted.tolist()) == {only}


def test_a_draw_of_exactly_zero_goes_to_the_first_class_that_has_a_rate() -> None:
    class Zero(np.random.Generator):
        def random(self, *shape: Any, **_: Any) -> Any:
            return np.zeros(shape[0])

    setting = Setting.random(3, 2, 0)
    stand_in = StandInClassifier(GroupRates.trivial(setting, 2))
    predicted = stand_in.predict([1, 2, 3], sensitive_features=[1, 2, 1], random_state=Zero(np.random.PCG64()))
    assert predicted.tolist() == [2, 2, 2]


@pytest.mark.parametrize("classes", [[0, 2**64 - 1], [-1, 2**64 - 1], [0.5, 1], [True, False], ["a", "b" * 1000]])
def test_predictions_are_the_settings_own_labels(classes: list[Any]) -> None:
    setting = Setting(classes, ["x", "y"], [[0.5, 0.5], [0.5, 0.5]])
    true, group = people(setting, 2)
    sure = GroupRates(setting=setting, matrix=np.array([np.eye(2)] * 2))
    predicted = StandInClassifier(sure).predict(true, sensitive_features=group, random_state=0)
    assert group_rates(true, predicted, sensitive_features=group, setting=setting) == sure


@given(seeds)
def test_the_same_random_state_draws_the_same_predictions(seed: int) -> None:
    setting = Setting.random(3, 2, 0)
    true, group = people(setting, 5)
    stand_in = StandInClassifier(GroupRates.uniform(setting))
    one, other = (stand_in.predict(true, sensitive_features=group, random_state=seed) for _ in range(2))
    assert np.array_equal(one, other)
