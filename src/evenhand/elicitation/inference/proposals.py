"""Where else to look: proposals made from a sample of what is looked for.

Each comes with how favoured it is (n,): the log of how much likelier it is to be proposed from here than here from it,
which a Markov chain needs to know in order to leave its distribution in place.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evenhand.elicitation.thresholds import SAMPLER
from evenhand.typing import Floats


@dataclass(frozen=True, eq=False)
class Fitted:
    """A normal distribution in d dimensions: its mean (d,), a triangle (d, d) for its spread, and the inverse of that.

    In coordinates of its own it is standard normal.
    """

    mean: Floats
    spread: Floats
    narrowing: Floats

    @classmethod
    def to(cls, sample: Floats, weight: Floats) -> Fitted:
        """Fit to a weighted sample (n, d) of something that was standard normal before any answer.

        The fewer particles there are for each dimension, the more is left as it was then.
        """
        d = sample.shape[1]
        trusted = 1 / (1 + (d * (weight @ weight)) ** SAMPLER.trust_exponent)
        mean = weight @ sample
        centred = (sample - mean) * np.sqrt(weight)[:, None]
        covariance = trusted * (centred.T @ centred) + (1 - trusted) * np.eye(d)
        spread = np.linalg.cholesky(covariance)
        # About five digits of the largest number of each row: the last ones are the processor's, and none needs more.
        step = np.ldexp(1.0, np.frexp(np.abs(spread).max(axis=1))[1] - SAMPLER.fit_bits)
        spread = np.rint(spread / step[:, None]) * step[:, None]
        np.fill_diagonal(spread, np.maximum(np.diagonal(spread), step))
        return cls(np.rint(mean / step) * step, spread, np.asarray(np.linalg.inv(spread), dtype=np.float64))

    def coordinates(self, points: Floats) -> Floats:
        """Return points (n, d) in coordinates of its own."""
        return np.asarray((points - self.mean) @ self.narrowing.T)

    def near(self, points: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Propose points (n, d) nearer to or farther from these, up to new ones altogether.

        Where the sample is nearly normal, and it is as long as few answers are known, most are good.
        """
        step = rng.choice(SAMPLER.autoregressive_steps, size=(len(points), 1))
        kept = np.sqrt(1 - step**2)
        drawn = _in_steps(rng.standard_normal(points.shape))
        here = self.coordinates(points)
        there = kept * here + step * drawn
        favoured = 0.5 * (np.einsum("nd,nd->n", here, here) - np.einsum("nd,nd->n", there, there))
        # The point at `there`, without the detour by way of coordinates, whose last digits are the processor's.
        return self.mean + kept * (points - self.mean) + step * (drawn @ self.spread.T), favoured


def _in_steps(values: Floats) -> Floats:
    return np.asarray(np.rint(values * 2.0**SAMPLER.draw_bits) / 2.0**SAMPLER.draw_bits)


def between(points: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Propose points (n, d) that lie as two others lie to each other: they fit however narrow the sample is.

    The others are of the other half of the sample, so that no point has a say in its own proposal.
    """
    n, d = points.shape
    half = n // 2
    others = points[np.where(np.arange(n) < half, half, 0) + rng.integers(half, size=(2, n))]
    # Some proposals change all coordinates, others a few: small blocks are accepted where large ones are not.
    moved = rng.random((n, d)) < rng.choice(SAMPLER.moved_shares, size=(n, 1))
    length = SAMPLER.step_length / np.sqrt(2 * np.maximum(moved.sum(axis=1, keepdims=True), 1))
    length = length * _in_steps(np.exp(rng.normal(*SAMPLER.log_step, size=(n, 1))))
    jitter = rng.uniform(-SAMPLER.jitter, SAMPLER.jitter, size=(n, d))
    return points + moved * (length * (others[0] - others[1]) + jitter), np.zeros(n)
