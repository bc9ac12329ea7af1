"""Checks of numeric columns with a row per person: class probabilities and sample weights."""

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
    """Return class probabilities (n, k), or name the first row that is wrong.

    `instead` ends the message about a wrong shape: what else the caller accepts.
    """
    array = numbers(values, name, _MEANING)
    wanted = (rows or (array.shape[0] if array.ndim else "n"), classes or (array.shape[1] if array.ndim == 2 else "k"))
    if array.shape != wanted:
        raise EvenhandError(
            f"{name} has shape {array.shape}, but must have ({wanted[0]}, {wanted[1]}): {_MEANING}{instead}"
        )
    with np.errstate(invalid="ignore"):
        # Column by column: much faster than along short rows. NaN fails every comparison, so it is refused here too.
        right = np.logical_and.reduce([column >= 0 for column in array.T])
        right &= np.abs(sum(array.T) - 1) <= _SUM_TOLERANCE
    if not right.all():
        row = int(right.argmin())
        raise EvenhandError(
            f"{name} in row {row} is {shown(array[row].tolist())}: probabilities lie between 0 and 1 and sum to 1"
        )
    return array


def sample_weights(values: ArrayLike, rows: int) -> Floats:
    """Return one weight per row; refuse weights that are infinite, negative, or all zero."""
    array = numbers(values, "sample_weight", "one per row of y_true")
    if array.shape != (rows,):
        raise EvenhandError(f"sample_weight has shape {array.shape}, but must have {(rows,)}: one per row of y_true")
    wrong = ~((array >= 0) & np.isfinite(array))
    if wrong.any():
        row = int(wrong.argmax())
        raise EvenhandError(f"sample_weight is {array[row]} in row {row}: weights must be finite and not negative")
    if not array.any():
        raise EvenhandError("sample_weight is zero in every row: at least one weight must be positive")
    with np.errstate(over="ignore"):
        if not np.isfinite(array.sum()):
            raise EvenhandError("sample_weight sums to more than a float can hold: divide all weights by the largest")
    return array
