"""The support function: the rates farthest in a direction."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.region.made_up import people, rates_on, region, unit

from evenhand import EvenhandError, FeasibleRegion
from evenhand.rates import off_diagonal


@given(st.integers(2, 5), st.integers(1, 3), st.integers(0, 10_000))
def test_no_classifier_lies_farther_in_a_direction_than_the_support(classes: int, groups: int, seed: int) -> None:
    chances, _, group = people(classes, groups, 60, seed)
    rng = np.random.default_rng(seed)
    directions = unit(rng, 4, classes * (classes - 1))
    farthest = FeasibleRegion.from_scores(chances, sensitive_features=group).support(directions)
    assert farthest.shape == (4, groups, classes * (classes - 1))
    highest = np.einsum("nq,ngq->ng", directions, farthest)
    for _ in range(5):
        decided = rng.dirichlet(np.full(classes, 0.1), size=60)
        other = rates_on(chances, group, decided) @ directions.T
        assert (highest + 1e-9 >= other.T).all()


@given(st.integers(0, 10_000))
def test_the_support_is_that_of_all_classifiers_there_are(seed: int) -> None:
    rng = np.random.default_rng(seed)
    chances, weight = rng.dirichlet(np.ones(3), size=5), rng.uniform(0.2, 3, size=5)
    made_up = FeasibleRegion.from_scores(chances, sensitive_features=["all"] * 5, sample_weight=weight)
    shares = chances * weight[:, None] / (weight @ chances)
    every = np.eye(3)[np.array(list(product(range(3), repeat=5)))]
    rates = off_diagonal(np.einsum("xi,cxj->cij", shares, every))
    directions = unit(rng, 20, 6)
    farthest = np.einsum("nq,ngq->n", directions, made_up.support(directions))
    assert farthest == pytest.approx((rates @ directions.T).max(axis=0))


def test_the_support_is_what_the_definition_says() -> None:
    chances, _, group = people(3, 1, 50, 0)
    direction = unit(np.random.default_rng(1), 6)
    costs = np.zeros((3, 3))
    costs[~np.eye(3, dtype=bool)] = direction
    gain = (chances / chances.sum(axis=0)) @ costs
    found = FeasibleRegion.from_scores(chances, sensitive_features=group).support(direction)
    assert (found @ direction).item() == pytest.approx(gain.max(axis=1).sum())


def test_weights_count_like_repeated_people() -> None:
    chances, _, group = people(3, 2, 40, 3)
    times = np.random.default_rng(0).integers(1, 4, size=40)
    weighted = FeasibleRegion.from_scores(chances, sensitive_features=group, sample_weight=times)
    repeated = FeasibleRegion.from_scores(np.repeat(chances, times, axis=0), sensitive_features=np.repeat(group, times))
    directions = unit(np.random.default_rng(1), 20, 6)
    assert np.allclose(weighted.support(directions), repeated.support(directions))
    assert np.allclose(weighted.setting.prevalence, repeated.setting.prevalence)


def test_a_perfect_score_reaches_every_rate() -> None:
    perfect = FeasibleRegion.from_scores(np.eye(3)[[0, 1, 2, 0, 1, 2]], sensitive_features=[1, 1, 1, 2, 2, 2])
    assert np.allclose(perfect.support(-np.ones(6)), 0)
    assert perfect.sphere().radius == pytest.approx(1 / (3 * np.sqrt(2)), rel=1e-3)


def test_labels_name_the_classes_and_say_who_is_in_the_groups() -> None:
    chances, y, group = people(2, 2, 200, 1)
    named = FeasibleRegion.from_scores(chances, np.array(["no", "yes"])[y], sensitive_features=group)
    assert named.setting.classes == ("no", "yes")
    assert named.setting.prevalence[0, 1] == pytest.approx(((group == 0) & (y == 1)).sum() / (y == 1).sum())
    assert not named.warnings


def test_probabilities_that_contradict_the_labels_give_a_warning() -> None:
    chances, y, group = people(2, 2, 2000, 1)
    doubted = FeasibleRegion.from_scores(chances[:, ::-1], y, sensitive_features=group)
    assert any("not calibrated" in warning for warning in doubted.warnings)


@pytest.mark.parametrize("bad", [np.ones(5), [[np.nan] * 6], "up"], ids=["short", "nan", "text"])
def test_directions_that_are_none_are_refused(bad: object) -> None:
    with pytest.raises(EvenhandError, match="directions"):
        region(3, 2, 60).support(bad)  # type: ignore[arg-type]
