"""A walk that leaves a density on a box in place: slice sampling along differences of walkers (Neal 2003).

Walkers are in two halves. Each of one half moves along a line in the direction of the difference of two of the other
half, and then the other way about, so that nobody has a part in its own direction (Goodman & Weare 2010; ter Braak
2006). Such steps fit a narrow ridge without being told where it lies, and a slice finds its own length, also between
the walls that exact answers leave: the interval begins wide, and shrinks towards the walker until a point lies above
the level. In some moves only one coordinate changes, or some do: so walkers leave a plane that all of them are in
(Karamanis & Beutler 2021 compare such moves).

The walk is the same on every processor. Points are made of uniform draws by +, −, × and ÷ alone, which every processor
rounds alike. Densities differ in their last digits, but serve only to accept a point or not.

References
----------
C. J. F. ter Braak (2006): A Markov chain Monte Carlo version of the genetic algorithm Differential Evolution: easy
Bayesian computing for real parameter spaces. Statistics and Computing 16, 239–249.

J. Goodman, J. Weare (2010): Ensemble samplers with affine invariance. Communications in Applied Mathematics and
Computational Science 5, 65–80.

M. Karamanis, F. Beutler (2021): Ensemble slice sampling. Statistics and Computing 31, 61.

R. M. Neal (2003): Slice sampling. Annals of Statistics 31, 705–767.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.thresholds import SAMPLER
from evenhand.typing import Floats

LogDensity = Callable[[Floats], Floats]
"""The log of a density (n,) of points (n, d), up to a constant."""


@dataclass(frozen=True, eq=False)
class Box:
    """The points between two corners, each (d,)."""

    low: Floats
    high: Floats

    @classmethod
    def of(cls, sides: Sequence[tuple[float, float]]) -> Box:
        """Return the box with these sides, less a hair: no point is on an edge."""
        low, high = np.array(sides).T
        return cls(low + SAMPLER.edge, high - SAMPLER.edge)

    def within(self, points: Floats) -> Floats:
        """Return the points (n, d), moved to the edge where they are outside."""
        return np.minimum(np.maximum(points, self.low), self.high)

    def hold(self, points: Floats) -> NDArray[np.bool_]:
        """Return which of the points (n, d) are inside."""
        return np.asarray(((points >= self.low) & (points <= self.high)).all(axis=1))

    def chords(self, points: Floats, directions: Floats) -> tuple[Floats, Floats]:
        """Return from which to which t (n,) the lines x + t·direction through points (n, d) are inside."""
        # Column by column, as are all reductions here: points have few coordinates, and there are many of them.
        points, directions = np.asfortranarray(points), np.asfortranarray(directions)
        with np.errstate(divide="ignore", invalid="ignore"):
            one, other = (self.low - points) / directions, (self.high - points) / directions
            least, most = np.minimum(one, other), np.maximum(one, other)
        ends = least.max(axis=1), most.min(axis=1)
        if np.isnan(ends).any():  # where a direction is 0, the ends are ∓∞ but for points that are on an edge
            still = directions == 0
            ends = np.where(still, -np.inf, least).max(axis=1), np.where(still, np.inf, most).min(axis=1)
        return np.minimum(ends[0], 0.0), np.maximum(ends[1], 0.0)


class _Lines(NamedTuple):
    """Lines through points (n, d): directions (n, d), and how far an interval along each reaches at first (n,)."""

    points: Floats
    directions: Floats
    reach: Floats


def walk(points: Floats, log_density: LogDensity, box: Box, sweeps: int, rng: np.random.Generator) -> Floats:
    """Return points (n, d) of a density on a box after each was moved so many times."""
    points, density = points.copy(), log_density(points)
    halves = np.arange(len(points) // 2), np.arange(len(points) // 2, len(points))
    for _ in range(sweeps):
        for movers, others in (halves, halves[::-1]):
            directions, reach = _directions(points[others], len(movers), rng)
            lines = _Lines(points[movers], directions, reach)
            moved = _slices(lines, density[movers], log_density, box, rng)
            points[movers], density[movers] = moved
    return points


def _directions(others: Floats, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Draw directions (n, d), and how far an interval along each reaches at first (n,)."""
    d = others.shape[1]
    one, other = rng.integers(len(others), size=(2, n))
    kind = rng.random(n)
    moved = rng.random((n, d)) < np.where(kind < SAMPLER.partial, SAMPLER.moved_share, 1.0)[:, None]
    directions = moved * (others.take(one, axis=0) - others.take(other, axis=0))
    # In d dimensions the difference of two normal points is √(2d) standard deviations long.
    reach = SAMPLER.reach / np.sqrt(2 * np.maximum(moved @ np.ones(d), 1))
    single = np.flatnonzero(kind >= 1 - SAMPLER.single)
    number, extent = rng.integers(d, size=len(single)), np.ptp(np.asfortranarray(others), axis=0)
    directions[single] = 0.0
    directions[single, number] = np.where(extent > 0, extent, 1.0)[number]
    reach[single] = 1.0
    return directions, reach * 2.0 ** rng.integers(-1, 2, size=n)


def _slices(
    lines: _Lines, density: Floats, log_density: LogDensity, box: Box, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Move each point of density (n,) to another of its slice, and return the points (n, d) and their densities.

    The interval has its place at random around the point, and is not widened (Neal 2003, section 4.1).
    """
    points, directions, reach = lines
    there, there_density = points.copy(), density.copy()
    least, most = box.chords(points, directions)
    low = -reach * rng.random(len(points))
    low, high = np.maximum(low, least), np.minimum(low + reach, most)
    level = density + np.log(rng.random(len(points)))
    looking = np.flatnonzero(np.asfortranarray(directions).any(axis=1))
    # Of those that are still looking, which soon are few.
    points, directions, low, high, level = (each[looking] for each in (points, directions, low, high, level))
    for _ in range(SAMPLER.max_shrinks):
        t = low + (high - low) * rng.random(len(looking))
        tried = box.within(points + t[:, None] * directions)
        tried_density = log_density(tried)
        above = tried_density > level
        found, below = looking[above], np.flatnonzero(~above)
        there[found], there_density[found] = tried[above], tried_density[above]
        if not len(below):
            break
        looking = looking[below]
        level, low, high, t = (each[below] for each in (level, low, high, t))
        points, directions = points.take(below, axis=0), directions.take(below, axis=0)
        left = t < 0
        low, high = np.where(left, t, low), np.where(left, high, t)
    return there, there_density
