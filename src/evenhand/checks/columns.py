"""Class probabilities, checked: between 0 and 1, and summing to 1 for everybody."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from evenhand.checks.arrays import numbers
from evenhand.checks.messages import shown
from evenhand.errors import EvenhandError
from evenhand.typing import Floats

_SUM_TOLERANCE = 1e-6
_MEANING = "one row per person, one column per class"


def class_probabilities(
    values: ArrayLike, name: str, *, rows: int | None = None, classes: int | None = None, instead: str = ""
) -> Floats:
    """Return an array (n, k) of probabilities, or say which row is wrong; `instead` says what else would do."""
    array = numbers(values, name, _MEANING)
    wanted = (rows or (array.shape[0] if array.ndim else "n"), classes or (array.shape[1] if array.ndim == 2 else "k"))
    if array.shape != wanted:
        raise EvenhandError(
            f"{name} has shape {array.shape}, but must have ({wanted[0]}, {wanted[1]}): {_MEANING}{instead}"
        )
    with np.errstate(invalid="ignore"):
        # Column by column, which is much faster than along short rows; NaN compares false with everything.
        right = np.logical_and.reduce([column >= 0 for column in array.T])
        right &= np.abs(sum(array.T) - 1) <= _SUM_TOLERANCE
    if not right.all():
        row = int(right.argmin())
        raise EvenhandError(
            f"{name} in row {row} is {shown(array[row].tolist())}: probabilities lie between 0 and 1 and sum to 1"
        )
    return array


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
