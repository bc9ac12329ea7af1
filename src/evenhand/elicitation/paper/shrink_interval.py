"""Search for the top of a one-dimensional unimodal cost, four questions for each halving."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import ceil, log2

import numpy as np

from evenhand.checks.arrays import number
from evenhand.elicitation.question import Answer, Procedure, costs_more
from evenhand.typing import Floats

_FINEST = 1e-12
"""Beyond this, halving an interval of numbers in double precision changes nothing."""


def halvings(width: float, tolerance: float) -> int:
    """Return how often an interval is halved until it is no wider than the tolerance."""
    return max(0, ceil(log2(width / tolerance)))


def checked_tolerance(tolerance: float) -> float:
    """Return a tolerance, and refuse one with which no search would end, or none would begin."""
    meaning = f"a number between {_FINEST:g} and 1, for example 0.001"
    return number(tolerance, "tolerance", meaning, lambda value: _FINEST <= value < 1)


def shrink_interval(a: Floats, b: Floats, rises: Sequence[Answer]) -> tuple[Floats, Floats]:
    """The subroutine ShrinkInterval: halve [a, b] around the top.

    `rises` says of each quarter of the interval whether the cost is higher at its end than at its start;
    the first quarter that does not rise has the top at, or just before, its start.
    """
    first, second, third, _ = (np.asarray(rise) for rise in rises)
    c, d, e = (3 * a + b) / 4, (a + b) / 2, (a + 3 * b) / 4
    left = ~(first & second)
    right = first & second & third
    return np.where(left, a, np.where(right, d, c)), np.where(left, d, np.where(right, b, e))


def search_top(
    point: Callable[[Floats], Floats], a: Floats, b: Floats, *, width: float, tolerance: float
) -> Procedure[Floats]:
    """Find where between a and b the cost of `point` is highest, within the tolerance.

    `point` maps places (…,) of the interval to points of the sphere (…, q). All intervals of a batch have
    the same width, so that they are halved equally often.
    """
    for _ in range(halvings(width, tolerance)):
        places = np.stack([a, (3 * a + b) / 4, (a + b) / 2, (a + 3 * b) / 4, b])
        points = point(places)
        rises = []
        for earlier, later in pairwise(points):
            rises.append((yield costs_more(later, earlier)))
        a, b = shrink_interval(a, b, rises)
    return (a + b) / 2
