"""The integral of a density from particles of it, where the integral is known."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from evenhand.elicitation.inference.bridge import log_integral
from evenhand.elicitation.inference.walk import Box
from evenhand.typing import Floats

BOX = Box.of([(0.0, 1.0), (0.0, 1.0), (0.3, 1.0)])


def _draws(rng: np.random.Generator, n: int = 2000) -> Floats:
    return np.asarray(BOX.low + (BOX.high - BOX.low) * rng.random((n, 3)))


def test_a_constant_density_has_the_volume_of_the_box() -> None:
    rng = np.random.default_rng(1)
    found = log_integral(_draws(rng), lambda points: np.full(len(points), 2.0), BOX, 2, rng)
    assert found == pytest.approx(2 + log(0.7), abs=0.03)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("ratio", [0.3, 1.7])
def test_a_fixed_ratio_of_two_numbers_is_integrated(seed: int, ratio: float) -> None:
    rng, width = np.random.default_rng(seed), 0.002

    def log_density(points: Floats) -> Floats:
        return np.where(np.abs(points[:, 1] / points[:, 0] - ratio) < width, 0.0, -np.inf)

    # x₁ has the density of a triangle's height between 0 and min(1, 1 / ratio), and so has the integral a closed form.
    most = min(1.0, 1 / ratio)
    drawn = _draws(rng)
    drawn[:, 0] = most * np.sqrt(rng.random(len(drawn)))
    drawn[:, 1] = np.minimum(drawn[:, 0] * (ratio + width * rng.uniform(-1, 1, len(drawn))), 1 - 1e-9)
    found = log_integral(drawn, log_density, BOX, 2, rng)
    assert found == pytest.approx(log(0.7 * width * most**2), abs=0.15)


def test_several_modes_are_integrated() -> None:
    rng, centers = np.random.default_rng(2), np.array([[0.2, 0.2, 0.5], [0.8, 0.3, 0.9], [0.3, 0.9, 0.6]])

    def log_density(points: Floats) -> Floats:
        away = (points[:, None] - centers) / 0.02
        return np.asarray(np.logaddexp.reduce(-0.5 * np.square(away).sum(axis=2), axis=1))

    drawn = BOX.within(centers[rng.integers(3, size=2400)] + 0.02 * rng.standard_normal((2400, 3)))
    found = log_integral(drawn, log_density, BOX, 2, rng)
    assert found == pytest.approx(log(3) + 1.5 * log(2 * np.pi) + 3 * log(0.02), abs=0.1)


def test_where_no_draw_meets_the_density_nothing_is_said() -> None:
    rng = np.random.default_rng(3)
    points = _draws(rng, 40)
    there = {tuple(point) for point in points}

    def log_density(points: Floats) -> Floats:
        return np.array([0.0 if tuple(point) in there else -np.inf for point in points])

    assert log_integral(points, log_density, BOX, 2, rng) is None


def test_too_few_points_say_nothing() -> None:
    rng = np.random.default_rng(4)
    assert log_integral(_draws(rng, 23), lambda points: np.zeros(len(points)), BOX, 2, rng) is None
    assert log_integral(_draws(rng, 24), lambda points: np.zeros(len(points)), BOX, 2, rng) is not None
