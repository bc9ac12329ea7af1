"""The spheres: Algorithm 3, the certified ball, and the Lemma that ties them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand import EvenhandError, FeasibleRegion
from evenhand.region import largest_radius
from tests.region.made_up import people, rates_on, region, unit

CASES = [(2, 2, 0), (2, 3, 1), (3, 1, 2), (3, 2, 3), (4, 1, 4)]


@pytest.mark.parametrize(("classes", "groups", "seed"), CASES)
def test_the_certified_sphere_is_larger_than_algorithm_3s_and_the_lemma_holds(
    classes: int, groups: int, seed: int
) -> None:
    made_up = region(classes, groups, 300, seed)
    axes, certified = made_up.sphere("axes"), made_up.sphere("certified")
    assert certified.upper is not None
    assert axes.upper is not None
    assert axes.radius <= certified.radius <= certified.upper <= axes.upper + 1e-6
    assert axes.radius >= certified.upper / classes * (1 - 1e-6)  # Appendix B: ρ ≥ s̃ / k
    assert certified.radius <= largest_radius(classes) + 1e-9
    assert np.allclose(certified.center, 1 / classes)


def test_the_certified_sphere_is_clearly_larger_on_average() -> None:
    gains = []
    for classes, groups, seed in CASES:
        made_up = region(classes, groups, 300, seed)
        gains.append(made_up.sphere("certified").radius / made_up.sphere("axes").radius)
    assert np.mean(gains) > 1.15


@given(st.integers(2, 3), st.integers(0, 10_000))
@settings(max_examples=15)
def test_the_bounds_meet_for_two_and_three_classes(classes: int, seed: int) -> None:
    sphere = region(classes, 2, 120, seed).sphere()
    assert sphere.upper is not None
    assert sphere.radius >= (1 - 2e-3) * sphere.upper


@given(st.floats(0.05, 1.0), st.floats(0.05, 1.0))
@settings(max_examples=30)
def test_the_radius_of_two_kinds_of_people_is_known(first: float, second: float) -> None:
    """Two people with scores s and 1 − s: the region is a parallelogram whose height is elementary geometry."""
    chances = np.array([[(1 + first) / 2, (1 - first) / 2], [(1 - second) / 2, (1 + second) / 2]])
    a = chances / chances.sum(axis=0)  # P(person | class)
    sides = a * [1, -1]
    height = abs(sides[0, 0] * sides[1, 1] - sides[0, 1] * sides[1, 0]) / np.linalg.norm(sides, axis=1).max()
    sphere = FeasibleRegion.from_scores(chances, sensitive_features=["one", "one"]).sphere()
    assert sphere.radius == pytest.approx(height / 2, rel=1e-6)


@pytest.mark.parametrize(("classes", "points"), [(2, 600), (3, 400), (4, 40)])
def test_every_point_of_the_certified_sphere_is_a_classifier(classes: int, points: int) -> None:
    """Containment by independent means: the decisions of a classifier for each point, counted by definition."""
    chances, _, group = people(classes, 2, 200, 7)
    made_up = FeasibleRegion.from_scores(chances, sensitive_features=group)
    sphere = made_up.sphere()
    rng = np.random.default_rng(0)
    for profile in sphere.at(unit(rng, points, 2, classes * (classes - 1))):
        decided = made_up.classifier_for(profile).predict_proba(chances, group)
        assert np.abs(rates_on(chances, group, decided) - profile).max() < 1e-6


def test_the_sphere_is_known_for_any_number_of_classes() -> None:
    """With probability 1 − u everybody's class is known, and with u nothing is: all rates shrink towards e by u."""
    classes, unknown = 5, 0.4
    chances = np.vstack([np.eye(classes) for _ in range(3)] + [np.full((5, classes), 1 / classes)] * 2)
    weight = np.r_[np.full(15, (1 - unknown) / 15), np.full(10, unknown / 10)]
    made_up = FeasibleRegion.from_scores(chances, sensitive_features=[0] * 25, sample_weight=weight)
    sphere = made_up.sphere()
    known = (1 - unknown) * largest_radius(classes)
    assert sphere.upper is not None
    assert sphere.radius <= known * (1 + 1e-9) + 1e-9 or sphere.upper >= known
    assert made_up.sphere("axes").radius >= known / classes


def test_methods_have_names() -> None:
    with pytest.raises(EvenhandError, match="method must be one of 'axes', 'certified', but received 'best'"):
        region(2, 2, 60).sphere("best")
