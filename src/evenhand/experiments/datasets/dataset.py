"""`Dataset`: features, labels and groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.checks.messages import shown
from evenhand.errors import EvenhandError
from evenhand.typing import Floats

Texts = NDArray[np.str_]


@dataclass(frozen=True, eq=False)
class Dataset:
    """Features (n, f), labels (n,) and groups (n,); unpacks into these three.

    The names of classes and groups sort in their natural order.
    """

    name: str
    features: Floats
    labels: Texts
    groups: Texts
    feature_names: tuple[str, ...]

    def __post_init__(self) -> None:
        for array in (self.features, self.labels, self.groups):
            array.flags.writeable = False

    def __iter__(self) -> Iterator[NDArray[Any]]:
        """Yield features, labels and groups."""
        return iter((self.features, self.labels, self.groups))

    def feature(self, name: str) -> Floats:
        """Return one column of the features."""
        if name not in self.feature_names:
            raise EvenhandError(f"{self.name} has no feature {shown(name)}: see its feature_names")
        return np.asarray(self.features[:, self.feature_names.index(name)])
