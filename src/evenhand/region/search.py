"""Is a rate within reach of a group? A mixture of plug-in classifiers that has it, or a direction that separates it.

Wolfe's nearest-point algorithm: a mixture of a few corners comes as near as it can; if it still misses the rate, the
corner farthest in the missing direction is either a step nearer, or the proof that there is none. Corners that were
met before are tried first, since a new one costs a look at everybody in the group.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from evenhand.checks.messages import shown
from evenhand.errors import EvenhandError
from evenhand.region.group_region import Corners, GroupRegion
from evenhand.typing import Floats

EXACT = 1e-9
"""Rates this near to each other are the same: rounding errors of sums over many people are of this size."""
_MOST_STEPS = 5000
# A known corner that gains less than this share of the distance makes it worth looking for a new one.
_PROGRESS = 0.05
_NO_SHARE = 1e-14
_DEPENDENT = 1e-14


@dataclass(frozen=True, eq=False)
class Nearest:
    """The mixture of classifiers whose rates come nearest to the rates asked for, in one group.

    Attributes
    ----------
    corners, shares
        The plug-in classifiers, and how often each of them decides.
    rates
        The rates of the mixture (q,).
    distance
        How far they are from those asked for, ‖·‖₂; 0 if only rounding separates them.
    direction, margin
        Where out of reach, the unit direction d with ⟨d, asked⟩ ≥ ⟨d, rates⟩ + margin for all rates within reach: so
        nothing is nearer than `margin`.
    """

    corners: Corners
    shares: Floats
    rates: Floats
    distance: float
    direction: Floats | None = None
    margin: float = 0.0


class Search:
    """Looks for mixtures in one group, and remembers the corners that it has met."""

    def __init__(self, group: GroupRegion) -> None:
        self.group = group
        self.corners = group.first_corners
        self.thinnest, self.thickness = np.zeros(group.uniform.size), np.inf
        self._places = [0]
        self._shares = np.ones(1)

    def _farthest(self, direction: Floats) -> Corners:
        """Return the corner farthest in a unit direction, and remember where what is within reach is thinnest.

        No ball around o within reach has a larger radius than how far the group can get from o in any direction.
        """
        corner = self.group.corners(direction[None])
        thickness = float(_dot(direction, corner.rates[0] - self.group.uniform))
        if thickness < self.thickness:
            self.thinnest, self.thickness = direction, thickness
        return corner

    def nearest(self, target: Floats, *, accuracy: float = EXACT, any_proof: bool = False) -> Nearest:
        """Return the nearest mixture; with `any_proof` stop as soon as it is clear that the target is out of reach.

        The search begins with the mixture that the one before ended with.
        """
        before = np.inf
        for _ in range(_MOST_STEPS):
            self._mix(target)
            rates = (self._shares[:, None] * self.corners.rates[self._places]).sum(axis=0)
            miss = target - rates
            distance = _length(miss)
            if distance <= EXACT:
                return self._found(rates, 0.0)
            direction = miss / distance
            along = _dot(self.corners.rates, direction)
            place = int(along.argmax())
            if along[place] - _dot(direction, rates) <= max(_PROGRESS * distance, accuracy):
                corner = self._farthest(direction)
                margin = float(_dot(direction, target - corner.rates[0]))
                new = _dot(corner.rates[0], direction) > along[place] + EXACT / 10
                if (any_proof and margin > accuracy) or distance - margin <= accuracy:
                    return self._found(rates, distance, direction, max(margin, 0.0))
                if new:
                    place = len(self.corners.rates)
                    self.corners = self.corners.with_more(corner)
            if place in self._places or distance >= before:  # nothing but rounding is left to gain
                return self._found(rates, distance, direction, 0.0)
            before = distance
            self._places.append(place)
            self._shares = np.append(self._shares, 0.0)
        raise EvenhandError(
            f"no mixture was found for the rates {shown(target.tolist())} of group {shown(self.group.name)} within "
            f"{_MOST_STEPS} steps: this should not happen, please report it"
        )

    def _mix(self, target: Floats) -> None:
        """Mix the corners in use as near to the target as their hull allows, leaving out those that do not help."""
        while True:
            points = self.corners.rates[self._places] - target
            wanted = _nearest_of_plane(points)
            if (wanted > _NO_SHARE).all():
                self._shares = wanted
                return
            falling = np.flatnonzero(wanted <= _NO_SHARE)
            had = self._shares[falling]
            step = had / np.maximum(had - wanted[falling], 1e-300)
            shares = self._shares + min(1.0, float(step.min())) * (wanted - self._shares)
            shares[falling[step.argmin()]] = 0.0
            kept = np.flatnonzero(shares > _NO_SHARE)
            self._places = [self._places[place] for place in kept]
            self._shares = shares[kept] / shares[kept].sum()

    def _found(self, rates: Floats, distance: float, direction: Floats | None = None, margin: float = 0.0) -> Nearest:
        corners = self.corners.take(self._places)
        return Nearest(corners, self._shares, rates, distance, direction, margin)

    def reach(self, direction: Floats, *, accuracy: float = EXACT) -> tuple[float, float]:
        """Return how far from o one can go in a direction, a unit vector (q,), and how nearly that point is attained.

        Beyond the reach there is a separating plane, and where it meets the ray is the next, nearer, guess.
        """
        o = self.group.uniform
        guess = float(_dot(direction, self._farthest(direction).rates[0] - o))
        while True:
            found = self.nearest(o + guess * direction, accuracy=accuracy, any_proof=True)
            if found.direction is None or found.margin <= accuracy:
                return guess, found.distance
            guess -= found.margin / float(_dot(found.direction, direction))


def _nearest_of_plane(points: Floats) -> Floats:
    """Return weights (n,) that sum to 1, and with which points (n, q) add up to the least length."""
    edges = points[1:] - points[0]
    lengths = np.linalg.norm(edges, axis=1)
    lengths[lengths == 0] = 1.0
    # Corners often lie close together: edges of length 1 keep the equations well conditioned.
    steps = _least_squares(edges / lengths[:, None], -points[0]) / lengths
    return np.concatenate([[1 - steps.sum()], steps])


def _least_squares(rows: Floats, target: Floats) -> Floats:
    """Return weights (n,) with which rows (n, q) of length 1 add up to as near to the target (q,) as they can.

    Modified Gram–Schmidt with the target as one more row, which is as accurate as Householder's QR (Björck 1967). A row
    that is a mixture of those before it gets no weight.
    """
    n = len(rows)
    left = np.concatenate([rows, target[None]])
    lengths, along = np.zeros(n), np.zeros((n, n + 1))
    for place in range(n):
        length = _length(left[place])
        if length > _DEPENDENT:
            unit = left[place] / length
            lengths[place], along[place, place + 1 :] = length, _dot(left[place + 1 :], unit)
            left[place + 1 :] -= along[place, place + 1 :, None] * unit
    weights = along[:, n].copy()
    for place in reversed(range(n)):
        weights[place] = weights[place] / lengths[place] if lengths[place] else 0.0
        weights[:place] -= weights[place] * along[:place, place]
    return weights


# Which corner comes next hangs on the last digits wherever people or corners tie. These two add in an order of their
# own, where BLAS adds as is fastest on the processor.


def _dot(one: Floats, other: Floats) -> Floats:
    return np.add.reduce(one * other, axis=-1)  # type: ignore[no-any-return]


def _length(vector: Floats) -> float:
    return sqrt(_dot(vector, vector))
