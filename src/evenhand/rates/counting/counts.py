"""Turns the counts of each combination of labels into rates; every way of counting ends here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.checks.messages import listed, shown
from evenhand.errors import EvenhandError
from evenhand.rates import labels, sensitive_features
from evenhand.rates.counting.cells import nobody
from evenhand.rates.counting.engine import Counts
from evenhand.rates.group_rates import GroupRates
from evenhand.rates.setting import Setting
from evenhand.typing import Floats, Label

_MOST_TOGETHER = 1000
"""As many models are counted in one pass over the table as have at most this many combinations of labels."""

_MOST_CELLS = 1_000_000
"""Groups × true classes × predictions: each model has a number for each."""


class WrongLabelsError(EvenhandError):
    """Some rows have labels that cannot be counted."""


@dataclass(frozen=True, eq=False)
class Population:
    """The people of a table: the setting, and Kish's effective sample size of each group and true class."""

    shared: list[str]
    setting: Setting
    sizes: Floats

    @classmethod
    def of(cls, counts: Counts, shared: list[str], setting: Setting | None) -> Population:
        """Read the people from the first columns of the counts: the label, then the groups."""
        if setting is None:
            classes, groups = (
                tuple(sorted(set(map(labels.plain, column))))
                for column in (_true_classes(counts, shared), _groups(counts, shared))
            )
        else:
            classes, groups = setting.classes, setting.groups
        if len(groups) * len(classes) ** 2 > _MOST_CELLS:
            raise EvenhandError(
                f"the column {shown(shared[0])} has {len(classes):,} classes, and there are {len(groups):,} groups: "
                "labels and groups must be classes and groups, not scores or identifiers"
            )
        cell = _cells(counts, shared, classes, groups)
        m, k = len(groups), len(classes)
        weight, squares = (
            np.bincount(cell, total, minlength=m * k).reshape(m, k) for total in (counts.weight, counts.squares)
        )
        if not weight.all():
            g, i = np.argwhere(weight == 0)[0]
            raise nobody(groups[g], classes[i])
        sizes = weight * (weight / squares)  # Kish's effective sample size; with equal weights, the count
        return cls(shared, setting or Setting(classes, groups, weight / weight.sum(axis=0)), sizes)

    def counted_together(self) -> int:
        """Return how many models to count in one pass over the table."""
        classes = len(self.setting.classes)
        left = _MOST_TOGETHER / self.sizes.size
        return max(1, int(log(max(left, 1)) / log(classes)))

    def rates(self, counts: Counts, models: list[str]) -> dict[str, GroupRates]:
        """Return the rates of models that were counted in one pass."""
        cell = _cells(counts, self.shared, self.setting.classes, self.setting.groups)
        m, k = self.sizes.shape
        rates = {}
        for model, column in zip(models, counts.labels[len(self.shared) :], strict=True):
            _check(column, counts, model)
            predicted = _places(column, self.setting.classes, counts, model, "classes")
            decisions: Floats = np.bincount(cell * k + predicted, counts.weight, minlength=m * k * k).astype(np.float64)
            decisions = decisions.reshape(m, k, k)
            matrix = decisions / decisions.sum(axis=-1, keepdims=True)
            rates[model] = GroupRates(setting=self.setting, matrix=matrix, counts=decisions, sizes=self.sizes)
        return rates


def _true_classes(counts: Counts, shared: list[str]) -> Sequence[Label]:
    _check(counts.labels[0], counts, shared[0])
    return counts.labels[0]


def _groups(counts: Counts, shared: list[str]) -> Sequence[Label]:
    """Return the group of each combination of labels; the names of several columns are joined by "&"."""
    columns = counts.labels[1 : len(shared)]
    for name, column in zip(shared[1:], columns, strict=True):
        _check(column, counts, name)
    if len(columns) == 1:
        return columns[0]
    together = list(zip(*columns, strict=True))
    return sensitive_features.joined(together, shared[1:])


def _cells(
    counts: Counts, shared: list[str], classes: tuple[Label, ...], groups: tuple[Label, ...]
) -> NDArray[np.intp]:
    true = _places(_true_classes(counts, shared), classes, counts, shared[0], "classes")
    group = _places(_groups(counts, shared), groups, counts, sensitive_features.name_of_columns(shared[1:]), "groups")
    return group * len(classes) + true


def _check(column: Sequence[Any], counts: Counts, name: str) -> None:
    """Refuse missing labels, values that are not labels, and text mixed with numbers."""
    kinds = {value: labels.kind(value) for value in set(column)}
    for value, kind in kinds.items():
        if kind == "missing":
            rows = _rows(column, counts, lambda label: labels.kind(label) == "missing")
            raise WrongLabelsError(f"the column {shown(name)} is missing ({shown(value)}) in {rows}: fill or drop them")
        if kind not in {"text", "a number"}:
            raise EvenhandError(
                f"the column {shown(name)} holds {shown(value)}, which is {kind}: labels must be text, numbers or "
                "true/false"
            )
    if len(set(kinds.values())) > 1:
        one, other = (next(value for value in column if kinds[value] == kind) for kind in ("text", "a number"))
        raise WrongLabelsError(
            f"the column {shown(name)} mixes text and numbers, such as {shown(one)} and {shown(other)}: turn them all "
            "into one kind"
        )


def _places(
    column: Sequence[Label], known: tuple[Label, ...], counts: Counts, name: str, what: str
) -> NDArray[np.intp]:
    place = {label: code for code, label in enumerate(known)}
    unseen = set(column) - place.keys()
    if unseen:
        others = sorted(map(labels.plain, unseen))
        message = (
            f"the column {shown(name)} has {listed(others)} in {_rows(column, counts, unseen.__contains__)}, "
            f"but the {what} are {listed(known)}"
        )
        if set(map(str, others)) & set(map(str, known)):
            message += "; text and numbers are different labels: turn both columns into one kind"
        raise WrongLabelsError(message)
    return np.fromiter(map(place.__getitem__, column), dtype=np.intp, count=len(column))


def _rows(column: Sequence[Any], counts: Counts, such: Callable[[Any], bool]) -> str:
    rows = sum(rows for label, rows in zip(column, counts.rows.tolist(), strict=True) if such(label))
    return f"{rows:,.0f} {'row' if rows == 1 else 'rows'}"
