"""Types that several folders share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

Label = str | int | float | bool
"""The name of a class or a group."""

Groups: TypeAlias = ArrayLike | Mapping[Any, ArrayLike]
"""The group of each person: a column, or a table of columns whose intersections are the groups."""

RandomState: TypeAlias = "int | np.random.Generator | None"  # a text: importing numpy.random takes 10 ms
"""What random numbers are drawn from: a seed, a generator, or fresh ones."""
