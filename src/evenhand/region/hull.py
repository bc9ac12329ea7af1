"""The convex hull of points around 0: a ball that it certainly contains, and where it is thinnest."""

from __future__ import annotations

import numpy as np

from evenhand.rates.ties import comparable
from evenhand.typing import Floats

# Many corners lie in common planes (rates of exactly 0 or 1): degenerate input for algorithms for convex hulls. So the
# points are perturbed by at most this much into general position. What is certified holds for the original points.
_MOVED = 1e-8


class Hull:
    """The convex hull of points (n, d); 0 must lie inside."""

    def __init__(self, points: Floats) -> None:
        from scipy.spatial import ConvexHull  # noqa: PLC0415  # SciPy is slow to import

        self._rng = np.random.default_rng(0)
        self.points = points
        self._hull = ConvexHull(self._moved(points), incremental=True)
        self._measure()

    def add(self, points: Floats) -> None:
        """Add points to the hull."""
        self.points = np.concatenate([self.points, points])
        self._hull.add_points(self._moved(points))
        self._measure()

    def _moved(self, points: Floats) -> Floats:
        return points + self._rng.uniform(-_MOVED, _MOVED, points.shape)

    def _measure(self) -> None:
        """Compute a lower bound of the distance of each facet from 0.

        Every ray from 0 leaves the hull through a simplex of points p. Up to there its length is at least
        ⟨n, Σ μp⟩ ≥ min ⟨n, p⟩, for any unit vector n. So the least of these bounds over all simplices holds for
        certain, and taking the facet's normal as n makes the bound largest.
        """
        self.normals: Floats = self._hull.equations[:, :-1]
        corners = self.points[self._hull.simplices]
        self.distances: Floats = np.einsum("fd,fcd->fc", self.normals, corners).min(axis=1)

    @property
    def radius(self) -> float:
        """The radius of a ball around 0 that certainly lies inside."""
        return float(self.distances.min())

    def thinnest(self, count: int, below: float) -> Floats:
        """Return the normals (n, d) of the nearest facets: at most `count`, all nearer than `below`."""
        nearest = np.argsort(comparable(self.distances), kind="stable")[:count]
        return self.normals[nearest[self.distances[nearest] < below]]
