"""Proposals for Metropolis–Hastings that the sample makes itself: autoregressive, and by differential evolution.

Each proposal of points x′ from x comes with log q(x | x′) − log q(x′ | x), the Hastings correction, which is added to
the logarithm of the ratio of densities before the proposal is accepted or rejected.

References
----------
R. M. Neal (1998): Regression and classification using Gaussian process priors. Bayesian Statistics 6, 475–501.

C. J. F. ter Braak (2006): A Markov chain Monte Carlo version of the genetic algorithm Differential Evolution: easy
Bayesian computing for real parameter spaces. Statistics and Computing 16, 239–249.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evenhand.elicitation.thresholds import SAMPLER
from evenhand.typing import Floats


@dataclass(frozen=True, eq=False)
class Fitted:
    """A normal distribution N(μ, LLᵀ) in d dimensions: its mean μ (d,), the triangle L (d, d), and the inverse of L."""

    mean: Floats
    spread: Floats
    inverse: Floats

    @classmethod
    def to(cls, sample: Floats, probability: Floats) -> Fitted:
        """Fit to a weighted sample (n, d) of something that was standard normal before any answer.

        The covariance is shrunk towards that of the prior, Σ = w·S + (1 − w)·I with w = 1 / (1 + (d / n_eff)⁴).
        """
        d = sample.shape[1]
        trusted = 1 / (1 + (d * (probability @ probability)) ** SAMPLER.trust_exponent)
        mean = probability @ sample
        centred = (sample - mean) * np.sqrt(probability)[:, None]
        covariance = trusted * (centred.T @ centred) + (1 - trusted) * np.eye(d)
        spread = np.linalg.cholesky(covariance)
        # About five digits of the largest number of each row: the last ones are the processor's, and none needs more.
        step = np.ldexp(1.0, np.frexp(np.abs(spread).max(axis=1))[1] - SAMPLER.fit_bits)
        spread = np.rint(spread / step[:, None]) * step[:, None]
        np.fill_diagonal(spread, np.maximum(np.diagonal(spread), step))
        return cls(np.rint(mean / step) * step, spread, np.asarray(np.linalg.inv(spread), dtype=np.float64))

    def coordinates(self, points: Floats) -> Floats:
        """Return L⁻¹(x − μ) of points x (n, d): standard normal if they have this distribution."""
        return np.asarray((points - self.mean) @ self.inverse.T)

    def autoregressive(self, points: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Propose x′ = μ + √(1 − h²)·(x − μ) + h·Lξ with ξ ~ N(0, I) (Neal 1998); h = 1 is an independence proposal.

        It leaves the fitted normal distribution in place, so that most proposals are accepted while the posterior is
        nearly normal.
        """
        step = rng.choice(SAMPLER.autoregressive_steps, size=(len(points), 1))
        kept = np.sqrt(1 - step**2)
        drawn = _rounded(rng.standard_normal(points.shape))
        here = self.coordinates(points)
        there = kept * here + step * drawn
        log_hastings = 0.5 * (np.einsum("nd,nd->n", there, there) - np.einsum("nd,nd->n", here, here))
        # The point at `there`, without the detour by way of coordinates, whose last digits are the processor's.
        return self.mean + kept * (points - self.mean) + step * (drawn @ self.spread.T), log_hastings


def differential_evolution(points: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Propose x′ = x + γ(x₁ − x₂) + e (ter Braak 2006): the step adapts to the posterior's width and direction.

    x₁ and x₂ are of the other half of the sample, so that a point has no part in its own proposal; e is small and
    uniform. Only some coordinates change, d of them, and γ is about 2.38 / √(2d).
    """
    n, d = points.shape
    half = n // 2
    others = points[np.where(np.arange(n) < half, half, 0) + rng.integers(half, size=(2, n))]
    moved = rng.random((n, d)) < rng.choice(SAMPLER.moved_shares, size=(n, 1))
    length = SAMPLER.step_length / np.sqrt(2 * np.maximum(moved.sum(axis=1, keepdims=True), 1))
    length = length * _rounded(np.exp(rng.normal(*SAMPLER.log_step, size=(n, 1))))
    jitter = rng.uniform(-SAMPLER.jitter, SAMPLER.jitter, size=(n, d))
    return points + moved * (length * (others[0] - others[1]) + jitter), np.zeros(n)


def _rounded(values: Floats) -> Floats:
    return np.asarray(np.rint(values * 2.0**SAMPLER.draw_bits) / 2.0**SAMPLER.draw_bits)
