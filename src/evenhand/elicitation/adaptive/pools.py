"""Where pairs of profiles come from that are worth asking about: a sphere, or realistic models of a region.

A good question divides the posterior in halves, and its two profiles differ as much as possible. From the sphere such
pairs are constructed: two contrasts (a step in some mistakes, a gap at some cut) are set against each other, in the
proportion in which one particle finds them equal.

From a region, pairs are realistic models, which people judge better. A pair is worth asking about if a particle finds
both about equally good although they differ much: of some pairs drawn at random, the most balanced one is taken.

A pool only proposes: the utility of every pair is computed exactly, whatever the family of metrics.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.inference.beliefs import Beliefs
from evenhand.elicitation.inference.features import Models, Pairs
from evenhand.elicitation.profiles import gap, independent_cuts, within
from evenhand.elicitation.thresholds import QUESTIONS
from evenhand.errors import EvenhandError
from evenhand.rates import Setting
from evenhand.rates.ties import ROUNDING, comparable
from evenhand.region import FeasibleRegion, Sphere
from evenhand.region.realistic import realistic_people, realistic_profiles
from evenhand.typing import Floats


class PairPool(Protocol):
    """Where pairs come from."""

    def draw(self, beliefs: Beliefs, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Draw n pairs of profiles, each (n, m, q)."""
        ...


class SpherePool:
    """Draws pairs of profiles of the sphere that divide the posterior."""

    def __init__(self, sphere: Sphere, setting: Setting) -> None:
        self._sphere, self._setting = sphere, setting
        self._sides = np.array(independent_cuts(len(setting.groups)), dtype=np.float64)

    def draw(self, beliefs: Beliefs, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Draw n pairs of profiles, each (n, m, q)."""
        chosen = rng.choice(beliefs.size, size=n, p=beliefs.probability)
        plus, minus = self._contrasts(n, rng)
        other_plus, other_minus = self._contrasts(n, rng)
        value, other_value = (
            self._value(beliefs, chosen, *moves) for moves in ((plus, minus), (other_plus, other_minus))
        )
        total = np.maximum(value + other_value, 1e-12)
        here, there = (other_value / total)[:, None, None], (value / total)[:, None, None]
        first = here * plus + there * other_minus
        second = here * minus + there * other_plus
        same = np.abs(first - second).max(axis=(1, 2)) < ROUNDING  # a contrast against itself
        first[same], second[same] = plus[same], minus[same]
        return within(self._sphere, first, second)

    def _contrasts(self, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Draw pairs of moves (n, m, q), the first of which costs more: everybody alike, or groups apart at a cut."""
        tau = self._setting.tau
        direction = _directions(n, tau.shape[-1], rng)
        cut = rng.integers(len(self._sides), size=n)
        alike = np.broadcast_to(direction[:, None, :], (n, *tau.shape))
        apart = gap(tau, self._sides[cut], direction)
        step = (rng.random(n) < 0.5)[:, None, None]
        return np.where(step, alike, apart), np.where(step, -alike, 0.0)

    def _value(self, beliefs: Beliefs, chosen: NDArray[np.intp], plus: Floats, minus: Floats) -> Floats:
        """Return what each first move (n, m, q) costs more than the second, to one particle each.

        For gaps the costs are linear in the moves. In other families they are those of moves as far as the sphere goes.
        """
        low, high = (self._sphere.center + self._sphere.radius * moves for moves in (minus, plus))
        value = beliefs.own_costs(Pairs.between(low, high, self._setting), chosen) / self._sphere.radius
        return np.maximum(value, 0.0)


def _directions(n: int, q: int, rng: np.random.Generator) -> Floats:
    """Draw single coordinates for one half, and mixtures of some of them for the other."""
    single = np.eye(q)[rng.integers(q, size=n)]
    mixed = rng.random((n, q)) * (rng.random((n, q)) < 0.5)
    use = (rng.random((n, 1)) < 0.5) | ~mixed.any(axis=1, keepdims=True)
    direction = np.where(use, single, mixed)
    return np.asarray(direction / np.linalg.norm(direction, axis=1, keepdims=True))


class RegionPool:
    """Draws pairs of realistic profiles that divide the posterior."""

    def __init__(self, region: FeasibleRegion, setting: Setting, out_of: int | None) -> None:
        self.profiles = realistic_profiles(region) if out_of is None else realistic_people(region, out_of)
        if len(self.profiles) < 2:
            raise EvenhandError(
                f"out_of is {out_of}: rounded to so few people, no two realistic models are within reach of all "
                "groups. Take more, or leave it out"
            )
        self._models = Models(self.profiles, setting)

    def draw(self, beliefs: Beliefs, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Draw n pairs of profiles, each (n, m, q)."""
        chosen = rng.choice(beliefs.size, size=n, p=beliefs.probability)
        one = rng.integers(len(self.profiles), size=n)
        rivals = rng.integers(len(self.profiles), size=(n, QUESTIONS.rivals))
        balance = beliefs.imbalance(Pairs(self._models, one[:, None], rivals), chosen)
        best = comparable(balance).argmin(axis=1)
        return self.profiles[one], self.profiles[rivals[np.arange(n), best]]
