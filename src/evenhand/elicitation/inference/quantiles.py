"""Quantiles and intervals of a weighted sample."""

from __future__ import annotations

import numpy as np

from evenhand.elicitation.thresholds import STOPPING
from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats


def weighted_quantiles(values: Floats, probability: Floats, levels: tuple[float, ...]) -> Floats:
    """Return quantiles (levels, …) of values (n, …) with probabilities (n,)."""
    rows = np.ascontiguousarray(np.moveaxis(values, 0, -1)).reshape(-1, len(values))  # sorted faster than columns
    found = np.empty((len(levels), len(rows)))
    enough = np.array(levels) - ROUNDING
    for place, row in enumerate(rows):
        order = row.argsort()
        reached = np.cumsum(probability[order]).searchsorted(enough)
        found[:, place] = row[order[np.minimum(reached, len(row) - 1)]]
    return found.reshape(len(levels), *values.shape[1:])


def weighted_intervals(values: Floats, probability: Floats, level: float) -> Floats:
    """Return credible intervals (…, 2) of values (n, …) between 0 and 1, with probabilities (n,).

    An interval leaves out as much on either side. But where it would begin close to 0, it begins at 0 and leaves out
    twice as much above, and likewise at 1: a weight that is really 0 is then inside. One that is close to both ends
    tells nothing, and goes from 0 to 1.
    """
    tail = (1 - level) / 2
    low, inner_low, inner_high, high = weighted_quantiles(values, probability, (tail, 2 * tail, 1 - 2 * tail, 1 - tail))
    close = STOPPING.close_to_end * (high - low)
    near_0, near_1 = low <= close, 1 - high <= close
    return np.stack(
        [
            np.where(near_0, 0.0, np.where(near_1, inner_low, low)),
            np.where(near_1, 1.0, np.where(near_0, inner_high, high)),
        ],
        axis=-1,
    )
