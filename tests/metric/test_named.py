"""The metrics that people know by name are special cases, up to their scale."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand import EvenhandError, FairMetric, Setting
from evenhand.metric import (
    balance_for_the_negative_class,
    cost_sensitive_error,
    equal_opportunity,
    error_rate_balance,
    weighted_equalized_odds,
)
from evenhand.rates import off_diagonal_entries
from evenhand.typing import Floats

cells = st.tuples(st.integers(2, 5), st.integers(2, 5))
seeds = st.integers(0, 2**32 - 1)
SETTING = Setting(["yes", "no"], ["women", "men"], [[0.5, 0.4], [0.5, 0.6]])


def drawn(cell: tuple[int, int], seed: int) -> tuple[Setting, Floats]:
    rng = np.random.default_rng(seed)
    k, m = cell
    profiles: Floats = rng.dirichlet(np.ones(k), size=(10, m, k))[..., ~np.eye(k, dtype=bool)]
    return Setting.random(k, m, rng), profiles


def gaps(profiles: Floats) -> Floats:
    """Return the sum over all pairs of groups of |rᵘ − rᵛ|, (n, q)."""
    total: Floats = np.abs(profiles[:, :, None] - profiles[:, None]).sum(axis=(1, 2)) / 2
    return total


def same_up_to_scale(costs: Any, expected: Any) -> bool:
    return bool(np.allclose(costs / costs[0], expected / expected[0]))


@given(cells, seeds)
def test_cost_sensitive_error_is_the_expected_cost_of_the_mistakes(cell: tuple[int, int], seed: int) -> None:
    setting, profiles = drawn(cell, seed)
    k = cell[0]
    table = np.random.default_rng(seed).uniform(0.1, 5, size=(k, k)) * ~np.eye(k, dtype=bool)
    overall = (setting.tau * profiles).sum(axis=1)
    expected = sum(table[i, j] * overall[:, place] for place, (i, j) in enumerate(off_diagonal_entries(k)))
    metric = cost_sensitive_error(setting, table)
    assert metric.trade_off == 0
    assert same_up_to_scale(metric.cost_of_profiles(profiles), expected)
    assert metric == cost_sensitive_error(setting, table[~np.eye(k, dtype=bool)])
    assert same_up_to_scale(cost_sensitive_error(setting).cost_of_profiles(profiles), overall.sum(axis=1))


@given(cells, seeds)
def test_equal_opportunity_is_the_gap_in_the_mistakes_on_the_positive_class(cell: tuple[int, int], seed: int) -> None:
    """For two classes that is the gap in the true positive rate."""
    setting, profiles = drawn(cell, seed)
    positive = setting.classes[-1]
    of_positive = np.array([true == positive for true, _ in setting.mistakes])
    expected = gaps(profiles)[:, of_positive].sum(axis=1)
    assert same_up_to_scale(equal_opportunity(setting, positive=positive).cost_of_profiles(profiles), expected)


@given(cells, seeds)
def test_balance_for_the_negative_class_is_the_gap_in_the_mistakes_on_it(cell: tuple[int, int], seed: int) -> None:
    setting, profiles = drawn(cell, seed)
    metric = balance_for_the_negative_class(setting, negative=setting.classes[0])
    assert same_up_to_scale(metric.cost_of_profiles(profiles), gaps(profiles)[:, : cell[0] - 1].sum(axis=1))
    assert metric == equal_opportunity(setting, positive=setting.classes[0])


@given(cells, seeds)
def test_error_rate_balance_is_the_sum_of_all_gaps(cell: tuple[int, int], seed: int) -> None:
    setting, profiles = drawn(cell, seed)
    metric = error_rate_balance(setting)
    assert same_up_to_scale(metric.cost_of_profiles(profiles), gaps(profiles).sum(axis=1))
    equal = weighted_equalized_odds(setting, np.full(len(setting.mistakes), 3.0))
    assert metric.distance(equal) == pytest.approx((0, 0, 0))


def test_error_rate_balance_of_two_classes_and_groups_is_the_papers() -> None:
    """0.5·|r¹₁ − r²₁| + 0.5·|r¹₂ − r²₂|."""
    profiles = np.array([[[0.2, 0.5], [0.1, 0.9]], [[0.3, 0.3], [0.7, 0.2]]])
    papers = 0.5 * np.abs(profiles[:, 0] - profiles[:, 1]).sum(axis=1)
    assert same_up_to_scale(error_rate_balance(SETTING).cost_of_profiles(profiles), papers)


@given(cells, seeds)
def test_weighted_equalized_odds_weighs_each_gap(cell: tuple[int, int], seed: int) -> None:
    setting, profiles = drawn(cell, seed)
    weights = np.random.default_rng(seed).uniform(0.1, 5, size=len(setting.mistakes))
    metric = weighted_equalized_odds(setting, weights)
    assert metric.trade_off == 1
    assert same_up_to_scale(metric.cost_of_profiles(profiles), gaps(profiles) @ weights)


@given(cells, seeds, st.floats(0, 1))
def test_with_a_trade_off_mistakes_count_too(cell: tuple[int, int], seed: int, trade_off: float) -> None:
    setting, profiles = drawn(cell, seed)
    table = np.random.default_rng(seed).uniform(0.1, 5, size=len(setting.mistakes))
    pure, mistakes = error_rate_balance(setting), cost_sensitive_error(setting, table)
    metric = error_rate_balance(setting, trade_off=trade_off, misclassification=table)
    expected = (1 - trade_off) * mistakes.cost_of_profiles(profiles) + trade_off * pure.cost_of_profiles(profiles)
    assert metric.cost_of_profiles(profiles) == pytest.approx(expected)


def test_with_a_trade_off_any_of_them_takes_what_mistakes_cost() -> None:
    a = [3.0, 1.0]
    for metric in (
        equal_opportunity(SETTING, positive="yes", trade_off=0.5, misclassification=a),
        balance_for_the_negative_class(SETTING, negative="no", trade_off=0.5, misclassification=a),
        error_rate_balance(SETTING, trade_off=0.5, misclassification=a),
        weighted_equalized_odds(SETTING, [1, 2], trade_off=0.5, misclassification=a),
    ):
        assert metric.misclassification == pytest.approx(np.array(a) / 10**0.5)
        assert metric.trade_off == 0.5


@pytest.mark.parametrize(
    "named",
    [
        cost_sensitive_error,
        error_rate_balance,
        lambda setting: weighted_equalized_odds(setting, [1, 1]),
        lambda setting: equal_opportunity(setting, positive="yes"),
        lambda setting: balance_for_the_negative_class(setting, negative="no"),
    ],
)
def test_a_named_metric_is_of_a_setting(named: Any) -> None:
    with pytest.raises(EvenhandError, match="setting must be a Setting: 'women' is not"):
        named("women")


def test_one_class_is_one_class_whatever_its_type() -> None:
    setting = Setting([0, 1], ["a", "b"], [[0.5, 0.5], [0.5, 0.5]])
    assert equal_opportunity(setting, positive=True) == equal_opportunity(setting, positive=np.int64(1))  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", ["maybe", 1, None, np.array([1, 2]), ["yes"]], ids=str)
def test_the_class_must_be_one_of_the_classes(wrong: Any) -> None:
    with pytest.raises(EvenhandError, match=r"positive .* is not one of the classes 'yes', 'no'"):
        equal_opportunity(SETTING, positive=wrong)
    with pytest.raises(EvenhandError, match=r"negative .* is not one of the classes 'yes', 'no'"):
        balance_for_the_negative_class(SETTING, negative=wrong)


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ([[1, 2], [3, 0]], "diagonal of the costs must be zero"),
        ([[np.nan, 2], [3, 0]], "diagonal of the costs must be zero"),
        ([[0, -2], [3, 0]], "yes → no is -2"),
        ([0, 0], "all weights are zero"),
        ([1, 2, 3], r"shape \(3,\)"),
        ("dear", "costs must be numbers"),
        ([["0", "1"], ["1", "0"]], "costs must be numbers"),
    ],
)
def test_costs_are_of_mistakes_and_not_negative(costs: Any, message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        cost_sensitive_error(SETTING, costs)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0, 0], "all weights are zero"),
        ([1, -1], "gap of one point between women and men in no → yes is -1"),
        ([1, np.nan], "is nan"),
        ([1], r"weights has shape \(1,\), but must have \(2,\): one per kind of mistake"),
        (["1", "1"], "weights must be numbers"),
    ],
)
def test_odds_are_weighed_by_weights(weights: Any, message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        weighted_equalized_odds(SETTING, weights)


def test_named_metrics_are_metrics_like_any_other() -> None:
    for metric in (cost_sensitive_error(SETTING), error_rate_balance(SETTING, trade_off=0.3)):
        assert FairMetric.from_json(metric.to_json()) == metric


def test_with_class_shares_every_person_weighs_the_same() -> None:
    """Nine people in ten are of class 0; plain error rates order the models, whatever the rates within classes."""
    setting = Setting([0, 1], ["a", "b"], [[0.5, 0.5], [0.5, 0.5]])
    metric = cost_sensitive_error(setting, class_shares=[0.9, 0.1])
    often_wrong_on_the_many = np.full((2, 2), [0.1, 0.0])
    often_wrong_on_the_few = np.full((2, 2), [0.0, 0.4])
    assert metric.cost_of_profiles(often_wrong_on_the_few) < metric.cost_of_profiles(often_wrong_on_the_many)
    balanced = cost_sensitive_error(setting)
    assert balanced.cost_of_profiles(often_wrong_on_the_few) > balanced.cost_of_profiles(often_wrong_on_the_many)
