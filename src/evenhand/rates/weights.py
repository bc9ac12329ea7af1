"""Sample weights, checked."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from evenhand.checks.arrays import numbers
from evenhand.errors import EvenhandError
from evenhand.typing import Floats


def sample_weights(values: ArrayLike, rows: int) -> Floats:
    """Return weights that are finite, not negative, not all zero, and one per row."""
    array = numbers(values, "sample_weight", "one per row of y_true")
    if array.shape != (rows,):
        raise EvenhandError(f"sample_weight has shape {array.shape}, but must have {(rows,)}: one per row of y_true")
    wrong = ~((array >= 0) & np.isfinite(array))
    if wrong.any():
        row = int(wrong.argmax())
        raise EvenhandError(f"sample_weight is {array[row]} in row {row}: weights must be finite and not negative")
    if not array.any():
        raise EvenhandError("sample_weight is zero in every row: somebody must count")
    with np.errstate(over="ignore"):
        if not np.isfinite(array.sum()):
            raise EvenhandError("sample_weight sums to more than a float can hold: divide all weights by the largest")
    return array
