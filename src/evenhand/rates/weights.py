"""Sample weights, checked."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from evenhand.errors import EvenhandError
from evenhand.rates.arrays import float_array
from evenhand.rates.vector import Floats


def sample_weights(values: ArrayLike, rows: int) -> Floats:
    """Return weights that are finite, not negative, not all zero, and one per row."""
    array = float_array(values, "sample_weight", (rows,), "one per row of y_true")
    wrong = ~((array >= 0) & np.isfinite(array))
    if wrong.any():
        row = int(wrong.argmax())
        raise EvenhandError(f"sample_weight is {array[row]} in row {row}: weights must be finite and not negative")
    if not array.any():
        raise EvenhandError("sample_weight is zero in every row: somebody must count")
    return array
