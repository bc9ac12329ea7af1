"""Part 1 of the paper: what mistakes cost, asked about profiles without gaps between groups."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from evenhand.elicitation.procedure import embed
from evenhand.elicitation.profiles import everyone_alike
from evenhand.elicitation.question import Procedure
from evenhand.typing import Floats


def misclassification(lpme: Callable[[], Procedure[Floats]], *, groups: int) -> Procedure[Floats]:
    """Line 1 of Algorithm 1: LPME with every group alike, so that only the mistakes' cost remains.

    Examples
    --------
    >>> from evenhand import FairMetric, Setting, SimulatedOracle
    >>> from evenhand.elicitation import interview
    >>> from evenhand.region import common_sphere
    >>> setting = Setting.random(2, 2, random_state=7)
    >>> truth = FairMetric.random(setting, random_state=7)

    >>> from evenhand.elicitation import linear
    >>> asks = misclassification(lambda: linear(common_sphere(2), 0.001), groups=2)
    >>> bool(np.abs(interview(asks, SimulatedOracle(truth)) - truth.misclassification).max() < 0.002)
    True
    """
    return (yield from embed(lpme(), lambda point: everyone_alike(point, groups), "misclassification"))


def not_negative(weights: Floats) -> Floats:
    """Set weights below zero, or undefined, to zero."""
    return np.where((weights > 0) & np.isfinite(weights), weights, 0.0)
