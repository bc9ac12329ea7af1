"""A metric scores predictions inside scikit-learn, with the groups of the people they are about."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.feature_selection import RFECV, SequentialFeatureSelector
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV, RidgeClassifierCV
from sklearn.model_selection import (
    GridSearchCV,
    LearningCurveDisplay,
    RandomizedSearchCV,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    ValidationCurveDisplay,
    cross_val_score,
    cross_validate,
    learning_curve,
    permutation_test_score,
    validation_curve,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from evenhand import EvenhandError, FairMetric, Setting, group_rates, metrics

CLASSES, GROUPS = ("no", "yes"), ("men", "women")
METRIC = FairMetric.random(Setting(CLASSES, GROUPS, [[0.5, 0.5]] * 2), 0)


@pytest.fixture
def routing() -> Iterator[None]:
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def sample(rows: int = 240) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 3))
    groups = np.array(GROUPS)[(rng.random(rows) < 0.4).astype(int)]
    y = np.array(CLASSES)[(X[:, 0] + (groups == "men") + rng.normal(size=rows) > 0).astype(int)]
    return X, y, groups


@given(st.integers(2, 4), st.integers(2, 3), st.integers(0, 100))
def test_the_score_is_minus_the_cost_in_the_samples_own_prevalence(k: int, m: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    metric = FairMetric.random(Setting.random(k, m, rng), rng)
    cells = np.stack(np.meshgrid(metric.setting.classes, metric.setting.groups)).reshape(2, -1)
    true, group = cells[:, rng.permutation(np.arange(8 * k * m) % (k * m))]
    predicted, weight = rng.choice(metric.setting.classes, true.size), rng.random(true.size) + 0.1
    score = metric.score(true, predicted, sensitive_features=group, sample_weight=weight)
    assert score == pytest.approx(
        -metric.cost(group_rates(true, predicted, sensitive_features=group, sample_weight=weight))
    )
    assert metric.score(true, true, sensitive_features=group) == 0
    assert score <= 0


def test_a_metric_for_other_people_says_so() -> None:
    _, y, groups = sample()
    with pytest.raises(EvenhandError, match="y_true has 'maybe' in row 3, but the classes are 'no', 'yes'"):
        METRIC.score(np.where(np.arange(y.size) == 3, "maybe", y), y, sensitive_features=groups)
    with pytest.raises(EvenhandError, match="sensitive_features has 'x' in row 0, but the groups are 'men', 'women'"):
        METRIC.score(y, y, sensitive_features=np.full(y.size, "x"))
    with pytest.raises(EvenhandError, match="group 'women' has no people of true class"):
        METRIC.score(y, y, sensitive_features=np.full(y.size, "men"))
    with pytest.raises(EvenhandError, match="is missing"):
        METRIC.score(y, y, sensitive_features=[None, *groups[1:]])


def in_numpy(X: Any, y: Any, groups: Any) -> tuple[Any, Any, Any]:
    return X, y, groups


def in_pandas(X: Any, y: Any, groups: Any) -> tuple[Any, Any, Any]:
    index = np.arange(len(y))[::-1]
    names = ["a", "b", "c"]
    return pd.DataFrame(X, columns=names, index=index), pd.Series(y, index=index), pd.Series(groups, index=index)


def in_polars(X: Any, y: Any, groups: Any) -> tuple[Any, Any, Any]:
    return pl.DataFrame(X, schema=["a", "b", "c"]), pl.Series(y), pl.Series(groups)


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize("kind", [in_numpy, in_pandas, in_polars])
def test_a_grid_search_picks_what_the_metric_likes_best(kind: Callable[..., Any]) -> None:
    X, y, groups = kind(*sample())
    model = make_pipeline(StandardScaler(), LogisticRegression())
    grid = {"logisticregression__C": [1e-4, 1.0], "logisticregression__class_weight": [None, {"no": 1, "yes": 9}]}
    search = GridSearchCV(model, grid, scoring=METRIC.scorer(), cv=3, error_score="raise")
    search.fit(X, y, sensitive_features=groups)
    by_hand = []
    for parameters in search.cv_results_["params"]:
        scores = []
        numbers, labels, who = sample()
        for train, test in StratifiedKFold(3).split(numbers, labels):
            fitted = sklearn.clone(model).set_params(**parameters).fit(numbers[train], labels[train])
            predicted = fitted.predict(numbers[test])
            scores.append(METRIC.score(labels[test], predicted, sensitive_features=who[test]))
        by_hand.append(np.mean(scores))
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], by_hand)
    assert search.best_score_ == max(by_hand)


@pytest.mark.usefixtures("routing")
def test_it_stands_beside_other_scores_and_runs_on_two_cores() -> None:
    X, y, groups = sample()
    results = {
        jobs: cross_validate(
            LogisticRegression(),
            X,
            y,
            cv=3,
            n_jobs=jobs,
            scoring={"fair": METRIC.scorer(), "accuracy": "accuracy"},
            params={"sensitive_features": groups},
            error_score="raise",
        )
        for jobs in (1, 2)
    }
    for name in ("test_fair", "test_accuracy"):
        np.testing.assert_array_equal(results[1][name], results[2][name])
    assert (results[1]["test_fair"] < 0).all()


class ByGroup(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that needs to know the groups when it predicts."""

    def fit(self, X: Any, y: Any) -> ByGroup:
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any, sensitive_features: Any = None) -> Any:
        if sensitive_features is None:
            raise ValueError("predict was not told the groups")
        return np.where(np.asarray(sensitive_features) == "men", "yes", "no")


@pytest.mark.usefixtures("routing")
def test_groups_reach_predict_if_the_estimator_asks_for_them_even_in_a_pipeline() -> None:
    X, y, groups = sample()
    asking = ByGroup().set_predict_request(sensitive_features=True)
    for model in (asking, make_pipeline(StandardScaler(), asking)):
        scores = cross_validate(
            model, X, y, scoring=METRIC.scorer(), params={"sensitive_features": groups}, error_score="raise", cv=3
        )["test_score"]
        assert np.isfinite(scores).all()
    renamed = ByGroup().set_predict_request(sensitive_features="sex")
    for model in (renamed, make_pipeline(StandardScaler(), renamed)):
        scorer = METRIC.scorer().set_score_request(sensitive_features="sex")
        other = cross_validate(model, X, y, scoring=scorer, params={"sex": groups}, error_score="raise", cv=3)
        np.testing.assert_array_equal(other["test_score"], scores)
    with pytest.raises(ValueError, match="was not told"):
        METRIC.scorer()(ByGroup().fit(X, y), X, y, sensitive_features=groups)


@pytest.mark.usefixtures("routing")
def test_weights_are_routed_where_asked_for() -> None:
    X, y, groups = sample()
    weight = np.where(groups == "men", 3.0, 1.0)
    model = LogisticRegression().set_fit_request(sample_weight=True)
    common: dict[str, Any] = {"params": {"sensitive_features": groups, "sample_weight": weight}, "error_score": "raise"}
    weighted = cross_validate(model, X, y, scoring=METRIC.scorer().set_score_request(sample_weight=True), **common)
    plain = cross_validate(model, X, y, scoring=METRIC.scorer().set_score_request(sample_weight=False), **common)
    assert (weighted["test_score"] != plain["test_score"]).any()
    with pytest.raises(EvenhandError, match="not 'weights'"):
        METRIC.scorer().set_score_request(weights=True)


@pytest.mark.usefixtures("routing")
def test_a_scorer_can_be_sent_to_another_process() -> None:
    X, y, groups = sample()
    model = LogisticRegression().fit(X, y)
    scorer = METRIC.scorer()
    again = pickle.loads(pickle.dumps(scorer))  # noqa: S301
    assert again(model, X, y, sensitive_features=groups) == scorer(model, X, y, sensitive_features=groups)


def test_a_scorer_says_plainly_that_routing_is_off() -> None:
    with pytest.raises(EvenhandError, match=r"metadata routing, which is off: call sklearn\.set_config"):
        METRIC.scorer()


@pytest.mark.usefixtures("routing")
def test_a_scorer_without_groups_says_what_to_do() -> None:
    X, y, _ = sample()
    with pytest.raises(EvenhandError, match="needs sensitive_features"):
        METRIC.scorer()(LogisticRegression().fit(X, y), X, y)


def test_the_cost_of_mistakes_is_that_of_the_overall_rates() -> None:
    _, y, groups = sample()
    predicted = np.roll(y, 1)
    only_mistakes = FairMetric(
        METRIC.setting, misclassification=METRIC.misclassification, violation=METRIC.violation, trade_off=0.0
    )
    cost = METRIC.cost_of_mistakes(y, predicted)
    assert cost == pytest.approx(-only_mistakes.score(y, predicted, sensitive_features=groups))
    with pytest.raises(EvenhandError, match="nobody is of true class 'yes'"):
        METRIC.cost_of_mistakes(["no"] * 3, ["no"] * 3)


def test_the_cost_of_mistakes_counts_a_person_as_often_as_the_weight_says() -> None:
    _, y, _ = sample()
    predicted, weight = np.roll(y, 1), 1 + np.arange(len(y)) % 3
    often = METRIC.cost_of_mistakes(np.repeat(y, weight), np.repeat(predicted, weight))
    assert METRIC.cost_of_mistakes(y, predicted, sample_weight=weight) == pytest.approx(often)
    assert METRIC.cost_of_mistakes(y, predicted) != pytest.approx(often)


@pytest.mark.parametrize(
    ("y_true", "y_pred", "message"),
    [
        (["yes", "maybe"], ["yes", "no"], "y_true has 'maybe' in row 1, but the classes are"),
        (["yes", "no"], ["yes", "maybe"], "y_pred has 'maybe' in row 1, but the classes are"),
        (["yes", "no"], ["yes", "no", "no"], "y_pred has 3 rows"),
    ],
)
def test_the_cost_of_mistakes_is_of_the_metrics_classes_row_by_row(
    y_true: list[str], y_pred: list[str], message: str
) -> None:
    with pytest.raises(EvenhandError, match=message):
        METRIC.cost_of_mistakes(y_true, y_pred)


CONSUMERS: dict[str, Callable[..., Any]] = {
    "random search": lambda X, y, scorer, **groups: (
        RandomizedSearchCV(
            LogisticRegression(), {"C": [0.1, 1.0]}, n_iter=2, cv=3, scoring=scorer, error_score="raise", random_state=0
        )
        .fit(X, y, **groups)
        .best_score_
    ),
    "cross-validation": lambda X, y, scorer, **groups: cross_val_score(
        LogisticRegression(), X, y, scoring=scorer, params=groups, error_score="raise"
    ),
    "threshold tuning": lambda X, y, scorer, **groups: (
        TunedThresholdClassifierCV(LogisticRegression(), cv=3, thresholds=20, scoring=scorer)
        .fit(X, y, **groups)
        .best_score_
    ),
    "learning curve": lambda X, y, scorer, **groups: learning_curve(
        LogisticRegression(), X, y, train_sizes=[0.8], cv=3, scoring=scorer, params=groups, error_score="raise"
    )[2],
    "validation curve": lambda X, y, scorer, **groups: validation_curve(
        LogisticRegression(), X, y, param_name="C", param_range=[0.1], scoring=scorer, params=groups, cv=3
    )[1],
    "permutation test": lambda X, y, scorer, **groups: permutation_test_score(
        LogisticRegression(), X, y, scoring=scorer, params=groups, n_permutations=2, cv=3
    )[0],
    "feature elimination": lambda X, y, scorer, **groups: (
        RFECV(LogisticRegression(), cv=3, scoring=scorer).fit(X, y, **groups).cv_results_["mean_test_score"]
    ),
    "feature selection": lambda X, y, scorer, **groups: (
        SequentialFeatureSelector(LogisticRegression(), n_features_to_select=1, cv=3, scoring=scorer)
        .fit(X, y, **groups)
        .get_support()
        .astype(float)
        - 1
    ),
    "regularisation": lambda X, y, scorer, **groups: (
        LogisticRegressionCV(Cs=2, l1_ratios=(0,), use_legacy_attributes=False, cv=3, scoring=scorer)
        .fit(X, y, **groups)
        .score(X, y, **groups)
    ),
    "ridge": lambda X, y, scorer, **groups: (
        RidgeClassifierCV(alphas=[0.1, 1.0], cv=3, scoring=scorer.set_score_request(sample_weight=True))
        .fit(X, y, **groups)
        .best_score_
    ),
}


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize("consumer", CONSUMERS)
def test_what_takes_a_scorer_and_passes_groups_on_takes_this_one(consumer: str) -> None:
    X, y, groups = sample()
    scores = np.atleast_1d(CONSUMERS[consumer](X, y, METRIC.scorer(), sensitive_features=groups))
    assert (np.isfinite(scores) & (scores <= 0)).all()


@pytest.mark.usefixtures("routing")
def test_the_tuned_threshold_is_the_one_of_least_cost() -> None:
    X, y, groups = sample()
    model = LogisticRegression().fit(X, y)
    tuned = TunedThresholdClassifierCV(model, cv="prefit", refit=False, scoring=METRIC.scorer(), thresholds=50)
    tuned.fit(X, y, sensitive_features=groups)
    chance = model.predict_proba(X)[:, 1]
    scores = [
        METRIC.score(y, np.where(chance >= threshold, "yes", "no"), sensitive_features=groups)
        for threshold in np.linspace(chance.min(), chance.max(), 50)
    ]
    assert tuned.best_score_ == pytest.approx(max(scores))
    assert METRIC.score(y, tuned.predict(X), sensitive_features=groups) == pytest.approx(max(scores))


def test_a_scorer_that_holds_the_groups_needs_nobody_to_pass_them_on() -> None:
    X, y, groups = sample()
    model = LogisticRegression().fit(X, y)
    metric = metrics.cost_sensitive_error(METRIC.setting)
    scorer = metric.scorer(sensitive_features=groups)
    assert scorer(model, X, y) == metric.score(y, model.predict(X), sensitive_features=groups)
    found = permutation_importance(model, X, y, scoring=scorer, n_repeats=3, random_state=0)
    assert found.importances_mean[0] > 0  # the only feature that says anything
    with pytest.raises(EvenhandError, match="holds the groups of 240 people, but is to score 100 of them: what splits"):
        scorer(model, X[:100], y[:100])
    with pytest.raises(EvenhandError, match="holds the groups of 240 people, but is to score 80 of them: what splits"):
        TunedThresholdClassifierCV(model, cv=3, scoring=scorer).fit(X, y)
    with sklearn.config_context(enable_metadata_routing=True):
        asking = ByGroup().set_predict_request(sensitive_features=True).fit(X, y)
    assert scorer(asking, X, y) == metric.score(y, np.where(groups == "men", "yes", "no"), sensitive_features=groups)
    with pytest.raises(EvenhandError, match=r"sensitive_features .*missing"):
        metric.scorer(sensitive_features=[*groups[:-1], None])


@pytest.mark.usefixtures("routing")
def test_a_scorer_whose_groups_nobody_passes_on_says_what_to_do() -> None:
    X, y, _ = sample()
    what_to_do = r"permutation_importance .* metric.scorer\(sensitive_features=…\)"
    with pytest.raises(EvenhandError, match=what_to_do):
        permutation_importance(LogisticRegression().fit(X, y), X, y, scoring=METRIC.scorer())
    with pytest.raises(EvenhandError, match=what_to_do):
        TunedThresholdClassifierCV(LogisticRegression(), cv=3, scoring=METRIC.scorer()).fit(X, y)


@pytest.mark.usefixtures("routing")
def test_the_curves_of_scikit_learn_draw_the_score() -> None:
    X, y, groups = sample()
    given = {"fit_params": {"sensitive_features": groups}, "error_score": "raise", "cv": 3}
    curves = [
        LearningCurveDisplay.from_estimator(
            LogisticRegression(), X, y, train_sizes=[0.5, 0.9], scoring=METRIC.scorer(), **given
        ),
        ValidationCurveDisplay.from_estimator(
            LogisticRegression(), X, y, param_name="C", param_range=[0.1, 1.0], scoring=METRIC.scorer(), **given
        ),
    ]
    for curve in curves:
        assert curve.ax_.get_ylabel() == "Fair score"
        assert (curve.test_scores < 0).all()


TABLES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pandas": pd.DataFrame,
    "Polars": pl.DataFrame,
    "array": lambda columns: np.stack(list(columns.values()), axis=1),
}


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("consumer", ["random search", "threshold tuning", "learning curve", "feature elimination"])
def test_groups_of_several_columns_are_split_as_the_people_are(consumer: str, table: str) -> None:
    X, y, groups = sample(600)
    columns = {"sex": groups, "half": np.where(np.arange(y.size) % 2, "odd", "even")}
    one = np.array([f"{sex} & {half}" for sex, half in zip(*columns.values(), strict=True)])
    metric = FairMetric.random(Setting.from_labels(y, sensitive_features=one), 0)
    run = CONSUMERS[consumer]
    together = np.atleast_1d(run(X, y, metric.scorer(), sensitive_features=TABLES[table](columns)))
    np.testing.assert_array_equal(together, np.atleast_1d(run(X, y, metric.scorer(), sensitive_features=one)))


@pytest.mark.usefixtures("routing")
def test_a_dict_of_groups_which_no_search_splits_is_refused_with_advice() -> None:
    X, y, groups = sample()
    columns = {"sex": groups, "again": groups}
    metric = FairMetric.random(Setting.from_labels(y, sensitive_features=columns), 0)
    assert metric.score(y, y, sensitive_features=columns) == 0
    for consumer in ("random search", "threshold tuning"):
        with pytest.raises(EvenhandError, match="but no dict: where it does, give a data frame"):
            CONSUMERS[consumer](X, y, metric.scorer(), sensitive_features=columns)


def test_a_perfect_score_has_no_sign() -> None:
    _, y, groups = sample()
    assert str(METRIC.score(y, y, sensitive_features=groups)) == "0.0"
