"""Regions from scikit-learn's classifiers: cross-fitted, so that over-fitting does not flatter them."""

from typing import Any

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import BaseEstimator
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from tests.region.made_up import people

from evenhand import EvenhandError, FeasibleRegion


def features(classes: int, n: int, seed: int) -> tuple[Any, Any, Any]:
    chances, y, group = people(classes, 2, n, seed)
    X = np.column_stack([np.log(np.clip(chances[:, :-1], 1e-9, 1)), group])
    return X, y, group


@pytest.mark.parametrize("classes", [2, 3])
def test_the_region_comes_near_the_true_one(classes: int) -> None:
    chances, y, group = people(classes, 2, 3000, 1)
    X = np.column_stack([np.log(chances + 1e-9), group])
    found = FeasibleRegion.from_estimator(LogisticRegression(max_iter=2000), X, y, group)
    true = FeasibleRegion.from_scores(chances, sensitive_features=group)
    assert found.sphere().radius == pytest.approx(true.sphere().radius, rel=0.25)
    assert found.setting.classes == tuple(range(classes))


def test_a_model_that_learns_by_heart_is_not_believed() -> None:
    rng = np.random.default_rng(0)
    X, y, group = rng.normal(size=(600, 5)), rng.integers(2, size=600), np.arange(600) % 2
    tree = DecisionTreeClassifier(random_state=0)
    by_heart = tree.fit(X, y).predict_proba(X)
    flattered = FeasibleRegion.from_scores(np.clip(by_heart, 0.001, 0.999), sensitive_features=group)
    assert flattered.sphere().radius > 0.45
    assert FeasibleRegion.from_estimator(tree, X, y, group).sphere().radius < 0.1


@pytest.mark.parametrize("routing", [False, True], ids=["by name", "routed"])
@pytest.mark.parametrize(
    "estimator",
    [LogisticRegression(), make_pipeline(StandardScaler(), LogisticRegression())],
    ids=["model", "pipeline"],
)
def test_weights_and_names_are_passed_on(estimator: BaseEstimator, routing: bool) -> None:
    X, y, group = features(2, 400, 2)
    names = np.array(["no", "yes"])[y]
    weight = np.random.default_rng(0).uniform(0.5, 2, size=400)
    with config_context(enable_metadata_routing=routing):
        found = FeasibleRegion.from_estimator(estimator, X, names, group, sample_weight=weight, folds=3)
    assert found.setting.classes == ("no", "yes")
    assert found.sphere().radius > 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"estimator": object()}, "estimator must be a scikit-learn classifier with fit"),
        ({"estimator": LogisticRegression}, "estimator must be a scikit-learn classifier with fit"),
        ({"estimator": DummyClassifier()}, "group 0 has no signal: the estimator gives everybody in it the same score"),
        ({"estimator": KNeighborsClassifier(), "sample_weight": np.ones(60)}, "cannot be fitted with weights"),
        ({"X": None}, "X must have a row of features for each person, but received None"),
        ({"random_state": -1}, "random_state must be a whole number"),
        ({"folds": 1}, "folds must be a whole number of at least 2"),
        ({"y": [0] * 60}, "single class 0"),
        ({"X": np.zeros((59, 2))}, "X has 59 rows, but y has 60"),
        ({"y": [0] * 57 + [1] * 3}, "class 1 has 3 people, too few for 5 folds|no people of true class"),
    ],
    ids=["estimator", "type", "constant", "weights", "no rows", "seed", "folds", "class", "rows", "few"],
)
def test_what_cannot_be_fitted_is_refused(options: dict[str, Any], message: str) -> None:
    X, y, group = features(2, 60, 0)
    given = {"estimator": LogisticRegression(), "X": X, "y": y, "sensitive_features": group, **options}
    with pytest.raises(EvenhandError, match=message):
        FeasibleRegion.from_estimator(**given)
