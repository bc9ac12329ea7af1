"""The sphere S_ρ of rates that every group can reach (Remark 2 of the paper), and S⁺ inside it."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from evenhand.checks.arrays import number, whole_number
from evenhand.errors import EvenhandError
from evenhand.rates import uniform_rates
from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats

_PAPERS_RADIUS = 0.2
_SMALLEST_RADIUS = 1e-6


@dataclass(frozen=True, eq=False)
class Sphere:
    """A sphere in the q-dimensional space of rates; `upper`, if known, bounds the radius of any sphere within reach.

    Examples
    --------
    >>> sphere = Sphere(np.array([0.5, 0.5]), 0.2)
    >>> sphere.at(np.array([1.0, 0.0])).tolist(), sphere.dimension
    ([0.7, 0.5], 2)
    """

    center: Floats
    radius: float
    upper: float | None = None

    def __post_init__(self) -> None:
        radius = number(self.radius, "a sphere's radius", "positive and finite", lambda value: 0 < value < inf)
        object.__setattr__(self, "radius", radius)

    @property
    def dimension(self) -> int:
        """The number of kinds of mistake, the paper's q."""
        return self.center.size

    def at(self, directions: Floats) -> Floats:
        """Return the points of the sphere in the given directions, unit vectors (…, q)."""
        return self.center + self.radius * directions

    def highest(self, slopes: Floats) -> Floats:
        """Return the points where linear functions with these slopes (…, q) are largest (Lemma 2).

        If all slopes are 0, every point is a maximum, and the centre is returned.
        """
        length = np.linalg.norm(slopes, axis=-1, keepdims=True)
        return self.at(slopes / np.where(length > 0, length, 1.0))

    def above_center(self) -> Sphere:
        """Return S⁺: the largest sphere within this one whose points are all ≥ the centre."""
        radius = self.radius / (1 + sqrt(self.dimension))
        return Sphere(self.center + radius, radius)


def largest_radius(classes: int) -> float:
    """Return the largest radius of a sphere around o whose points are all rates.

    No rate may be negative, and the mistakes on a class may not sum to more than 1; the second limit is tighter.

    Examples
    --------
    >>> largest_radius(2), round(largest_radius(3), 4)
    (0.5, 0.2357)
    """
    k = whole_number(classes, "classes", 2)
    return 1 / (k * sqrt(k - 1))


def common_sphere(classes: int, radius: float | None = None) -> Sphere:
    """Return the sphere around the uniform classifier's rates o, by default with the paper's ρ = 0.2.

    With four or more classes, not every point of that sphere would be a set of rates; the default is then the largest
    radius at which they all are.

    Examples
    --------
    >>> common_sphere(2).radius, common_sphere(2).center.tolist()
    (0.2, [0.5, 0.5])
    """
    largest = largest_radius(classes)
    sphere = Sphere(uniform_rates(classes), min(_PAPERS_RADIUS, largest) if radius is None else radius)
    if sphere.radius < _SMALLEST_RADIUS:
        raise EvenhandError(
            f"radius is {radius}: points so close to the uniform classifier are lost to rounding. Choose at least "
            f"{_SMALLEST_RADIUS}"
        )
    if sphere.radius > largest * (1 + ROUNDING):
        raise EvenhandError(
            f"with {classes} classes a sphere of radius {radius} around the uniform classifier holds points that "
            f"are not rates (below 0, or mistakes on one class summing to more than 1): choose at most {largest:.4g}"
        )
    return sphere
