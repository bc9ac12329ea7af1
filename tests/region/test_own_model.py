"""What the user has is within reach: the rates of their own model, measured on labels, but for chance."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from tests.region.made_up import measured_on_labels, people

from evenhand import EvenhandError, FeasibleRegion, GroupRates, group_rates
from evenhand.experiments import datasets
from evenhand.region import OutOfReachError

LOGISTIC = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))
BALANCED = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500, class_weight="balanced"))
TREE = DecisionTreeClassifier(max_depth=6, random_state=0)


def measured(estimator: Any, X: Any, y: NDArray[Any], group: NDArray[Any]) -> Iterator[GroupRates]:
    """Return the rates of the same pipeline, cross-validated on the same rows: as it is, and with other thresholds."""
    folds = StratifiedKFold(5, shuffle=True, random_state=500_000)
    chances = cross_val_predict(estimator, X, y, cv=folds, method="predict_proba")
    classes = np.unique(y)
    for costs in (np.ones(classes.size), *np.where(np.eye(classes.size), 0.5, 1.0)):
        yield group_rates(y, classes[(costs * chances).argmax(axis=1)], sensitive_features=group)


@pytest.mark.raw_files
@pytest.mark.parametrize("name", datasets.NAMES)
@pytest.mark.parametrize("estimator", [LOGISTIC, BALANCED, TREE], ids=["logistic", "balanced", "tree"])
def test_what_you_have_is_within_reach_but_for_chance(data: Path, name: str, estimator: Any) -> None:
    X, y, group = map(np.asarray, datasets.load(name, data))
    region = FeasibleRegion.from_estimator(estimator, X, y, group)
    for rates in measured(estimator, X, y, group):
        found = region.contains(rates)
        assert found.by_chance, (found.distance, found.standard_errors)


def scores_right_on_the_whole(n: int = 8000) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return scores of two classes that are right for everybody together, and wrong in each of the two groups."""
    rng = np.random.default_rng(0)
    group = np.arange(n) % 2
    p = rng.uniform(0.1, 0.9, n)
    steeper = np.where(group == 1, p**3 / (p**3 + (1 - p) ** 3), 2 * p - p**3 / (p**3 + (1 - p) ** 3))
    y = (rng.random(n) < np.clip(steeper, 0.02, 0.98)).astype(int)
    return np.column_stack([1 - p, p]), y, group


def test_scores_that_are_right_on_the_whole_put_a_model_out_of_reach_and_calibration_within_groups_does_not() -> None:
    scores, y, group = scores_right_on_the_whole()
    everybody = FeasibleRegion.from_scores(scores, y, sensitive_features=np.zeros(y.size, int))
    assert not everybody.warnings
    given = FeasibleRegion.from_scores(scores, y, sensitive_features=group)
    mine = group_rates(y, scores.argmax(axis=1), sensitive_features=group)
    with pytest.raises(OutOfReachError, match=r"standard errors of rates measured on so many people\. The nearest"):
        given.classifier_for(mine)
    assert not given.contains(mine).by_chance
    assert any("not calibrated in group" in warning and "calibrate=True" in warning for warning in given.warnings)
    calibrated = FeasibleRegion.from_scores(scores, y, sensitive_features=group, calibrate=True)
    assert calibrated.contains(mine).by_chance
    assert calibrated.warnings == ()
    assert [one.how for one in calibrated.calibration] == ["isotonic", "isotonic"]


@pytest.mark.parametrize(
    ("people_of_a_group", "how"), [(800, "isotonic"), (120, "logistic"), (24, "logistic, of all groups")]
)
def test_how_a_group_is_calibrated_goes_by_its_people(people_of_a_group: int, how: str) -> None:
    chances, y, _ = people(2, 1, 2000, 3)
    group = np.where(np.arange(y.size) < people_of_a_group, "few", "others")
    region = FeasibleRegion.from_scores(chances, y, sensitive_features=group, calibrate=True)
    few, others = region.calibration
    assert (few.group, few.how, few.people) == ("few", how, people_of_a_group)
    assert others.how == "isotonic"


@pytest.mark.parametrize("classes", [2, 3])
def test_right_probabilities_are_as_far_off_as_chance_puts_them(classes: int) -> None:
    errors, chance = [], []
    for seed in range(40):
        scores, y, group = people(classes, 2, 600, seed)
        for one in FeasibleRegion.from_scores(scores, y, sensitive_features=group).calibration:
            assert (one.how, one.off) == ("as given", False)
            errors.append(one.error)
            chance.append(one.by_chance)
    assert np.mean(errors) == pytest.approx(np.mean(chance), rel=0.05)


def test_wrong_probabilities_are_off_by_as_much_as_they_are_wrong() -> None:
    rng = np.random.default_rng(1)
    p = rng.uniform(0.3, 0.7, 40_000)
    y = (rng.random(p.size) < np.where(p > 0.5, p + 0.1, p - 0.1)).astype(int)
    region = FeasibleRegion.from_scores(np.column_stack([1 - p, p]), y, sensitive_features=np.zeros(p.size, int))
    (one,) = region.calibration
    assert one.off
    assert one.error == pytest.approx(0.1, abs=0.01)
    assert "off on average" in region.warnings[0]


@pytest.mark.parametrize(("classes", "draws"), [(2, 150), (3, 50)])
def test_at_most_one_in_a_hundred_samples_from_the_border_seems_out_of_reach(classes: int, draws: int) -> None:
    """An exact binomial limit: more than so many of a level of 1 % has a probability below one in a thousand."""
    outside, far, total = 0, 0, 0
    for seed in (1, 2):
        chances, _, group = people(classes, 2, 600, seed)
        region = FeasibleRegion.from_scores(chances, sensitive_features=group)
        for cost in (0.25, 1.0):
            costs = np.where(np.arange(classes) == 0, cost, 1.0)
            decided = (costs * chances).argmax(axis=1)  # least costs: an extreme point of each group's region
            for rates in measured_on_labels(chances, group, decided, draws=draws, seed=seed):
                found = region.contains(rates)
                outside += not found.inside
                far += not found.by_chance
                total += 1
    assert outside > total / 2
    assert far <= binom.isf(0.001, total, 0.01)


def test_rates_without_numbers_of_people_have_no_standard_errors() -> None:
    chances, _, group = people(2, 2, 200, 0)
    found = FeasibleRegion.from_scores(chances, sensitive_features=group).contains([0.0, 0.0])
    assert found.standard_errors is None
    assert not found.by_chance


def test_calibration_needs_true_classes() -> None:
    with pytest.raises(EvenhandError, match="give y_true, or leave out calibrate"):
        FeasibleRegion.from_scores([[0.5, 0.5]], sensitive_features=["a"], calibrate=True)
    scores = [[0.5, 0.5]] * 40
    with pytest.raises(EvenhandError, match="group 'a' has no signal: the scores give everybody in it the same score"):
        FeasibleRegion.from_scores(scores, [0, 1] * 20, sensitive_features=["a"] * 40, calibrate=True)
