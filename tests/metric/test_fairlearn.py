"""Where Fairlearn and evenhand measure the same quantity, they agree up to a constant; and each can use the other's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sklearn
from fairlearn.metrics import MetricFrame, equal_opportunity_difference, equalized_odds_difference
from fairlearn.postprocessing import ThresholdOptimizer
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate

from evenhand import FairMetric, Setting, group_rates, rank
from evenhand.metric import cost_sensitive_error, equal_opportunity, error_rate_balance

Sample = tuple[Any, Any, Any]


def sample(groups: int, seed: int) -> Sample:
    """Everybody's true class, prediction and group, with somebody of every class in every group."""
    rng = np.random.default_rng(seed)
    true, group = np.meshgrid([0, 1], [f"group {g}" for g in range(groups)])
    true, group = np.tile(true.ravel(), 8), np.tile(group.ravel(), 8)
    return true, (rng.random(true.size) < rng.uniform(0.2, 0.8)).astype(int), group


def prevalence(true: Any, group: Any) -> Setting:
    return Setting.from_labels(true, sensitive_features=group)


# Over all pairs of 2 or 3 values, how far they are apart adds up to once or twice the widest gap, and is divided by the
# number of pairs, 1 or 3. With more groups the sum is no longer a multiple of the widest gap.
@pytest.mark.parametrize(("groups", "share"), [(2, 1.0), (3, 2 / 3)], ids=["two groups", "three groups"])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=10)
def test_equal_opportunity_is_fairlearns_times_a_constant(groups: int, share: float, seed: int) -> None:
    true, predicted, group = sample(groups, seed)
    metric = equal_opportunity(prevalence(true, group), positive=1)
    theirs = equal_opportunity_difference(true, predicted, sensitive_features=group)
    assert -metric.score(true, predicted, sensitive_features=group) == pytest.approx(share * theirs)


@pytest.mark.parametrize(("groups", "share"), [(2, 1.0), (3, 2 / 3)], ids=["two groups", "three groups"])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=10)
def test_error_rate_balance_is_fairlearns_mean_equalized_odds_times_a_constant(
    groups: int, share: float, seed: int
) -> None:
    true, predicted, group = sample(groups, seed)
    metric = error_rate_balance(prevalence(true, group))
    theirs = equalized_odds_difference(true, predicted, sensitive_features=group, agg="mean")
    assert -metric.score(true, predicted, sensitive_features=group) == pytest.approx(share * 2**0.5 * theirs)


def test_with_four_groups_a_sum_over_pairs_is_not_a_widest_gap() -> None:
    ratios = []
    for seed in range(5):
        true, predicted, group = sample(4, seed)
        theirs = equal_opportunity_difference(true, predicted, sensitive_features=group)
        metric = equal_opportunity(prevalence(true, group), positive=1)
        ratios.append(-metric.score(true, predicted, sensitive_features=group) / theirs)
    assert np.ptp(ratios) > 0.01


def test_an_elicited_metric_can_be_taken_apart_by_fairlearn() -> None:
    true, predicted, group = sample(2, 1)
    metric = FairMetric.random(prevalence(true, group), 0)
    frame = MetricFrame(metrics=metric.cost_of_mistakes, y_true=true, y_pred=predicted, sensitive_features=group)
    assert frame.overall == pytest.approx(metric.cost_of_mistakes(true, predicted))
    for name in ("group 0", "group 1"):
        own = metric.cost_of_mistakes(true[group == name], predicted[group == name])
        assert frame.by_group[name] == pytest.approx(own)
    rates = group_rates(true, predicted, sensitive_features=group)
    mistakes = cost_sensitive_error(metric.setting, metric.misclassification)
    assert frame.overall == pytest.approx(mistakes.cost(rates))


def test_an_elicited_metric_can_be_looked_at_region_by_region() -> None:
    true, predicted, group = sample(2, 2)
    region = np.repeat(["north", "south"], true.size // 2)
    metric = FairMetric.random(prevalence(true, group), 0)
    frame = MetricFrame(
        metrics={"fair": metric.score},
        y_true=true,
        y_pred=predicted,
        sensitive_features=region,
        sample_params={"fair": {"sensitive_features": group}},
    )
    south = region == "south"
    assert frame.by_group["fair"]["south"] == pytest.approx(
        metric.score(true[south], predicted[south], sensitive_features=group[south])
    )


def test_fairlearns_models_can_be_candidates_and_are_told_the_groups() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    group = np.where(rng.random(400) < 0.5, "women", "men")
    y = (X[:, 0] + (group == "men") * 0.8 + rng.normal(size=400) > 0).astype(int)
    plain = LogisticRegression().fit(X, y)
    optimizer = ThresholdOptimizer(
        estimator=LogisticRegression(), constraints="equalized_odds", predict_method="predict_proba"
    )
    optimizer.fit(X, y, sensitive_features=group)
    predictions = {
        "plain": plain.predict(X),
        "optimized": optimizer.predict(X, sensitive_features=group, random_state=0),
    }
    candidates = {name: group_rates(y, one, sensitive_features=group) for name, one in predictions.items()}
    setting = candidates["plain"].setting
    assert rank(error_rate_balance(setting), candidates).best == ("optimized",)
    with sklearn.config_context(enable_metadata_routing=True):
        asking = ThresholdOptimizer(
            estimator=LogisticRegression(), constraints="equalized_odds", predict_method="predict_proba"
        )
        asking.set_fit_request(sensitive_features=True).set_predict_request(sensitive_features=True)
        scores = cross_validate(
            asking,
            X,
            y,
            cv=3,
            scoring=error_rate_balance(setting).scorer(),
            params={"sensitive_features": group},
            error_score="raise",
        )["test_score"]
    assert np.isfinite(scores).all()
