"""Quantiles of a weighted sample."""

from __future__ import annotations

import numpy as np

from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats


def weighted_quantiles(values: Floats, probability: Floats, levels: tuple[float, ...]) -> Floats:
    """Return quantiles (levels, …) of values (n, …) with probabilities (n,)."""
    order = np.argsort(values, axis=0, kind="stable")
    reached = np.cumsum(probability[order], axis=0)
    last = len(values) - 1
    places = [np.minimum((reached < level - ROUNDING).sum(axis=0), last) for level in levels]
    return np.stack(
        [np.take_along_axis(values, np.take_along_axis(order, place[None], axis=0), axis=0)[0] for place in places]
    )
