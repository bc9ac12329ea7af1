"""Columns of whole numbers that lie close together, counted in one pass: most labels are 0, 1, 2, ….

A stretch of rows that fits into the processor's cache is checked, combined and counted before the next one is read, so
that the memory is gone through once, which is what takes the time. The stretches share a few arrays, since new ones
would have to be fetched from the system each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.rates.counting.engine import Counts

_STRETCH = 1 << 17
_MOST_BITS, _MOST_BITS_TOGETHER = 10, 14


def count_close_integers(columns: Sequence[object]) -> Counts | None:
    """Count each combination of labels, or return None if these are not such columns, of equally many rows."""
    arrays = [array for array in columns if type(array) is np.ndarray and array.ndim == 1 and array.dtype.kind in "biu"]
    if len(arrays) < len(columns) or len({array.size for array in arrays}) != 1 or not arrays[0].size:
        return None
    # What the first stretch holds is expected of the others too; if that is wrong, all rows are looked at beforehand.
    return _count(arrays, _STRETCH) or _count(arrays, arrays[0].size)


def _count(arrays: list[NDArray[Any]], looked_at: int) -> Counts | None:
    lowest = [int(array[:looked_at].min()) for array in arrays]
    bits = [(int(array[:looked_at].max()) - low).bit_length() for array, low in zip(arrays, lowest, strict=True)]
    if max(bits) > _MOST_BITS or sum(bits) > _MOST_BITS_TOGETHER or any(abs(low) >= 1 << 31 for low in lowest):
        return None
    in_pairs = 2 * sum(bits) <= _MOST_BITS_TOGETHER
    total = _tally_in_pairs(arrays, lowest, bits) if in_pairs else _tally(arrays, lowest, bits)
    if total is None:
        return None
    found = np.flatnonzero(total)
    shifts = [sum(bits[place + 1 :]) for place in range(len(bits))]
    labels = [
        tuple(array.dtype.type(low + place).item() for place in (found >> shift & (1 << width) - 1).tolist())
        for array, low, width, shift in zip(arrays, lowest, bits, shifts, strict=True)
    ]
    rows = total[found].astype(np.float64)
    return Counts(labels, rows, rows, rows)


def _tally(arrays: list[NDArray[Any]], lowest: list[int], bits: list[int]) -> NDArray[np.int64] | None:
    """Count the rows under each code, which has so many bits for each column; None if a column needs more."""
    total = np.zeros(1 << sum(bits), dtype=np.int64)
    rows = arrays[0].size
    codes, places = np.empty((2, min(_STRETCH, rows)), dtype=np.uint16)
    wide = np.empty(codes.size, dtype=np.int64)
    for start in range(0, rows, _STRETCH):
        code, place, index = (buffer[: rows - start] for buffer in (codes, places, wide))
        code.fill(0)
        for array, low, width in zip(arrays, lowest, bits, strict=True):
            part = array[start : start + _STRETCH]
            if low:  # whole numbers of 64 bits wrap around, so that none from outside can look as if it were within
                part = np.subtract(part, low, out=index, dtype=np.int64, casting="unsafe")
            if int(np.bitwise_or.reduce(part)) >> width:
                return None
            np.copyto(place, part, casting="unsafe")
            code <<= width
            code |= place
        np.copyto(index, code)
        total += np.bincount(index, minlength=total.size)
    return total


def _tally_in_pairs(arrays: list[NDArray[Any]], lowest: list[int], bits: list[int]) -> NDArray[np.int64] | None:
    """Count two rows at once, one from each half, as if they were one row of twice as many columns.

    To add one is slow when the same count was added to just before: there are half as many to add, to more counts.
    """
    half = arrays[0].size // 2
    pairs = _tally([array[part : part + half] for part in (0, half) for array in arrays], 2 * lowest, 2 * bits)
    odd = _tally([array[2 * half :] for array in arrays], lowest, bits)
    if pairs is None or odd is None:
        return None
    square = pairs.reshape(odd.size, odd.size)
    total: NDArray[np.int64] = square.sum(axis=0) + square.sum(axis=1) + odd
    return total
