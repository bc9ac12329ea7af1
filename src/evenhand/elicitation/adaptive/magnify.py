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
    both = np.stack([first, second])
    overall = _overall(both, tau)
    step = (overall[0] - overall[1]) / 2
    apart = _without_common_gaps(both - overall)
    centred = apart - _overall(apart, tau)
    return within(sphere, centred[0] + step, centred[1] - step)


def _overall(profile: Floats, tau: Floats) -> Floats:
    return np.asarray(np.einsum("...gq,gq->...q", profile, tau)[..., None, :])


def _without_common_gaps(both: Floats) -> Floats:
    """Remove the gaps that both (2, n, m, q) have in common; where the orders of the groups differ, there are none.

    While the order of the groups stays, every gap is a sum of steps from one group to the next. So taking the same off
    such a step in both takes the same off each gap in both.
    """
    order = np.argsort(comparable(both), axis=-2, kind="stable")
    alike = (order[0] == order[1]).all(axis=-2, keepdims=True)
    steps = np.diff(np.take_along_axis(both, order, axis=-2), axis=-2)
    shared = np.where(alike, steps.min(axis=0), 0.0)
    sorted_offsets = np.concatenate([np.zeros_like(alike, dtype=np.float64), np.cumsum(shared, axis=-2)], axis=-2)
    offsets = np.empty_like(sorted_offsets)
    np.put_along_axis(offsets, order[0], sorted_offsets, axis=-2)
    return np.asarray(both - offsets)
