"""What one group can reach: the rates of all randomised classifiers of its class probabilities, a convex set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from evenhand.rates import Label, off_diagonal, uniform_rates
from evenhand.region.plug_in import always, decisions, weights_towards
from evenhand.typing import Floats

_FIRST_DIRECTIONS = 16
_STEP = 2.0**-52


class Corners(NamedTuple):
    """Plug-in classifiers with weights (n, k, k), and their rates (n, q) in one group."""

    weights: Floats
    rates: Floats

    def with_more(self, other: Corners) -> Corners:
        """Return these corners and the others."""
        return Corners(np.concatenate([self.weights, other.weights]), np.concatenate([self.rates, other.rates]))

    def take(self, places: Sequence[int]) -> Corners:
        """Return the corners with these indices."""
        return Corners(self.weights[places], self.rates[places])


@dataclass(frozen=True, eq=False)
class GroupRegion:
    """The people of one group: their class probabilities (k, n) and weights (n,)."""

    name: Label
    columns: Floats
    weight: Floats

    @property
    def classes(self) -> int:
        """The number of classes."""
        return len(self.columns)

    @cached_property
    def mass(self) -> Floats:
        """The weighted number of people of each class, expected by their probabilities (k,)."""
        return np.asarray((self.columns * self.weight).sum(axis=1))

    @cached_property
    def _shares(self) -> Floats:
        """Each person's share of each class (n, k): P(x | class), so that each column sums to 1.

        Shares are rounded to multiples of a small step, whose sums are exact in any order of addition: otherwise rates
        would differ in the last digits between processors, and a search would find other corners.
        """
        share = self.columns * self.weight / self.mass[:, None]
        return np.ascontiguousarray((np.rint(share / _STEP) * _STEP).T)

    @cached_property
    def uniform(self) -> Floats:
        """The rates o of the uniform classifier, within reach of every group."""
        return uniform_rates(self.classes)

    def rates_of(self, weights: Floats) -> Floats:
        """Return the rates (n, q) of plug-in classifiers with weights (n, k, k)."""
        shares = self._shares
        matrix = np.zeros((len(weights), self.classes, self.classes))
        for rows, chosen in decisions(self.columns, weights):
            for j, here in enumerate(chosen[:-1]):
                matrix[:, :, j] += here.astype(np.float64) @ shares[rows]
        matrix[:, :, -1] = 1 - matrix[:, :, :-1].sum(axis=2)
        return np.clip(off_diagonal(matrix), 0.0, 1.0)

    def corners(self, directions: Floats) -> Corners:
        """Return the classifiers whose rates lie farthest in each direction (n, q): the support points."""
        weights = weights_towards(directions, self.mass)
        return Corners(weights, self.rates_of(weights))

    @cached_property
    def first_corners(self) -> Corners:
        """The trivial classifiers and the support points of some fixed directions, from which every search starts."""
        q = self.uniform.size
        some = np.random.default_rng(0).normal(size=(_FIRST_DIRECTIONS * q, q))
        trivial = always(self.classes)
        directions = np.concatenate([np.eye(q), -np.eye(q), some])
        return Corners(trivial, self.rates_of(trivial)).with_more(self.corners(directions))
