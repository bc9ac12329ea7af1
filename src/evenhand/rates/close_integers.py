"""Columns of whole numbers that lie close together, counted in one pass: most labels are 0, 1, 2, ….

A stretch of rows that fits into the processor's cache is checked, combined and counted before the next one is read, so
that the memory is gone through once, which is what takes the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from evenhand.rates.counted import Counts

_STRETCH = 1 << 15
_WIDEST = 64
_MOST_COMBINATIONS = 1 << 14


def count_close_integers(columns: Sequence[object]) -> Counts | None:
    """Count each combination of labels, or return None if these are not such columns, of equally many rows."""
    arrays = [array for array in columns if type(array) is np.ndarray and array.ndim == 1 and array.dtype.kind in "biu"]
    if len(arrays) < len(columns) or len({array.size for array in arrays}) != 1 or not arrays[0].size:
        return None
    # What the first stretch holds is expected of the others too; a column that turns out otherwise is not for here.
    ends = [(int(array[:_STRETCH].min()), int(array[:_STRETCH].max())) for array in arrays]
    widths = [high - low + 1 for low, high in ends]
    if max(widths) > _WIDEST or prod(widths) > _MOST_COMBINATIONS or any(abs(end) >= 1 << 31 for end in sum(ends, ())):
        return None
    total = np.zeros(prod(widths), dtype=np.int64)
    strides = [prod(widths[place + 1 :]) for place in range(len(widths))]
    lowest = sum(low * stride for (low, _), stride in zip(ends, strides, strict=True))
    for start in range(0, arrays[0].size, _STRETCH):
        code: NDArray[np.int64] = np.full(min(_STRETCH, arrays[0].size - start), -lowest)
        for array, (low, high), stride in zip(arrays, ends, strides, strict=True):
            rows = array[start : start + _STRETCH]
            if rows.min() < low or rows.max() > high:
                return None
            code += rows.astype(np.int64, copy=False) * stride
        total += np.bincount(code, minlength=total.size)
    found = np.flatnonzero(total)
    places = np.unravel_index(found, widths)
    labels = [
        tuple(array.dtype.type(low + place).item() for place in column.tolist())
        for array, (low, _), column in zip(arrays, ends, places, strict=True)
    ]
    rows = total[found].astype(np.float64)
    return Counts(labels, rows, rows, rows)
