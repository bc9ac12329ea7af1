"""Slice sampling within a box: whatever the density looks like, the walk keeps to it."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.elicitation.inference.walk import Box, Ensemble, LogDensity, walk
from evenhand.typing import Floats

SQUARE = Box.of([(0.0, 1.0), (0.0, 1.0)])


def _walk(start: Floats, log_density: LogDensity, box: Box, sweeps: int, rng: np.random.Generator) -> Floats:
    (walked,) = walk([Ensemble(start, box)], log_density, sweeps, rng)
    return walked


def _log_density(points: Floats) -> Floats:
    """Return the density of an exponential number, in units of 0.1, and a normal one that follows it; a hard wall."""
    first, second = 10 * points.T
    return np.where(second < 6, -first - 0.5 * (second - first - 2) ** 2, -np.inf)


def _draw(n: int, rng: np.random.Generator) -> Floats:
    first = rng.exponential(size=4 * n)
    second = rng.normal(first + 2, 1)
    inside = (first < 10) & (second > 0) & (second < 6)
    return np.stack([first, second], axis=1)[inside][:n] / 10


def test_a_walk_keeps_to_its_distribution() -> None:
    rng = np.random.default_rng(0)
    start = _draw(20_000, rng)
    walked = _walk(start, _log_density, SQUARE, 30, rng)
    assert (walked != start).all(axis=1).mean() > 0.99
    assert abs(np.corrcoef(walked[:, 0], start[:, 0])[0, 1]) < 0.1, "forgotten where they came from"
    assert walked.mean(axis=0) == pytest.approx(start.mean(axis=0), abs=0.004)
    assert np.cov(walked.T) == pytest.approx(np.cov(start.T), abs=0.0006)
    levels = [0.02, 0.2, 0.5, 0.8, 0.98]
    assert np.quantile(walked, levels, axis=0) == pytest.approx(np.quantile(start, levels, axis=0), abs=0.02)


def test_walkers_that_start_at_one_point_spread_over_the_distribution() -> None:
    rng = np.random.default_rng(1)
    walked = _walk(np.full((4000, 2), 0.3), _log_density, SQUARE, 100, rng)
    exact = _draw(20_000, rng)
    assert walked.std(axis=0) == pytest.approx(exact.std(axis=0), rel=0.05)


def test_walkers_fill_a_box_where_all_is_equally_likely_and_stay_inside() -> None:
    box = Box.of([(0.2, 0.3), (0.0, 1.0)])
    walked = _walk(np.full((4000, 2), 0.25), lambda points: np.zeros(len(points)), box, 30, np.random.default_rng(2))
    assert box.hold(walked).all()
    levels: Floats = np.array([0.1, 0.5, 0.9])
    assert np.quantile(walked[:, 0], levels) == pytest.approx(0.2 + 0.1 * levels, abs=0.002)
    assert np.quantile(walked[:, 1], levels) == pytest.approx(levels, abs=0.02)


def test_the_last_digits_of_a_density_change_no_point() -> None:
    """They differ from processor to processor."""
    start = _draw(400, np.random.default_rng(3))

    def elsewhere(points: Floats) -> Floats:
        return np.asarray(_log_density(points) * (1 + 3e-16) + 1e-15)

    one, other = (_walk(start, density, SQUARE, 30, np.random.default_rng(4)) for density in (_log_density, elsewhere))
    assert one.tolist() == other.tolist()


def test_nobody_moves_where_there_is_nowhere_to_go() -> None:
    start: Floats = np.full((10, 2), 0.5)

    def point(points: Floats) -> Floats:
        return np.where((points == 0.5).all(axis=1), 0.0, -np.inf)

    assert _walk(start, point, SQUARE, 5, np.random.default_rng(5)).tolist() == start.tolist()


def test_a_line_along_an_edge_has_the_length_of_the_box() -> None:
    box = Box(np.array([0.0, 0.0]), np.array([1.0, 1.0]))
    points = np.array([[0.25, 0.0], [0.25, 1.0], [0.25, 0.5], [1.0, 0.5]])
    directions = np.array([[1.0, 0.0], [1.0, -0.0], [1.0, 0.0], [0.0, -0.5]])
    least, most = box.chords(points, directions)
    assert least == pytest.approx([-0.25, -0.25, -0.25, -1.0])
    assert most == pytest.approx([0.75, 0.75, 0.75, 1.0])
