"""The spheres: Algorithm 3, the certified ball, and the Lemma that ties them."""

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linprog
from tests.region.made_up import people, rates_on, region, unit

from evenhand import EvenhandError, FeasibleRegion
from evenhand.rates import off_diagonal
from evenhand.region import Sphere, common_sphere, largest_radius

CASES = [(2, 2, 0), (2, 3, 1), (3, 1, 2), (3, 2, 3)]


def both(made_up: FeasibleRegion) -> tuple[Sphere, Sphere]:
    axes, certified = made_up.sphere("axes"), made_up.sphere("certified")
    classes = len(made_up.setting.classes)
    assert certified.upper is not None
    assert axes.upper is not None
    assert axes.radius <= certified.radius <= min(certified.upper, axes.upper)
    assert certified.upper <= axes.upper + 1e-6
    assert axes.radius >= certified.upper / classes * (1 - 1e-6)  # Appendix B: ρ ≥ s̃ / k
    assert certified.radius <= largest_radius(classes) + 1e-9
    assert np.allclose(certified.center, 1 / classes)
    return axes, certified


def test_the_certified_sphere_is_clearly_larger_than_algorithm_3s_and_the_lemma_holds() -> None:
    gains = []
    for classes, groups, seed in CASES:
        axes, certified = both(region(classes, groups, 200, seed))
        gains.append(certified.radius / axes.radius)
    assert np.mean(gains) > 1.2


def test_with_four_classes_the_certificate_is_by_predicted_class() -> None:
    chances, _, group = people(4, 1, 120, 4)
    made_up = FeasibleRegion.from_scores(chances, sensitive_features=group)
    axes, certified = both(made_up)
    assert certified.radius > 1.3 * axes.radius
    assert certified.upper is not None
    assert certified.radius > 0.85 * certified.upper
    check_that_each_is_a_classifier(made_up, chances, group, points=30)


@given(st.floats(-3, 0), st.integers(0, 10_000))
@example(-3.3, 33)  # where the hull of corners alone holds a smaller ball
@settings(max_examples=20)
def test_with_little_signal_the_certified_sphere_is_no_smaller_either(magnitude: float, seed: int) -> None:
    odds = np.exp(10**magnitude * np.random.default_rng(seed).normal(size=60))
    both(FeasibleRegion.from_scores(np.column_stack([1 / (1 + odds), odds / (1 + odds)]), sensitive_features=[0] * 60))


@given(st.integers(2, 3), st.integers(0, 10_000))
@settings(max_examples=6)
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


def check_that_each_is_a_classifier(
    made_up: FeasibleRegion, chances: NDArray[np.float64], group: NDArray[Any], *, points: int
) -> None:
    """Containment by independent means: the decisions of a classifier for each point, counted by definition."""
    sphere = made_up.sphere()
    directions = unit(np.random.default_rng(0), points, *made_up.setting.tau.shape)
    for profile in sphere.at(directions):
        decided = made_up.classifier_for(profile).predict_proba(chances, group)
        assert np.abs(rates_on(chances, group, decided) - profile).max() < 1e-6


@pytest.mark.parametrize(("classes", "points"), [(2, 1000), (3, 1000)])
def test_every_point_of_the_certified_sphere_is_a_classifier(classes: int, points: int) -> None:
    chances, _, group = people(classes, 1, 150, 7)
    made_up = FeasibleRegion.from_scores(chances, sensitive_features=group)
    check_that_each_is_a_classifier(made_up, chances, group, points=points)


@pytest.mark.parametrize("classes", [2, 3, 4, 5])
def test_where_everybody_is_known_all_rates_are_within_reach(classes: int) -> None:
    perfect = FeasibleRegion.from_scores(np.eye(classes), sensitive_features=[0] * classes)
    _, sphere = both(perfect)
    assert sphere.upper == pytest.approx(largest_radius(classes), rel=1e-3)
    assert sphere.radius <= largest_radius(classes) + 1e-9
    assert sphere.radius >= 0.6 * largest_radius(classes)
    rng = np.random.default_rng(classes)
    for rates in rng.dirichlet(np.ones(classes), size=(20, classes)):
        assert perfect.contains(off_diagonal(rates)[None])


@pytest.mark.parametrize("classes", [2, 3, 4, 5])
def test_the_sphere_above_o_is_the_largest_such_one_within_the_sphere(classes: int) -> None:
    """S⁺ touches S_ρ from within, and every coordinate of o from above; any larger one would leave either."""
    sphere = common_sphere(classes)
    above = sphere.above_center()
    farthest = above.center + above.radius / np.sqrt(sphere.dimension)  # from o, in the direction 1
    assert np.linalg.norm(farthest - sphere.center) == pytest.approx(sphere.radius)
    assert above.center - above.radius == pytest.approx(sphere.center)


def test_methods_have_names() -> None:
    with pytest.raises(EvenhandError, match="method must be one of 'axes', 'certified', but received 'best'"):
        region(2, 2, 60).sphere("best")  # type: ignore[arg-type]


def rates_of_decisions(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the matrix (q, n·k) that turns everybody's decisions into rates, by definition."""
    classes = chances.shape[1]
    shares = chances / chances.sum(axis=0)  # P(person | class)
    rate = np.einsum("xi,jl->ijxl", shares, np.eye(classes)).reshape(classes, classes, -1)
    return np.asarray(rate[~np.eye(classes, dtype=bool)])


def few_people(classes: int, seed: int, n: int = 8) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    return np.asarray(rng.dirichlet(np.full(classes, 0.6), size=n) * 0.95 + 0.05 / classes)


def reach_by_linear_programming(chances: NDArray[np.float64], direction: NDArray[np.float64]) -> float:
    """OP1 with none of our own algorithms: how far from o, in a direction, somebody's decisions have these rates."""
    n, classes = chances.shape
    rate = rates_of_decisions(chances)
    everybody = np.kron(np.eye(n), np.ones(classes))
    decided = linprog(
        [*np.zeros(n * classes), -1.0],
        A_eq=np.vstack([np.column_stack([rate, -direction]), np.column_stack([everybody, np.zeros(n)])]),
        b_eq=[*np.full(len(rate), 1 / classes), *np.ones(n)],
        bounds=[(0, 1)] * (n * classes) + [(0, None)],
    )
    assert decided.x is not None, decided.message
    return float(decided.x[-1])


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_every_axis_is_reached_equally_far_both_ways(classes: int) -> None:
    """Swapping two predictions turns a classifier at o + ℓe into one at o − ℓe."""
    chances = few_people(classes, classes)
    for axis in np.eye(classes * (classes - 1)):
        there, back = (reach_by_linear_programming(chances, sign * axis) for sign in (1, -1))
        assert there == pytest.approx(back, abs=1e-9)


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_algorithm_3_returns_the_largest_ball_in_the_hull_of_what_all_groups_reach_on_the_axes(classes: int) -> None:
    """Its proof needs less: a ball of radius min ℓ / √q. The algorithm asks for the largest one."""
    groups = [few_people(classes, seed) for seed in (10 + classes, 20 + classes)]
    axes = np.eye(classes * (classes - 1))
    lengths = np.array([min(reach_by_linear_programming(chances, axis) for chances in groups) for axis in axes])
    made_up = FeasibleRegion.from_scores(np.concatenate(groups), sensitive_features=["one"] * 8 + ["two"] * 8)
    sphere = made_up.sphere("axes")
    assert sphere.radius == pytest.approx(np.sum(lengths**-2) ** -0.5, abs=1e-6)
    assert sphere.upper == pytest.approx(lengths.min(), abs=1e-6)
    assert sphere.radius > 1.005 * lengths.min() / np.sqrt(len(axes))


@pytest.mark.parametrize(("classes", "points"), [(2, 50), (3, 50), (4, 10)])
def test_the_sphere_is_within_reach_by_linear_programming(classes: int, points: int) -> None:
    """Containment with none of our own algorithms: is there a decision for everybody that has these rates?"""
    chances = few_people(classes, classes)
    n = len(chances)
    rng = np.random.default_rng(classes)
    made_up = FeasibleRegion.from_scores(chances, sensitive_features=["all"] * n)
    rate = rates_of_decisions(chances)
    everybody = np.kron(np.eye(n), np.ones(classes))
    for point in made_up.sphere().at(unit(rng, points, len(rate))):
        decided = linprog(
            np.zeros(n * classes), A_eq=np.vstack([rate, everybody]), b_eq=[*point, *np.ones(n)], bounds=(0, 1)
        )
        assert decided.status == 0, decided.message
