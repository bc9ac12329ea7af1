"""Proposals that a sample makes: whatever it looks like, the chain that takes them up keeps to its distribution."""

from __future__ import annotations

from collections.abc import Callable
from math import fsum

import numpy as np
import pytest

from evenhand.elicitation.inference.proposals import Fitted, _rounded, differential_evolution
from evenhand.typing import Floats

Propose = Callable[[Floats, np.random.Generator], tuple[Floats, Floats]]


def _log_density(points: Floats) -> Floats:
    """Return the density of an exponential and a normal number, the second of which follows the first."""
    first, second = points.T
    return np.where(first > 0, -first - 0.5 * (second - first) ** 2, -np.inf)


def _draw(n: int, rng: np.random.Generator) -> Floats:
    first = rng.exponential(size=n)
    return np.stack([first, rng.normal(first, 1)], axis=1)


def _poorly_fitted(points: Floats) -> Fitted:
    return Fitted.to(0.7 * points + 0.2, np.full(len(points), 1 / len(points)))


@pytest.mark.parametrize("kind", ["autoregressive", "differential evolution"])
def test_a_chain_keeps_to_its_distribution(kind: str) -> None:
    rng = np.random.default_rng(0)
    points = _draw(20_000, rng)
    # A fit that is somewhat wrong, so that the correction matters.
    propose: Propose = _poorly_fitted(points).autoregressive if kind == "autoregressive" else differential_evolution
    density, moved = _log_density(points), 0.0
    for _ in range(30):
        there, log_hastings = propose(points, rng)
        there_density = _log_density(there)
        accepted = np.log(rng.random(len(points))) < there_density - density + log_hastings
        points, density = np.where(accepted[:, None], there, points), np.where(accepted, there_density, density)
        moved += accepted.mean()
    assert moved > 3
    assert points.mean(axis=0) == pytest.approx([1, 1], abs=0.05)
    assert np.cov(points.T) == pytest.approx(np.array([[1, 1], [1, 2]]), abs=0.1)
    assert np.quantile(points[:, 0], [0.05, 0.5, 0.95]) == pytest.approx(-np.log([0.95, 0.5, 0.05]), abs=0.08)


def test_a_sample_that_hangs_on_one_particle_still_proposes_all_around() -> None:
    rng = np.random.default_rng(0)
    sample = rng.standard_normal((50, 8))
    fitted = Fitted.to(sample, np.eye(50)[7])
    there, _ = fitted.autoregressive(np.repeat(sample[7:8], 4000, axis=0), rng)
    assert (there.std(axis=0) > 0.3).all()


def test_coordinates_of_its_own_are_standard_normal() -> None:
    """To the five digits that are kept, so that it is the same on every processor."""
    rng = np.random.default_rng(0)
    sample = rng.multivariate_normal([1, -2], [[2, 1.2], [1.2, 1]], size=5000)
    own = Fitted.to(sample, np.full(5000, 1 / 5000)).coordinates(sample)
    assert own.mean(axis=0) == pytest.approx(0, abs=1e-4)
    assert np.cov(own.T) == pytest.approx(np.eye(2), abs=1e-3)


def test_what_is_proposed_is_added_up_exactly_in_whichever_order() -> None:
    rng = np.random.default_rng(0)
    sample = rng.standard_normal((400, 30)) @ np.diag(np.logspace(-4, 1, 30))
    spread = Fitted.to(sample, np.full(400, 1 / 400)).spread
    drawn = _rounded(rng.standard_normal((50, 30)))
    exactly = [[fsum(one * row) for row in spread] for one in drawn]
    assert (drawn @ spread.T).tolist() == exactly


def test_a_sample_flat_in_one_direction_is_still_spread() -> None:
    rng = np.random.default_rng(0)
    sample = np.repeat(rng.standard_normal((4000, 1)), 2, axis=1)
    fitted = Fitted.to(sample, np.full(4000, 1 / 4000))
    assert (np.diagonal(fitted.spread) > 0).all()
    assert np.isfinite(fitted.inverse).all()
