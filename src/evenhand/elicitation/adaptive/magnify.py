"""Magnified comparisons: the same question about two candidates, with differences that are easier to see.

Two good candidates often differ by little, and small differences are hard to judge. In the family of gaps, a cost is
linear in overall rates and in gaps. So if the rates and gaps of two profiles differ by a multiple of what those of two
candidates do, exactly the same people prefer the first. What the two have in common is left out, and the rest fills the
sphere. (In other families a magnified pair is only another question.)
"""

from __future__ import annotations

import numpy as np

from evenhand.elicitation.profiles import within
from evenhand.rates.ties import comparable
from evenhand.region import Sphere
from evenhand.typing import Floats


def magnified(first: Floats, second: Floats, tau: Floats, sphere: Sphere) -> tuple[Floats, Floats]:
    """Return profiles (n, m, q) of the sphere that compare as the given ones do, as far apart as they fit."""
    overall = [_overall(profile, tau) for profile in (first, second)]
    step = (overall[0] - overall[1]) / 2
    apart = _without_common_gaps(first - overall[0], second - overall[1])
    centred = [deviation - _overall(deviation, tau) for deviation in apart]
    return within(sphere, centred[0] + step, centred[1] - step)


def _overall(profile: Floats, tau: Floats) -> Floats:
    return np.asarray((tau * profile).sum(axis=-2, keepdims=True))


def _without_common_gaps(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    """Remove the gaps that both have in common; where the orders of the groups differ, there are none.

    While the order of the groups stays, every gap is a sum of steps from one group to the next. So taking the same off
    such a step in both takes the same off each gap in both.
    """
    order, other_order = (np.argsort(comparable(deviation), axis=-2, kind="stable") for deviation in (one, other))
    alike = (order == other_order).all(axis=-2, keepdims=True)
    steps, other_steps = (np.diff(np.take_along_axis(deviation, order, axis=-2), axis=-2) for deviation in (one, other))
    shared = np.where(alike, np.minimum(steps, other_steps), 0.0)
    sorted_offsets = np.concatenate([np.zeros_like(alike, dtype=np.float64), np.cumsum(shared, axis=-2)], axis=-2)
    offsets = np.empty_like(one)
    np.put_along_axis(offsets, order, sorted_offsets, axis=-2)
    return one - offsets, other - offsets
