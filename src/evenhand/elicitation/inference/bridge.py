"""The integral of a density over a box, from particles of it: bridge sampling (Meng & Wong 1996).

Sequential Monte Carlo estimates it on the way, with an error that each resampling adds to. Here particles of the
density p are compared with draws of a normalised density q that is close to it. With p̃ the unnormalised density, Z its
integral, and h any function,

    Z = E_q[p̃ h] / E_p[q h],

and the h for which the error is least is 1 / (p̃ / Z + q) for as many draws of either: Z stands on both sides, and is
found by iteration. q is made of one half of the particles and compared with the other half, and the other way about. It
is half a normal distribution, which does better where there are many dimensions, and half a density estimate with
normal kernels (Silverman 1986), which does better where there are several modes.

One shape of kernel needs coordinates in which the density has much the same shape everywhere. Answers fix ratios of
weights, so the first numbers, which weights are proportional to, are taken by logarithms: a fixed ratio is then a fixed
difference. (A constant is added to them first, or numbers close to 0 would be far from all others.) The rest are taken
as quantiles of a normal distribution.

References
----------
X.-L. Meng, W. H. Wong (1996): Simulating ratios of normalizing constants via a simple identity: a theoretical
exploration. Statistica Sinica 6, 831–860.

B. W. Silverman (1986): Density Estimation for Statistics and Data Analysis. Chapman & Hall, section 4.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, log, pi

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.inference.walk import Box, LogDensity
from evenhand.elicitation.thresholds import SAMPLER
from evenhand.typing import Floats


def log_integral(
    points: Floats, log_density: LogDensity, box: Box, proportional: int, rng: np.random.Generator
) -> float | None:
    """Return the log of the integral of a density over a box, from points (n, d) of it; None if they are too few.

    To the first `proportional` of the d numbers the weights are proportional.
    """
    if len(points) < 2 * SAMPLER.points_per_number * points.shape[1]:
        return None
    coordinates = _Coordinates(box, proportional)
    order = rng.permutation(len(points))
    halves = order[: len(points) // 2], order[len(points) // 2 :]
    estimates = []
    for fitted, compared in (halves, halves[::-1]):
        estimate = _Estimate.of(coordinates.of(points[fitted]), rng)
        there = coordinates.of(points[compared])
        drawn = estimate.draw(len(there), rng)
        inside = coordinates.inside(drawn)
        at_points = log_density(points[compared]) + coordinates.log_volume(there) - estimate.log_density(there)
        at_draws = np.full(len(drawn), -np.inf)
        if inside.any():
            at_draws[inside] = log_density(coordinates.points(drawn[inside])) + coordinates.log_volume(drawn[inside])
            at_draws[inside] -= estimate.log_density(drawn[inside])
        estimates.append(_bridged(at_points, at_draws))
    return float(_log_sum(np.array(estimates)) - log(len(estimates))) if all(map(isfinite, estimates)) else None


def _bridged(at_points: Floats, at_draws: Floats) -> float:
    """Return log Z from log p̃ − log q at particles of p (n,) and at draws of q (n,)."""
    if not np.isfinite(at_draws).any():
        return -np.inf
    estimate = float(np.median(at_points))
    for _ in range(SAMPLER.bridge_iterations):
        before = estimate
        of_draws = _log_sum(at_draws - np.logaddexp(at_draws, before))
        of_points = _log_sum(-np.logaddexp(at_points, before))
        estimate = float(of_draws - of_points)
        if not abs(estimate - before) > SAMPLER.bridge_precision:
            break
    return estimate


def _log_sum(logs: Floats) -> Floats:
    """Return log Σ exp (…,) along the last axis, where some number is finite; SciPy's costs ten times as much."""
    most = logs.max(axis=-1, keepdims=True)
    return np.asarray(np.log(np.exp(logs - most).sum(axis=-1)) + most[..., 0])


@dataclass(frozen=True, eq=False)
class _Coordinates:
    """The coordinates y in which a density on a box is estimated, and the volume du / dy."""

    box: Box
    proportional: int

    def of(self, points: Floats) -> Floats:
        # SciPy is imported on first use, since its import is slow.
        from scipy.special import ndtri  # noqa: PLC0415

        share = np.clip((points - self.box.low) / self._sides, SAMPLER.edge, 1 - SAMPLER.edge)
        first, others = self._parts(share)
        return np.concatenate([np.log(first + SAMPLER.bridge_offset), ndtri(others)], axis=1)

    def points(self, y: Floats) -> Floats:
        from scipy.special import ndtr  # noqa: PLC0415

        first, others = self._parts(y)
        share = np.concatenate([np.exp(first) - SAMPLER.bridge_offset, ndtr(others)], axis=1)
        return self.box.within(self.box.low + self._sides * share)

    def inside(self, y: Floats) -> NDArray[np.bool_]:
        """Return which (n,) of the places (n, d) are in the box."""
        first, _ = self._parts(y)
        ends = np.log([SAMPLER.bridge_offset, 1 + SAMPLER.bridge_offset])
        return np.asarray(((first > ends[0]) & (first < ends[1])).all(axis=1))

    def log_volume(self, y: Floats) -> Floats:
        """Return log |du / dy| (n,)."""
        first, others = self._parts(y)
        normal = -0.5 * (np.square(others) + log(2 * pi))
        return np.asarray(first.sum(axis=1) + normal.sum(axis=1) + np.log(self._sides).sum())

    @property
    def _sides(self) -> Floats:
        return self.box.high - self.box.low

    def _parts(self, values: Floats) -> tuple[Floats, Floats]:
        return values[:, : self.proportional], values[:, self.proportional :]


@dataclass(frozen=True, eq=False)
class _Kernels:
    """Equal normal kernels around some centres (n, d), with this factor L of their covariance LLᵀ."""

    centers: Floats
    factor: Floats

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        chosen = self.centers[rng.integers(len(self.centers), size=n)]
        return np.asarray(chosen + rng.standard_normal(chosen.shape) @ self.factor.T)

    def log_density(self, points: Floats) -> Floats:
        whiten = np.linalg.inv(self.factor).T
        at, around = points @ whiten, self.centers @ whiten
        apart = np.square(at).sum(axis=1)[:, None] + np.square(around).sum(axis=1) - 2 * at @ around.T
        scale = np.log(np.diag(self.factor)).sum() + 0.5 * points.shape[1] * log(2 * pi) + log(len(around))
        return np.asarray(_log_sum(-0.5 * apart) - scale)


@dataclass(frozen=True, eq=False)
class _Estimate:
    """The estimate of a density: half of it one normal distribution, half of it many narrower kernels."""

    one: _Kernels
    many: _Kernels

    @classmethod
    def of(cls, points: Floats, rng: np.random.Generator) -> _Estimate:
        """Return the estimate from points (n, d), with kernels as wide as Silverman's rule says."""
        d = points.shape[1]
        centers = points[rng.permutation(len(points))[: SAMPLER.kernels]]
        width = (len(centers) * (d + 2) / 4) ** (-1 / (d + 4))
        spread = np.cov(points, rowvar=False) + SAMPLER.least_spread * np.eye(d)
        factor = np.linalg.cholesky(np.asarray(spread, dtype=np.float64))
        return cls(_Kernels(points.mean(axis=0, keepdims=True), factor), _Kernels(centers, width * factor))

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw points (n, d)."""
        of_one = n // 2
        return np.concatenate([self.one.draw(of_one, rng), self.many.draw(n - of_one, rng)])

    def log_density(self, points: Floats) -> Floats:
        """Return the log density (n,) at points (n, d)."""
        return np.asarray(np.logaddexp(self.one.log_density(points), self.many.log_density(points)) - log(2))
