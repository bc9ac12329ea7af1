"""Part 1 of the paper: what the mistakes cost, asked where no gap between groups gets in the way."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from evenhand.elicitation.profiles import everyone_alike
from evenhand.elicitation.question import Procedure, embed
from evenhand.typing import Floats


def misclassification(lpme: Callable[[], Procedure[Floats]], *, groups: int) -> Procedure[Floats]:
    """Line 1 of Algorithm 1: LPME with every group alike, so that only the mistakes' cost remains."""
    return (yield from embed(lpme(), lambda point: everyone_alike(point, groups), "misclassification"))


def not_negative(slope: Floats) -> Floats:
    """Return the slope as weights: entries below zero become zero, and the length 1 again.

    If nothing is left, nothing was learned, and all mistakes get the same weight.
    """
    a = np.where(slope > 0, slope, 0.0)
    a = np.where(a.any(axis=-1, keepdims=True), a, 1.0)
    a /= np.linalg.norm(a, axis=-1, keepdims=True)
    return a
