"""Ties: numbers that differ only by rounding errors count as equal, and the first of them is chosen.

Processors add in different orders and so differ in the last digits. A choice that depends on those digits would lead
to other questions, or another result, on another machine.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.typing import Floats

ROUNDING = 1e-9
"""Rates, costs, probabilities and bits that differ by at most this count as equal."""
_DECIMALS = 9


def comparable(values: NDArray[np.floating[Any]]) -> Floats:
    """Round away the digits that rounding errors may have changed.

    >>> comparable(np.array([0.1 + 0.2, 0.3])).argmax()
    np.int64(0)
    """
    return np.asarray(values, dtype=np.float64).round(_DECIMALS)
