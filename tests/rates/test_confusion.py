"""Rates from confusion matrices and from Fairlearn's MetricFrame are those of the people themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from fairlearn.metrics import MetricFrame, count, false_negative_rate, false_positive_rate, true_negative_rate
from sklearn.metrics import accuracy_score, confusion_matrix

from evenhand import EvenhandError, GroupRates, Setting, group_rates

RNG = np.random.default_rng(0)
SEX, AGE = RNG.choice(["men", "women"], 300), RNG.choice(["old", "young"], 300)
TRUE, PREDICTED = RNG.choice([0, 1], (2, 300))
RATES = group_rates(TRUE, PREDICTED, sensitive_features=SEX)


def frame(metrics: Any, features: Any = SEX) -> MetricFrame:
    return MetricFrame(metrics=metrics, y_true=TRUE, y_pred=PREDICTED, sensitive_features=features)


def test_confusion_matrices_give_the_rates_counts_and_prevalence_of_the_people() -> None:
    counts = {sex: confusion_matrix(TRUE[sex == SEX], PREDICTED[sex == SEX]) for sex in ("men", "women")}
    rates = GroupRates.from_confusion_matrices(counts, classes=[0, 1])
    assert rates == RATES
    assert np.array_equal(rates.interval(), RATES.interval())
    there = Setting([1, 0], ["women", "men"], [[0.5, 0.5]] * 2)
    elsewhere = GroupRates.from_confusion_matrices(counts, classes=[0, 1], setting=there)
    assert elsewhere.setting == there
    assert np.array_equal(elsewhere.matrix, RATES.matrix[::-1, ::-1, ::-1])


@pytest.mark.parametrize(
    "metrics",
    [
        confusion_matrix,
        {"confusion_matrix": confusion_matrix, "accuracy": accuracy_score},
        {"accuracy": accuracy_score, "counts": confusion_matrix},
    ],
)
def test_a_frame_with_confusion_matrices_gives_the_same(metrics: Any) -> None:
    assert GroupRates.from_metric_frame(frame(metrics), classes=[0, 1]) == RATES


@pytest.mark.parametrize("other", [false_positive_rate, true_negative_rate])
def test_a_frame_of_rates_gives_the_same_but_for_counts(other: Any) -> None:
    metrics = {one.__name__: one for one in (false_negative_rate, other, count)}
    rates = GroupRates.from_metric_frame(frame(metrics), classes=[0, 1], setting=RATES.setting)
    assert np.allclose(rates.matrix, RATES.matrix, rtol=0, atol=1e-15)
    assert rates.setting == RATES.setting
    assert rates.counts is None
    with pytest.raises(EvenhandError, match=r"does not hold the prevalence: give setting=Setting.from_labels"):
        GroupRates.from_metric_frame(frame(metrics), classes=[0, 1])


def test_several_sensitive_features_are_intersections() -> None:
    features = pd.DataFrame({"sex": SEX, "age": AGE})
    rates = GroupRates.from_metric_frame(frame(confusion_matrix, features), classes=[0, 1])
    assert rates == group_rates(TRUE, PREDICTED, sensitive_features=features)


@pytest.mark.parametrize("metrics", [confusion_matrix, {"counts": confusion_matrix, "accuracy": accuracy_score}])
def test_a_combination_of_features_that_nobody_has_is_no_group(metrics: Any) -> None:
    features = pd.DataFrame({"sex": SEX, "age": np.where(SEX == "men", "old", AGE)})
    rates = GroupRates.from_metric_frame(frame(metrics, features), classes=[0, 1])
    assert rates == group_rates(TRUE, PREDICTED, sensitive_features=features)
    assert rates.setting.groups == ("men & old", "women & old", "women & young")


@pytest.mark.filterwarnings("ignore:A single label was found")
def test_a_group_without_anybody_of_a_class_says_how_to_count_it() -> None:
    alone = MetricFrame(
        metrics=confusion_matrix, y_true=TRUE * (SEX == "men"), y_pred=TRUE * (SEX == "men"), sensitive_features=SEX
    )
    with pytest.raises(EvenhandError, match=r"of group 'women' has shape \(1, 1\).* takes the classes as labels"):
        GroupRates.from_metric_frame(alone, classes=[0, 1])


@pytest.mark.parametrize(
    ("matrices", "message"),
    [
        ({"men": [[1, 2], [3, 4]], "women": [[1, 2, 3]] * 3}, r"of group 'women' has shape \(3, 3\)"),
        ({"men": [[1, 2], [3, 4]], "women": [[1, -2], [3, 4]]}, "of group 'women' must hold counts"),
        ({"men": [[1, 2], [3, 4]], "women": [[1, 2], [0, 0]]}, "group 'women' has no people of true class 1"),
        ({"men": [[0.1, 0.9], [0.5, 0.5]], "women": [[0.2, 0.8], [0.5, 0.5]]}, "give counts, without normalize"),
        ({"men": [[1, 2], [3, 4]]}, "at least two groups"),
        ([[[1, 2], [3, 4]]] * 2, "must be a mapping"),
    ],
)
def test_what_is_not_a_confusion_matrix_of_each_group_is_refused(matrices: Any, message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        GroupRates.from_confusion_matrices(matrices, classes=[0, 1])


def test_a_frame_without_what_is_needed_is_refused() -> None:
    with pytest.raises(EvenhandError, match="has no confusion matrix"):
        GroupRates.from_metric_frame(frame(accuracy_score), classes=[0, 1])
    with pytest.raises(EvenhandError, match="cannot be read from the metrics 'accuracy'"):
        GroupRates.from_metric_frame(frame({"accuracy": accuracy_score}), classes=[0, 1])
    with pytest.raises(EvenhandError, match="must be a MetricFrame"):
        GroupRates.from_metric_frame("frame", classes=[0, 1])
