"""Counts columns of integers in a small range in one pass: most labels are 0, 1, 2, ….

Reading memory takes most of the time. So each block of rows that fits into the processor's cache is checked, combined
and counted before the next one is read. The blocks reuse a few arrays, since allocating new ones takes time too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.rates.counting.engine import Counts

_BLOCK = 1 << 17
_MOST_BITS, _MOST_BITS_TOGETHER = 10, 14


def count_close_integers(columns: Sequence[object]) -> Counts | None:
    """Count each combination of labels; return None unless all columns are such integers and equally long."""
    arrays = [array for array in columns if type(array) is np.ndarray and array.ndim == 1 and array.dtype.kind in "biu"]
    if len(arrays) < len(columns) or len({array.size for array in arrays}) != 1 or not arrays[0].size:
        return None
    # Guess the range of each column from its first block; if a later block exceeds it, start again with the true range.
    return _count(arrays, _BLOCK) or _count(arrays, arrays[0].size)


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
    """Count the rows of each code, which has `bits` bits for each column; return None if a column needs more."""
    total = np.zeros(1 << sum(bits), dtype=np.int64)
    rows = arrays[0].size
    codes, places = np.empty((2, min(_BLOCK, rows)), dtype=np.uint16)
    wide = np.empty(codes.size, dtype=np.int64)
    for start in range(0, rows, _BLOCK):
        code, place, index = (buffer[: rows - start] for buffer in (codes, places, wide))
        code.fill(0)
        for array, low, width in zip(arrays, lowest, bits, strict=True):
            part = array[start : start + _BLOCK]
            if low:  # 64-bit integers wrap around, so no value outside the range can look like one inside
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
    """Count two rows at once, one from each half, as one row of twice as many columns.

    Adding one to a counter is slow if the same counter was just increased. This way there are half as many additions,
    spread over more counters.
    """
    half = arrays[0].size // 2
    pairs = _tally([array[part : part + half] for part in (0, half) for array in arrays], 2 * lowest, 2 * bits)
    odd = _tally([array[2 * half :] for array in arrays], lowest, bits)
    if pairs is None or odd is None:
        return None
    square = pairs.reshape(odd.size, odd.size)
    total: NDArray[np.int64] = square.sum(axis=0) + square.sum(axis=1) + odd
    return total
