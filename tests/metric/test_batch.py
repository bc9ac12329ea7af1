"""A batch of metrics answers as its metrics would one by one."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand import EvenhandError, FairMetric, Setting
from evenhand.metric import MetricBatch

cells = st.tuples(st.integers(2, 4), st.integers(2, 4))
seeds = st.integers(0, 2**32 - 1)


@given(cells, st.integers(1, 5), seeds)
def test_a_batch_costs_what_each_metric_costs(cell: tuple[int, int], size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    metrics = [FairMetric.random(Setting.random(*cell, rng), rng) for _ in range(size)]
    batch = MetricBatch.of(metrics)
    profiles = rng.uniform(0, 1 / cell[0], size=(size, *metrics[0].setting.tau.shape))
    one_by_one = [metric.cost_of_profiles(profile) for metric, profile in zip(metrics, profiles, strict=True)]
    assert batch.cost_of_profiles(profiles) == pytest.approx(np.array(one_by_one), abs=1e-15)
    same_for_all = [metric.cost_of_profiles(profiles[0]) for metric in metrics]
    assert batch.cost_of_profiles(profiles[0]) == pytest.approx(np.array(same_for_all), abs=1e-15)
    assert batch.cost_of_profiles(profiles[:1]) == pytest.approx(np.array(same_for_all), abs=1e-15)


@given(cells, st.integers(1, 5), seeds)
def test_a_batch_is_as_far_from_others_as_its_metrics(cell: tuple[int, int], size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    settings = [Setting.random(*cell, rng) for _ in range(size)]
    one, other = ([FairMetric.random(setting, rng) for setting in settings] for _ in range(2))
    there = MetricBatch.of(other)
    errors = MetricBatch.of(one).weights.distance(there.weights)
    one_by_one = np.array([a.distance(b) for a, b in zip(one, other, strict=True)])
    assert errors.transpose() == pytest.approx(one_by_one)


@given(cells, seeds)
def test_a_random_batch_is_drawn_like_its_metrics(cell: tuple[int, int], seed: int) -> None:
    batch = MetricBatch.random(*cell, 3, seed)
    rng = np.random.default_rng(seed)
    for place in range(3):
        metric = FairMetric.random(Setting.random(*cell, rng), rng)
        assert np.array_equal(batch.tau[place], metric.setting.tau)
        assert np.array_equal(batch.weights.violation[place], metric.violation)
        assert batch.weights.trade_off[place] == metric.trade_off


@pytest.mark.parametrize("size", [0, -1, 1.5, None])
def test_a_batch_has_at_least_one_metric(size: Any) -> None:
    with pytest.raises(EvenhandError, match="size must be a whole number of at least 1"):
        MetricBatch.random(2, 2, size, 0)
    with pytest.raises(EvenhandError, match="no metric at all"):
        MetricBatch.of([])


def test_a_batch_is_about_equally_many_classes_and_groups() -> None:
    metrics = [FairMetric.random(Setting.random(2, m, 0), 0) for m in (2, 3)]
    with pytest.raises(EvenhandError, match=r"received \(2, 2\), \(3, 2\)"):
        MetricBatch.of(metrics)


@pytest.mark.parametrize("shape", [(3, 2, 3), (3, 3, 2), (2, 2, 2), (2,), ()])
def test_a_batch_judges_one_profile_for_each_metric(shape: tuple[int, ...]) -> None:
    with pytest.raises(EvenhandError, match=r"must have shape \(3, 2, 2\)"):
        MetricBatch.random(2, 2, 3, 0).cost_of_profiles(np.zeros(shape))
