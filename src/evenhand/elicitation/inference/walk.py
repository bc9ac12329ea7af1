"""A walk that leaves a density on a box in place: slice sampling along differences of walkers (Neal 2003).

Walkers are in two halves. Each of one half moves along a line in the direction of the difference of two of the other
half, and then the other way about, so that nobody has a part in its own direction (Goodman & Weare 2010; ter Braak
2006). Such steps fit a narrow ridge without being told where it lies, and a slice finds its own length, also between
the walls that exact answers leave: the interval begins wide, and shrinks towards the walker until a point lies above
the level. Where the next points of an interval lie does not depend on the density, so several are tried at once: each
costs less among many. Half of the intervals begin far wider than the walkers are spread: after a wrong answer they may
all be where it points to, and the next answers point somewhere else. In some moves only one coordinate changes, or some
do: so walkers leave a plane that all of them are in (Karamanis & Beutler 2021 compare such moves).

The walk is the same on every processor. Points are made of uniform draws by +, −, ×, ÷ and √ alone, which every
processor rounds alike. Densities differ in their last digits, but serve only to accept a point or not.

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
    """The points between two corners, each (d,), or (n, d) where each point has a box of its own."""

    low: Floats
    high: Floats

    @classmethod
    def of(cls, sides: Sequence[tuple[float, float]]) -> Box:
        """Return the box with these sides, less a hair: no point is on an edge."""
        low, high = np.array(sides).T
        return cls(low + SAMPLER.edge, high - SAMPLER.edge)

    def __getitem__(self, chosen: NDArray[np.intp]) -> Box:
        """Return the boxes of some of the points."""
        return Box(self.low.take(chosen, axis=0), self.high.take(chosen, axis=0))

    def within(self, points: Floats) -> Floats:
        """Return the points (…, n, d), moved to the edge where they are outside."""
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


class Ensemble(NamedTuple):
    """Walkers (n, d) of one density on a box, of which each moves along differences of the others."""

    points: Floats
    box: Box


class _Lines(NamedTuple):
    """Lines through points (n, d): directions (n, d), and how far an interval along each reaches at first (n,)."""

    points: Floats
    directions: Floats
    reach: Floats


def walk(ensembles: Sequence[Ensemble], log_density: LogDensity, sweeps: int, rng: np.random.Generator) -> list[Floats]:
    """Return the points (n, d) of each ensemble after each was moved so many times."""
    halves = _halves(ensembles)
    points = np.concatenate(
        [*(_first(each.points) for each in ensembles), *(_second(each.points) for each in ensembles)]
    )
    density = log_density(points)
    for _ in range(sweeps):
        for half in halves:
            lines = _Lines(points[half.own], *_directions(points, half, rng))
            points[half.own], density[half.own] = _slices(lines, density[half.own], log_density, half.box, rng)
    first, second = (half.parts for half in halves)
    return [np.concatenate([points[one], points[other]]) for one, other in zip(first, second, strict=True)]


class _Half(NamedTuple):
    """One half of the walkers of all ensembles.

    Attributes
    ----------
    own
        Where they are among all walkers, who stand in a row: all first halves, then all second ones.
    parts, others
        Where those of each ensemble are, and where its other half is.
    ensemble
        Which ensemble each of them (n,) is of.
    box
        The box of each.
    """

    own: slice
    parts: list[slice]
    others: list[slice]
    ensemble: NDArray[np.intp]
    box: Box


def _first(points: Floats) -> Floats:
    return points[: len(points) // 2]


def _second(points: Floats) -> Floats:
    return points[len(points) // 2 :]


def _halves(ensembles: Sequence[Ensemble]) -> tuple[_Half, _Half]:
    sizes = np.array([[len(of(each.points)) for each in ensembles] for of in (_first, _second)])
    ends = np.cumsum(sizes).reshape(sizes.shape)
    parts = [[slice(end - size, end) for end, size in zip(*row, strict=True)] for row in zip(ends, sizes, strict=True)]
    corners = [np.array([getattr(each.box, corner) for each in ensembles]) for corner in ("low", "high")]

    def half(one: int) -> _Half:
        ensemble = np.repeat(np.arange(len(ensembles)), sizes[one])
        own = slice(parts[one][0].start, parts[one][-1].stop)
        return _Half(own, parts[one], parts[1 - one], ensemble, Box(*(corner[ensemble] for corner in corners)))

    return half(0), half(1)


def _directions(points: Floats, half: _Half, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Draw directions (n, d), and how far an interval along each reaches at first (n,)."""
    n, d = len(half.ensemble), points.shape[1]
    start, stop = np.array([(part.start, part.stop) for part in half.others])[half.ensemble].T
    one, other = rng.integers(start, stop, size=(2, n))
    kind = rng.random(n)
    moved = rng.random((n, d)) < np.where(kind < SAMPLER.partial, SAMPLER.moved_share, 1.0)[:, None]
    directions = moved * (points.take(one, axis=0) - points.take(other, axis=0))
    # In d dimensions the difference of two normal points is √(2d) standard deviations long.
    reach = SAMPLER.reach / np.sqrt(2 * np.maximum(moved @ np.ones(d), 1))
    single = np.flatnonzero(kind >= 1 - SAMPLER.single)
    extents = np.array([np.ptp(np.asfortranarray(points[part]), axis=0) for part in half.others])
    number = rng.integers(d, size=len(single))
    extent = extents[half.ensemble[single], number]
    directions[single] = 0.0
    directions[single, number] = np.where(extent > 0, extent, 1.0)
    reach[single] = 1.0
    far = rng.random(n) < SAMPLER.far
    doubled = np.where(far, rng.integers(*SAMPLER.doubled_far, size=n), rng.integers(*SAMPLER.doubled_near, size=n))
    return directions, np.ldexp(reach, doubled)


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
    box = box[looking]
    for tries in SAMPLER.tries:
        steps, low, high = _shrinking(low, high, rng.random((tries, len(looking))))
        tried = box.within(points + steps[..., None] * directions)
        tried_density = log_density(tried.reshape(-1, tried.shape[-1])).reshape(steps.shape)
        above = tried_density > level
        found = np.flatnonzero(above.any(axis=0))
        which = above.argmax(axis=0)[found], found
        there[looking[found]], there_density[looking[found]] = tried[which], tried_density[which]
        below = np.flatnonzero(~above.any(axis=0))
        if not len(below):
            break
        looking, box = looking[below], box[below]
        points, directions, low, high, level = (
            each.take(below, axis=0) for each in (points, directions, low, high, level)
        )
    return there, there_density


def _shrinking(low: Floats, high: Floats, drawn: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the next points t (tries, n) of intervals around 0, and what is left (n,) of them if none will do."""
    steps = np.empty_like(drawn)
    for step, share in zip(steps, drawn, strict=True):
        np.add(low, (high - low) * share, out=step)
        left = step < 0
        low, high = np.where(left, step, low), np.where(left, high, step)
    return steps, low, high
