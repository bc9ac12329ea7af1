"""Questions worth considering: pairs of profiles from a sphere, or of realistic models of a region.

A good question is one that about half of the sample answers each way, with a difference as large as possible. From
the sphere such pairs are made, not searched for: two kinds of cost are set against each other (a step in some
mistakes, a gap at some cut), in the proportion in which one particle of the sample finds them equal.

From a region, pairs are realistic models, which people judge better. A pair is worth asking about if a particle of the
sample finds both about equally good, though they differ much: of some pairs drawn at random, the one nearest to that.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from evenhand.elicitation.inference.posterior import Posterior
from evenhand.elicitation.profiles import gap, independent_cuts, within
from evenhand.elicitation.thresholds import QUESTIONS
from evenhand.errors import EvenhandError
from evenhand.metric.families import Family
from evenhand.rates import Setting
from evenhand.rates.ties import ROUNDING, comparable
from evenhand.region import FeasibleRegion, Sphere
from evenhand.region.realistic import realistic_people, realistic_profiles
from evenhand.typing import Floats


class PairPool(Protocol):
    """Where pairs come from."""

    def draw(self, posterior: Posterior, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Draw n pairs of profiles, each (n, m, q)."""


class SpherePool:
    """Draws pairs of profiles of the sphere that divide a posterior sample."""

    def __init__(self, sphere: Sphere, setting: Setting, family: Family) -> None:
        self._sphere, self._setting, self._family = sphere, setting, family
        self._sides = np.array(independent_cuts(len(setting.groups)), dtype=np.float64)

    def draw(self, posterior: Posterior, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Draw n pairs of profiles, each (n, m, q)."""
        chosen = rng.choice(posterior.size, size=n, p=posterior.probability)
        prices = posterior.prices[chosen]
        plus, minus, value = self._contrasts(prices, rng)
        other_plus, other_minus, other_value = self._contrasts(prices, rng)
        total = np.maximum(value + other_value, 1e-12)
        here, there = (other_value / total)[:, None, None], (value / total)[:, None, None]
        first = here * plus + there * other_minus
        second = here * minus + there * other_plus
        same = np.abs(first - second).max(axis=(1, 2)) < 1e-9  # a contrast against itself
        first[same], second[same] = plus[same], minus[same]
        return within(self._sphere, first, second)

    def _contrasts(self, prices: Floats, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
        """Draw two sets of moves (n, m, q) and what the first costs more than the second, to each particle.

        For gaps the costs are linear in the moves. In other families they are those of moves as far as the sphere goes.
        """
        n, q = len(prices), self._sphere.dimension
        tau = self._setting.tau
        direction = _directions(n, q, rng)
        cut = rng.integers(len(self._sides), size=n)
        alike = np.broadcast_to(direction[:, None, :], (n, *tau.shape))
        apart = gap(tau, self._sides[cut], direction)
        step = (rng.random(n) < 0.5)[:, None, None]
        plus, minus = np.where(step, alike, apart), np.where(step, -alike, 0.0)
        first, second = (
            self._family.features(self._sphere.center + self._sphere.radius * moves, self._setting)
            for moves in (plus, minus)
        )
        value = np.einsum("nd,nd->n", prices, first - second) / self._sphere.radius
        return plus, minus, np.maximum(value, 0.0)


def _directions(n: int, q: int, rng: np.random.Generator) -> Floats:
    """Draw single coordinates for one half, and mixtures of some of them for the other."""
    single = np.eye(q)[rng.integers(q, size=n)]
    mixed = rng.random((n, q)) * (rng.random((n, q)) < 0.5)
    use = (rng.random((n, 1)) < 0.5) | ~mixed.any(axis=1, keepdims=True)
    direction = np.where(use, single, mixed)
    return np.asarray(direction / np.linalg.norm(direction, axis=1, keepdims=True))


class RegionPool:
    """Draws pairs of realistic profiles that divide a posterior sample."""

    def __init__(self, region: FeasibleRegion, setting: Setting, family: Family, out_of: int | None) -> None:
        self.profiles = realistic_profiles(region) if out_of is None else realistic_people(region, out_of)
        if len(self.profiles) < 2:
            raise EvenhandError(
                f"out_of is {out_of}: rounded to so few people, no two realistic models are within reach of all "
                "groups. Take more, or leave it out"
            )
        self._features = family.features(self.profiles, setting)

    def draw(self, posterior: Posterior, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Draw n pairs of profiles, each (n, m, q)."""
        costs = posterior.prices[rng.choice(posterior.size, size=n, p=posterior.probability)]
        one = rng.integers(len(self.profiles), size=n)
        rivals = rng.integers(len(self.profiles), size=(n, QUESTIONS.rivals))
        stakes = costs[:, None] * (self._features[rivals] - self._features[one][:, None])
        size = np.abs(stakes).sum(axis=-1)
        balance = np.abs(stakes.sum(axis=-1)) / np.where(size > 0, size, 1.0)
        chosen = comparable(np.where(size > ROUNDING, balance, np.inf)).argmin(axis=1)
        return self.profiles[one], self.profiles[rivals[np.arange(n), chosen]]
