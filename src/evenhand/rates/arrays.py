"""Numbers from outside, checked once: they are numbers, of the right shape, and frozen."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from evenhand.errors import EvenhandError
from evenhand.rates.vector import Floats


def float_array(values: ArrayLike, name: str, shape: tuple[int, ...], meaning: str) -> Floats:
    """Return a read-only copy of `values` as floats of that shape, or say what was received."""
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise EvenhandError(f"{name} must be numbers, {meaning}: {error}") from error
    if array.shape != shape:
        raise EvenhandError(f"{name} has shape {array.shape}, but must have {shape}: {meaning}")
    array.flags.writeable = False
    return array
