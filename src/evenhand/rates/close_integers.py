"""Columns of whole numbers that lie close together, counted in one pass: most labels are 0, 1, 2, ….

A stretch of rows that fits into the processor's cache is checked, combined and counted before the next one is read, so
that the memory is gone through once, which is what takes the time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evenhand.rates.counted import Counts

_STRETCH = 1 << 15
_MOST_BITS, _MOST_BITS_TOGETHER = 6, 14


def count_close_integers(columns: Sequence[object]) -> Counts | None:
    """Count each combination of labels, or return None if these are not such columns, of equally many rows."""
    arrays = [array for array in columns if type(array) is np.ndarray and array.ndim == 1 and array.dtype.kind in "biu"]
    if len(arrays) < len(columns) or len({array.size for array in arrays}) != 1 or not arrays[0].size:
        return None
    # What the first stretch holds is expected of the others too; a column that turns out otherwise is not for here.
    lowest = [int(array[:_STRETCH].min()) for array in arrays]
    bits = [(int(array[:_STRETCH].max()) - low).bit_length() for array, low in zip(arrays, lowest, strict=True)]
    if max(bits) > _MOST_BITS or sum(bits) > _MOST_BITS_TOGETHER or any(abs(low) >= 1 << 31 for low in lowest):
        return None
    shifts = [sum(bits[place + 1 :]) for place in range(len(bits))]
    total = np.zeros(1 << sum(bits), dtype=np.int64)
    codes, shifted = np.empty((2, min(_STRETCH, arrays[0].size)), dtype=np.int64)
    for start in range(0, arrays[0].size, _STRETCH):
        code = codes[: arrays[0].size - start]
        code.fill(0)
        for array, low, width, shift in zip(arrays, lowest, bits, shifts, strict=True):
            # Whole numbers of 64 bits wrap around, so that none from outside can look as if it were within.
            places = array[start : start + _STRETCH].astype(np.int64, copy=False)
            if low:
                places = places - low
            if int(np.bitwise_or.reduce(places)) >> width:
                return None
            code |= np.left_shift(places, shift, out=shifted[: code.size])
        total += np.bincount(code, minlength=total.size)
    found = np.flatnonzero(total)
    labels = [
        tuple(array.dtype.type(low + place).item() for place in (found >> shift & (1 << width) - 1).tolist())
        for array, low, width, shift in zip(arrays, lowest, bits, shifts, strict=True)
    ]
    rows = total[found].astype(np.float64)
    return Counts(labels, rows, rows, rows)
