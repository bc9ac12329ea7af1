"""Splits the rows into 60 % for training and 40 % for testing, stratified by group and class."""

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
"""Classes or groups as indices into the sorted names."""
Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Split:
    """The indices of training and test rows, and the class and group of every row as codes."""

    dataset: Dataset
    train: Places
    test: Places
    classes: tuple[str, ...]
    groups: tuple[str, ...]
    label: Codes
    group: Codes

    @classmethod
    def of(cls, dataset: Dataset, seed: int) -> Split:
        """Draw the split, separately for each group and class."""
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
                        f"{shown(str(class_name))}: too few for both training and testing"
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
        """The training rows."""
        return self._rows(self.train)

    @property
    def testing(self) -> Rows:
        """The test rows."""
        return self._rows(self.test)

    def _rows(self, chosen: Places) -> Rows:
        return Rows(self.dataset.features[chosen], self.label[chosen], self.group[chosen])


@dataclass(frozen=True, eq=False)
class Rows:
    """The features, labels and groups of some rows."""

    features: Floats
    label: Codes
    group: Codes
