"""Plug-in classifiers: they predict the class with the largest weighted sum of class probabilities.

Every extreme point of what a group can reach belongs to one of them. The region and the deployed classifier must break
ties alike, since one person more or less changes a rate by far more than rounding does. So both decide here, in an
order of operations that does not depend on how many people are decided about at once.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from evenhand.rates.profile import matrix_from_vector
from evenhand.typing import Floats

# Blocks of about this many numbers stay in the processor's cache.
_BLOCK = 1 << 15


def weights_towards(directions: Floats, mass: Floats) -> Floats:
    """Return the weights (n, k, k) of the classifiers whose rates lie farthest in the directions (n, q).

    Σ over i, j of dᵢⱼ·P(predict j | class i) is the mean of Σ over i of dᵢⱼ·P(i | x) / P(i) at the predicted j.
    """
    weights = matrix_from_vector(directions)
    places = np.arange(weights.shape[-1])
    weights[..., places, places] = 0.0
    return np.asarray(weights / mass[:, None])


def always(classes: int) -> Floats:
    """Return the weights (k, k, k) of the classifiers that always predict one class."""
    weights = np.zeros((classes, classes, classes))
    places = np.arange(classes)
    weights[places, :, places] = 1.0
    return weights


def decisions(columns: Floats, weights: Floats) -> Iterator[tuple[slice, list[NDArray[np.bool_]]]]:
    """Decide about people with class probabilities (k, people), by classifiers with weights (n, k, k).

    Yields a slice of people and, for each class, a mask (n, people of the slice) of which classifier predicts it for
    whom. Ties go to the first class.
    """
    classes, people = columns.shape
    step = max(256, _BLOCK // len(weights))
    for start in range(0, people, step):
        rows = slice(start, min(start + step, people))
        score = [_score(columns[:, rows], weights[:, :, j]) for j in range(classes)]
        best = score[0]
        for other in score[1:]:
            best = np.maximum(best, other)
        free = np.ones(best.shape, dtype=np.bool_)
        chosen = []
        for one in score[:-1]:
            here = one == best
            here &= free
            free &= ~here
            chosen.append(here)
        chosen.append(free)
        yield rows, chosen


def _score(columns: Floats, weights: Floats) -> Floats:
    """Return Σ over classes i of weights[:, i]·columns[i], added in this order."""
    total: Floats = weights[:, 0, None] * columns[0]
    for i in range(1, len(columns)):
        total += weights[:, i, None] * columns[i]
    return total
