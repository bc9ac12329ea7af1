"""A ball inside the convex hull of points: how large it surely is, and where the hull is thinnest."""

from __future__ import annotations

import numpy as np

from evenhand.rates.ties import comparable
from evenhand.typing import Floats

# Many corners lie in common planes (rates of exactly 0 or 1), which no algorithm for hulls likes. Points that are moved
# by this much are in general position; what is certified is about the points as they are.
_MOVED = 1e-8


class Hull:
    """The convex hull of points (n, d) around 0, which must be within it."""

    def __init__(self, points: Floats) -> None:
        from scipy.spatial import ConvexHull  # noqa: PLC0415  # SciPy is slow to import

        self._rng = np.random.default_rng(0)
        self.points = points
        self._hull = ConvexHull(self._moved(points), incremental=True)
        self._measure()

    def add(self, points: Floats) -> None:
        """Take in more points."""
        self.points = np.concatenate([self.points, points])
        self._hull.add_points(self._moved(points))
        self._measure()

    def _moved(self, points: Floats) -> Floats:
        return points + self._rng.uniform(-_MOVED, _MOVED, points.shape)

    def _measure(self) -> None:
        """Measure how far away each facet is.

        Every ray from 0 leaves the hull through a simplex of points p, and where it does its length is at least
        ⟨n, Σ μp⟩ ≥ min ⟨n, p⟩, whichever unit vector n is: so the least of these over all simplices is certified, and
        the facet's normal is the n with which it is largest.
        """
        self.normals: Floats = self._hull.equations[:, :-1]
        corners = self.points[self._hull.simplices]
        self.distances: Floats = np.einsum("fd,fcd->fc", self.normals, corners).min(axis=1)

    @property
    def radius(self) -> float:
        """The radius of a ball around 0 that is certainly inside."""
        return float(self.distances.min())

    def thinnest(self, count: int, below: float) -> Floats:
        """Return the normals (n, d) of the nearest facets, at most so many, that are nearer than `below`."""
        nearest = np.argsort(comparable(self.distances), kind="stable")[:count]
        return self.normals[nearest[self.distances[nearest] < below]]
