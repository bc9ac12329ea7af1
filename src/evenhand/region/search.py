"""Finds a mixture of plug-in classifiers with given rates in a group, or a direction that proves there is none.

Wolfe's minimum-norm-point algorithm ("Finding the nearest point in a polytope", 1976): mix a few corners to come as
near to the rates as possible. If the mixture still misses them, take the corner farthest in the direction of the miss:
it brings the mixture nearer, or proves that nothing does. Known corners are tried first, since a new one takes a pass
over everybody in the group.
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
"""Rates this close count as equal: rounding errors of sums over many people are of this size."""
_MOST_STEPS = 5000
# If no known corner gains more than this share of the distance, look for a new one.
_PROGRESS = 0.05
_NO_SHARE = 1e-14
_DEPENDENT = 1e-14


@dataclass(frozen=True, eq=False)
class Nearest:
    """The mixture of classifiers whose rates come nearest to the rates asked for, in one group.

    Attributes
    ----------
    corners, shares
        The plug-in classifiers, and how often each decides.
    rates
        The rates of the mixture (q,).
    distance
        Their distance from the rates asked for, ‖·‖₂; 0 if they differ only by rounding.
    direction, margin
        If out of reach, the unit vector d with ⟨d, asked⟩ ≥ ⟨d, rates⟩ + margin for all rates within reach: so no rates
        within reach are nearer than `margin`.

    Examples
    --------
    >>> from evenhand import FeasibleRegion
    >>> scores = np.array([[0.9, 0.1], [0.5, 0.5], [0.1, 0.9], [0.8, 0.2], [0.2, 0.8]])
    >>> region = FeasibleRegion.from_scores(scores, sensitive_features=["a", "a", "a", "b", "b"])
    >>> nearest = region.contains([0.0, 0.0]).by_group[0]
    >>> nearest.rates.round(2).tolist(), round(nearest.distance, 2), round(nearest.margin, 2)
    ([0.23, 0.23], 0.33, 0.33)
    """

    corners: Corners
    shares: Floats
    rates: Floats
    distance: float
    direction: Floats | None = None
    margin: float = 0.0


class MixtureSearch:
    """Searches for mixtures in one group, and remembers the corners that it has found."""

    def __init__(self, group: GroupRegion) -> None:
        self.group = group
        self.corners = group.first_corners
        self.thinnest, self.thickness = np.zeros(group.uniform.size), np.inf
        self._places = [0]
        self._shares = np.ones(1)

    def _farthest(self, direction: Floats) -> Corners:
        """Return the corner farthest in a unit direction, and remember the direction with the smallest such distance.

        How far the group gets from o in any one direction is an upper bound of the radius of a ball around o.
        """
        corner = self.group.corners(direction[None])
        thickness = float(_dot(direction, corner.rates[0] - self.group.uniform))
        if thickness < self.thickness:
            self.thinnest, self.thickness = direction, thickness
        return corner

    def nearest(self, target: Floats, *, accuracy: float = EXACT, any_proof: bool = False) -> Nearest:
        """Return the nearest mixture; with `any_proof`, stop at the first proof that the target is out of reach.

        The search starts from the mixture that the previous one found.
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
            if place in self._places or distance >= before:  # only rounding errors are left
                return self._found(rates, distance, direction, 0.0)
            before = distance
            self._places.append(place)
            self._shares = np.append(self._shares, 0.0)
        raise EvenhandError(
            f"no mixture was found for the rates {shown(target.tolist())} of group {shown(self.group.name)} within "
            f"{_MOST_STEPS} steps: this should not happen, please report it"
        )

    def _mix(self, target: Floats) -> None:
        """Mix the corners in use to come as near to the target as their hull allows; drop those with no share."""
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
        """Return how far the group reaches from o in a direction (a unit vector), and how closely it gets there.

        A point on the ray that is out of reach has a separating plane; the next guess is where it meets the ray.
        """
        o = self.group.uniform
        guess = float(_dot(direction, self._farthest(direction).rates[0] - o))
        while True:
            found = self.nearest(o + guess * direction, accuracy=accuracy, any_proof=True)
            if found.direction is None or found.margin <= accuracy:
                return guess, found.distance
            guess -= found.margin / float(_dot(found.direction, direction))


def _nearest_of_plane(points: Floats) -> Floats:
    """Return the weights (n,), summing to 1, of the affine combination of points (n, q) with the least norm."""
    edges = points[1:] - points[0]
    lengths = np.linalg.norm(edges, axis=1)
    lengths[lengths == 0] = 1.0
    # Corners often lie close together; scaling the edges to length 1 keeps the equations well conditioned.
    steps = _least_squares(edges / lengths[:, None], -points[0]) / lengths
    return np.concatenate([[1 - steps.sum()], steps])


def _least_squares(rows: Floats, target: Floats) -> Floats:
    """Solve least squares: the weights (n,) of rows (n, q) of length 1 whose sum is nearest to the target (q,).

    By modified Gram–Schmidt with the target as one more row, which is as accurate as Householder's QR (Björck 1967). A
    row that depends linearly on those before it gets weight 0.
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


# Where people or corners tie, the next corner depends on the last digits. So these two add in a fixed order, while BLAS
# adds in the order that is fastest on the processor.


def _dot(one: Floats, other: Floats) -> Floats:
    return np.add.reduce(one * other, axis=-1)  # type: ignore[no-any-return]


def _length(vector: Floats) -> float:
    return sqrt(_dot(vector, vector))
