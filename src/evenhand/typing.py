"""Types that several folders share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

Label = str | int | float | bool
"""The name of a class or a group."""

RandomState = int | np.random.Generator | None
"""What random numbers are drawn from: a seed, a generator, or fresh ones."""
