"""Ties: numbers that differ by rounding errors alone are equal, and a choice between them goes to the first.

Processors add in different orders and round the last digits differently. A choice that compares such digits would ask
other questions, or find another result, on another machine.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.typing import Floats

ROUNDING = 1e-9
"""Rates, costs, probabilities and bits that differ by no more than this are equal."""
_DECIMALS = 9


def comparable(values: NDArray[np.floating[Any]]) -> Floats:
    """Return the values without the digits that rounding errors may have changed.

    >>> comparable(np.array([0.1 + 0.2, 0.3])).argmax()
    np.int64(0)
    """
    return np.asarray(values, dtype=np.float64).round(_DECIMALS)
