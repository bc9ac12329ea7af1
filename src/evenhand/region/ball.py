"""The largest ball around o that every group can reach: Algorithm 3 of the paper, and sharper bounds.

A group's support function is known exactly in any direction. So each direction gives an upper bound of the ball's
radius, and a ball inside the convex hull of points within reach gives a lower bound.

- Algorithm 3 takes points on the axes: o ± ℓⱼeⱼ.
- For two and three classes, the hull of corners is refined where it is thinnest, until the two bounds meet.
- For more classes, such hulls have too many facets. So the mistakes are taken one predicted class at a time: ρⱼ is the
  radius of a ball in the coordinates of predicted class j alone. These blocks of coordinates are orthogonal, so the
  hull of the balls contains one of radius (Σ ρⱼ⁻²)^(−½). With blocks of one coordinate, this is Algorithm 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evenhand.rates import number_of_classes, off_diagonal_entries
from evenhand.region.group_region import GroupRegion
from evenhand.region.hull import Hull
from evenhand.region.search import EXACT, MixtureSearch
from evenhand.typing import Floats

_WHOLE_HULLS = 6  # the most coordinates: with more, a hull has too many facets
_CLOSE = {2: 1e-9, 6: 1e-3}
"""By number of coordinates: the bounds are close enough if they differ by this share of the upper one."""
_AT_ONCE = 16
_MOST_ROUNDS = 40
NO_BALL = 1e-6
"""If no ball with a larger radius is within reach, the scores have next to no signal."""
_AXIS_ACCURACY = 1e-7
_BLOCK_ROUNDS = 20
_BLOCK_GAIN = 0.01
_THINNER = 30


class Bounds(NamedTuple):
    """The radius of a ball that is certainly within reach, and an upper bound of all such radii."""

    lower: float
    upper: float


class _Reaches(NamedTuple):
    """How far each axis reaches from o, and how closely mixtures attain those points: (q,) each."""

    lengths: Floats
    misses: Floats


def _axis_reaches(search: MixtureSearch) -> _Reaches:
    """Return the reaches ℓⱼ in the directions eⱼ, which are also those in the directions −eⱼ.

    At o + ℓe, where e is the mistake of predicting j for class i, every other true class is predicted as each class
    equally often. So swapping the predictions i and j turns a classifier at o + ℓe into one at o − ℓe. If the first
    misses its point by a distance ε, the second misses by at most ε√k: its rate of that mistake is the first one's
    diagonal rate, in which the other k − 1 errors of the row add up.
    """
    reaches = [search.reach(axis, accuracy=_AXIS_ACCURACY) for axis in np.eye(search.group.uniform.size)]
    lengths, misses = np.array(reaches).T
    return _Reaches(np.maximum(0.0, lengths), sqrt(search.group.classes) * misses)


def _radius_in_cross(reaches: _Reaches) -> float:
    """Return the radius of the largest ball in the hull of o ± ℓⱼeⱼ.

    A hull of points that each lie within ε of these is thinner by at most ε in any direction.
    """
    if not (reaches.lengths > 0).all():
        return 0.0
    return max(0.0, float(np.sum(reaches.lengths**-2.0) ** -0.5 - reaches.misses.max()) - EXACT)


def ball_by_axes(groups: Sequence[GroupRegion]) -> tuple[Bounds, GroupRegion]:
    """Algorithm 3: the ball in the hull of what all groups reach on the axes, and the group that limits it."""
    each = [_axis_reaches(MixtureSearch(group)) for group in groups]
    limiting = int(np.argmin([one.lengths.min() for one in each]))
    all_reach = _Reaches(np.min([one.lengths for one in each], axis=0), np.max([one.misses for one in each], axis=0))
    return Bounds(_radius_in_cross(all_reach), float(all_reach.lengths.min()) + _AXIS_ACCURACY), groups[limiting]


def largest_ball(groups: Sequence[GroupRegion]) -> tuple[Bounds, GroupRegion]:
    """Return the bounds of the largest ball around o in reach of all groups, and the group that limits it."""
    make = _CornerHull if groups[0].uniform.size <= _WHOLE_HULLS else _BlockHulls
    each = [make(group) for group in groups]
    for _ in range(_MOST_ROUNDS * len(each)):
        smallest = min(each, key=lambda one: one.lower)
        if smallest.lower >= min(one.upper for one in each) or not smallest.refine():
            break
    lower, upper = (min(getattr(one, name) for one in each) for name in ("lower", "upper"))
    return Bounds(lower, max(lower, upper)), min(each, key=lambda one: one.upper).group


class _CornerHull:
    """The hull of corners of one group, refined where it is thinnest.

    With two classes and little signal, the region is a thin strip. Perturbing the corners then makes the hull thinner
    still, so Algorithm 3's ball, which perturbs nothing, may be the larger one.
    """

    def __init__(self, group: GroupRegion) -> None:
        self.group = group
        self._hull = Hull(group.first_corners.rates - group.uniform)
        self._rounds = 0
        self._inside = _radius_in_cross(_axis_reaches(MixtureSearch(group))) if group.classes == 2 else 0.0
        self.upper = np.inf

    @property
    def lower(self) -> float:
        return max(self._inside, self._hull.radius)

    def refine(self) -> bool:
        """Look for corners beyond the nearest facets; return False if the bounds cannot improve further."""
        close = (1 - _CLOSE[self.group.uniform.size]) * self.upper <= self.lower
        if (self._rounds and close) or self.upper <= NO_BALL or self._rounds == _MOST_ROUNDS:
            return False
        self._rounds += 1
        normals = self._hull.thinnest(_AT_ONCE, self.upper)
        corners = self.group.corners(normals).rates - self.group.uniform
        reached = np.einsum("nd,nd->n", normals, corners)
        self.upper = min(self.upper, float(reached.min(initial=np.inf)))
        self._hull.add(corners)
        return True


class _BlockHulls:
    """For many classes: balls in the coordinates of each predicted class, and the thinnest direction found."""

    def __init__(self, group: GroupRegion) -> None:
        self.group = group
        search = MixtureSearch(group)
        q = group.uniform.size
        reaches = _axis_reaches(search)
        predicted = np.array(off_diagonal_entries(number_of_classes(q)))[:, 1]
        inside = _radius_in_cross(reaches)
        self.lower = 0.0
        if inside > 0:
            blocks = [np.flatnonzero(predicted == j) for j in np.unique(predicted)]
            lengths = reaches.lengths * inside / (inside + reaches.misses)
            radii = np.array([_block_radius(search, block, lengths, inside) for block in blocks])
            self.lower = max(inside, float(np.sum(radii**-2.0) ** -0.5))
        self.upper = _thickness(search)

    def refine(self) -> bool:
        return False


def _block_radius(search: MixtureSearch, block: NDArray[np.intp], lengths: Floats, inside: float) -> float:
    """Return the radius of a ball in some coordinates, all other rates being those of o.

    `inside` is the radius of a ball in all coordinates. Points that are attained only approximately are moved towards o
    until this ball covers the error.
    """
    on_axes = np.diag(lengths[block])
    hull = Hull(np.concatenate([on_axes, -on_axes]))
    for _ in range(_BLOCK_ROUNDS):
        enough = (1 + _BLOCK_GAIN) * hull.radius
        normals = hull.thinnest(_AT_ONCE, enough)
        reached = np.empty(len(normals))
        for place, normal in enumerate(normals):
            direction = np.zeros(search.group.uniform.size)
            direction[block] = normal
            reach, miss = search.reach(direction, accuracy=_BLOCK_GAIN / 10 * inside)
            reached[place] = reach * inside / (inside + miss)
        hull.add(normals * reached[:, None])
        if reached.min() <= enough:
            break
    return hull.radius - EXACT


def _thickness(search: MixtureSearch) -> float:
    """Return an upper bound of the region's thickness, by local search.

    Follow the ray in the thinnest known direction to the border of the region. The normal of the supporting plane there
    is a thinner direction, unless the search has reached a local minimum.
    """
    for _ in range(_THINNER):
        before = search.thickness
        search.reach(search.thinnest, accuracy=_AXIS_ACCURACY)
        if search.thickness > (1 - _BLOCK_GAIN / 10) * before:
            break
    return search.thickness
