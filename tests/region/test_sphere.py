"""The common sphere: all of its points are rates, and the half of it above the centre is where λ is asked."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand import EvenhandError, GroupRates, Setting
from evenhand.rates import uniform_rates
from evenhand.region import Sphere, common_sphere, largest_radius

classes = st.integers(2, 6)
seeds = st.integers(0, 2**32 - 1)


def directions(k: int, seed: int, n: int = 20) -> Any:
    """Draw unit vectors, and the ones in which the mistakes on one class grow or shrink together."""
    q = k * k - k
    drawn = np.random.default_rng(seed).normal(size=(n, q))
    rows = np.repeat(np.eye(k), k - 1, axis=1)
    every = np.concatenate([drawn, rows, -rows, np.eye(q), -np.eye(q), np.ones((1, q))])
    return every / np.linalg.norm(every, axis=1, keepdims=True)


@given(classes, seeds)
def test_every_point_of_the_largest_sphere_is_a_rate(k: int, seed: int) -> None:
    setting = Setting.random(k, 2, 0)
    for point in common_sphere(k, largest_radius(k)).at(directions(k, seed)):
        rates = GroupRates.from_vector(setting, [point, uniform_rates(k)])
        assert rates.vector[0] == pytest.approx(point)


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6])
def test_beyond_the_largest_radius_some_point_is_not_a_rate(k: int) -> None:
    sphere = Sphere(uniform_rates(k), largest_radius(k) * 1.001)
    setting = Setting.random(k, 2, 0)
    row = np.repeat(np.eye(k), k - 1, axis=1)[0] / np.sqrt(k - 1)  # all mistakes on the first class
    with pytest.raises(EvenhandError, match="rates lie between 0 and 1"):
        GroupRates.from_vector(setting, np.tile(sphere.at(row), (2, 1)))


def test_the_papers_radius_is_the_default_where_it_fits() -> None:
    assert [common_sphere(k).radius for k in (2, 3)] == [0.2, 0.2]
    for k in (4, 5, 6):
        assert common_sphere(k).radius == largest_radius(k) < 0.2
    assert [round(largest_radius(k), 3) for k in (2, 3, 4, 5)] == [0.5, 0.236, 0.144, 0.1]


@given(classes, seeds)
def test_the_sphere_above_the_centre_is_inside_and_above(k: int, seed: int) -> None:
    sphere = common_sphere(k)
    above = sphere.above_center()
    points = above.at(directions(k, seed))
    assert (points >= sphere.center - 1e-12).all()
    assert (np.linalg.norm(points - sphere.center, axis=1) <= sphere.radius * (1 + 1e-12)).all()


@pytest.mark.parametrize("k", [2, 3, 4])
def test_no_larger_sphere_above_the_centre_would_be_inside(k: int) -> None:
    sphere, above = common_sphere(k), common_sphere(k).above_center()
    farthest = above.at(np.ones(above.dimension) / np.sqrt(above.dimension))
    assert np.linalg.norm(farthest - sphere.center) == pytest.approx(sphere.radius)
    assert above.at(-np.eye(above.dimension)[0])[0] == pytest.approx(sphere.center[0])


@given(classes, seeds)
def test_a_linear_function_is_highest_where_the_sphere_says(k: int, seed: int) -> None:
    """Lemma 2."""
    sphere = common_sphere(k)
    slopes = np.random.default_rng(seed).normal(size=(3, sphere.dimension))
    highest = sphere.highest(slopes)
    points = sphere.at(directions(k, seed))
    for slope, point in zip(slopes, highest, strict=True):
        assert np.linalg.norm(point - sphere.center) == pytest.approx(sphere.radius)
        assert slope @ point >= (points @ slope).max() - 1e-12


def test_a_flat_function_is_highest_at_the_centre_too() -> None:
    sphere = common_sphere(3)
    assert np.array_equal(sphere.highest(np.zeros(6)), sphere.center)


@pytest.mark.parametrize("radius", [0, -0.1, np.nan, np.inf, "0.1", True, [0.1], 0.1j])
def test_a_radius_is_positive_and_finite(radius: Any) -> None:
    with pytest.raises(EvenhandError, match="radius must be positive and finite"):
        common_sphere(2, radius)
    with pytest.raises(EvenhandError, match="radius must be positive and finite"):
        Sphere(uniform_rates(2), radius)


@pytest.mark.parametrize(("k", "radius"), [(2, 0.51), (3, 0.24), (4, 0.2), (5, 0.2)])
def test_a_radius_beyond_the_rates_is_refused(k: int, radius: float) -> None:
    with pytest.raises(EvenhandError, match=f"with {k} classes a sphere of radius {radius}"):
        common_sphere(k, radius)


@pytest.mark.parametrize("k", [1, 0, -1, 2.5, None, "2"])
def test_a_sphere_is_about_at_least_two_classes(k: Any) -> None:
    for make in (common_sphere, largest_radius):
        with pytest.raises(EvenhandError, match="classes must be a whole number of at least 2"):
            make(k)
