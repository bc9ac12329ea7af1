"""How many rows, or how much weight, fall under each code."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.typing import Floats

# NumPy counts in 64-bit integers: a stretch of rows that fits into the processor's cache is widened for little.
_STRETCH = 1 << 16


def tally(codes: NDArray[Any], size: int, weight: Floats | None = None) -> Floats:
    """Return the number of rows (or their weight) of each code below `size`."""
    total = np.zeros(size)
    stretch = max(_STRETCH, size)
    for start in range(0, codes.size, stretch):
        rows = slice(start, start + stretch)
        total += np.bincount(codes[rows], None if weight is None else weight[rows], minlength=size)
    return total
