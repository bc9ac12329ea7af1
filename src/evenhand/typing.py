"""Types that several folders share."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

Label = str | int | float | bool
"""The name of a class or a group."""

RandomState: TypeAlias = "int | np.random.Generator | None"  # a text: importing numpy.random takes 10 ms
"""What random numbers are drawn from: a seed, a generator, or fresh ones."""
