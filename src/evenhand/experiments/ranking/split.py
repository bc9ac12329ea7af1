"""60 % of the rows to train on, 40 % to test on, with every group's share of every class the same in both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.checks.messages import shown
from evenhand.errors import EvenhandError
from evenhand.experiments.datasets import Dataset
from evenhand.typing import Floats

TEST_SHARE = 0.4

Codes = NDArray[np.intp]
"""Classes or groups by their places in the sorted names."""
Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Split:
    """The rows to train on and to test on, and the class and the group of every row as a number."""

    dataset: Dataset
    train: Places
    test: Places
    classes: tuple[str, ...]
    groups: tuple[str, ...]
    label: Codes
    group: Codes

    @classmethod
    def of(cls, dataset: Dataset, seed: int) -> Split:
        """Draw which rows are which, cell by cell of group and class."""
        classes, label = np.unique(dataset.labels, return_inverse=True)
        groups, group = np.unique(dataset.groups, return_inverse=True)
        rng = np.random.default_rng([seed, *b"split"])
        train, test = [], []
        for g, group_name in enumerate(groups):
            for c, class_name in enumerate(classes):
                rows = rng.permutation(np.flatnonzero((group == g) & (label == c)))
                cut = round(TEST_SHARE * rows.size)
                if cut in {0, rows.size}:
                    raise EvenhandError(
                        f"{dataset.name} has {rows.size} rows of group {shown(str(group_name))} in class "
                        f"{shown(str(class_name))}: too few to train on some and to test on others"
                    )
                test.append(rows[:cut])
                train.append(rows[cut:])
        return cls(
            dataset,
            np.sort(np.concatenate(train)),
            np.sort(np.concatenate(test)),
            tuple(map(str, classes)),
            tuple(map(str, groups)),
            label,
            group,
        )

    @property
    def training(self) -> Rows:
        """The rows to train on."""
        return self._rows(self.train)

    @property
    def testing(self) -> Rows:
        """The rows to test on."""
        return self._rows(self.test)

    def _rows(self, chosen: Places) -> Rows:
        return Rows(self.dataset.features[chosen], self.label[chosen], self.group[chosen])


@dataclass(frozen=True, eq=False)
class Rows:
    """Some rows of a data set, as estimators take them."""

    features: Floats
    label: Codes
    group: Codes
