"""Counts the rows, or sums the weights, of each code."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.typing import Floats

# NumPy converts codes to 64-bit integers to count them: cheap for blocks of rows that fit into the processor's cache.
_BLOCK = 1 << 16


def tally(codes: NDArray[Any], size: int, weight: Floats | None = None) -> Floats:
    """Return the number of rows (or their weight) of each code below `size`."""
    total = np.zeros(size)
    block = max(_BLOCK, size)
    for start in range(0, codes.size, block):
        rows = slice(start, start + block)
        total += np.bincount(codes[rows], None if weight is None else weight[rows], minlength=size)
    return total
