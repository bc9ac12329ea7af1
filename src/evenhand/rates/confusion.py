"""Reads rates from confusion matrices, and from Fairlearn's `MetricFrame`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evenhand.checks.arrays import float_array
from evenhand.checks.messages import listed, shown
from evenhand.errors import EvenhandError
from evenhand.rates import labels
from evenhand.rates.counting.cells import nobody
from evenhand.rates.group_rates import GroupRates
from evenhand.rates.sensitive_features import joined
from evenhand.rates.setting import Setting
from evenhand.typing import Floats, Label

_SHARES = {
    "true_positive_rate": (1, 1),
    "recall_score": (1, 1),
    "false_negative_rate": (1, 0),
    "false_positive_rate": (0, 1),
    "true_negative_rate": (0, 0),
}
"""Fairlearn's rates of two classes: the true class and the predicted class of each."""
_CONFUSION = "confusion_matrix"
_AXES = "(true, predicted classes), for which scikit-learn takes the classes as labels"


def counted(matrices: Mapping[Any, ArrayLike], classes: Sequence[Label], setting: Setting | None) -> GroupRates:
    """Return the rates of a confusion matrix for each group."""
    if not hasattr(matrices, "items"):
        raise EvenhandError(f"matrices must be a mapping of groups to confusion matrices: received {shown(matrices)}")
    names = labels.names(classes, "classes")
    k = len(names)
    by_group = dict(zip(_groups(list(matrices.keys())), (matrix for _, matrix in matrices.items()), strict=True))
    counts: Floats = (
        np.stack(
            [
                float_array(matrix, f"the confusion matrix of group {shown(group)}", (k, k), _AXES)
                for group, matrix in by_group.items()
            ]
        )
        if by_group
        else np.empty((0, k, k))
    )
    if not (np.isfinite(counts).all() and (counts >= 0).all()):
        group = list(by_group)[int(np.argmax(~(np.isfinite(counts) & (counts >= 0)).all(axis=(1, 2))))]
        raise EvenhandError(f"the confusion matrix of group {shown(group)} must hold counts of people, not negative")
    people = counts.sum(axis=-1)
    if not people.all():
        g, i = np.argwhere(people == 0)[0]
        raise nobody(list(by_group)[g], names[i])
    if np.allclose(people, 1) and (counts % 1).any():
        raise EvenhandError("each row of every confusion matrix sums to 1: give counts, without normalize='true'")
    own = Setting(names, list(by_group), people / people.sum(axis=0))
    rates = GroupRates(setting=own, matrix=counts / people[..., None], counts=counts, sizes=people)
    return rates if setting is None else _in_setting(rates, setting)


def from_frame(frame: Any, classes: Sequence[Label], setting: Setting | None) -> GroupRates:
    """Return the rates of a Fairlearn `MetricFrame`."""
    by_group = getattr(frame, "by_group", None)
    if by_group is None or not hasattr(by_group, "items"):
        raise EvenhandError(f"frame must be a MetricFrame of Fairlearn, but received {shown(frame)}")
    if not hasattr(by_group, "columns"):  # of a single metric
        if not _are_matrices(by_group):
            raise EvenhandError("this MetricFrame has no confusion matrix: make it with metrics=confusion_matrix")
        return counted(_of_somebody(by_group), classes, setting)
    metrics = list(by_group.columns)
    matrices = [name for name in metrics if _are_matrices(by_group[name])]
    if matrices:  # whatever they are called
        found = _CONFUSION if _CONFUSION in matrices else matrices[0]
        return counted(_of_somebody(by_group[found]), classes, setting)
    rows = {_SHARES[name][0]: name for name in metrics if name in _SHARES}
    if set(rows) != {0, 1}:
        raise EvenhandError(
            f"rates cannot be read from the metrics {listed(metrics)}: a MetricFrame needs scikit-learn's "
            "confusion_matrix or, for two classes, rates under the names 'true_positive_rate' and "
            "'false_positive_rate' (or the rates that complement them)"
        )
    names = labels.names(classes, "classes")
    if len(names) != 2:
        raise EvenhandError(f"these rates are about two classes, but received {listed(names)}: use confusion_matrix")
    if setting is None:
        raise EvenhandError(
            "a MetricFrame of rates does not hold the prevalence: give setting=Setting.from_labels(…), or put "
            "confusion_matrix among its metrics"
        )
    groups = _groups(list(by_group.index))
    matrix = np.empty((len(groups), 2, 2))
    for true, name in rows.items():
        predicted = _SHARES[name][1]
        matrix[:, true, predicted] = np.asarray(by_group[name], dtype=np.float64)
        matrix[:, true, 1 - predicted] = 1 - matrix[:, true, predicted]
    anywhere = Setting(names, groups, np.full((len(groups), 2), 1 / len(groups)))
    return _in_setting(GroupRates(setting=anywhere, matrix=matrix), setting)


def _are_matrices(values: Any) -> bool:
    """Whether a metric of each group is a matrix; of groups that nobody is in, Fairlearn gives NaN instead."""
    others = [value for value in values if np.ndim(value) != 2]
    return len(others) < len(values) and all(isinstance(value, float) and isnan(value) for value in others)


def _of_somebody(matrices: Any) -> dict[Any, Any]:
    """Return the matrices of the groups that somebody is in: not everybody has each combination of features."""
    return {group: matrix for group, matrix in matrices.items() if np.ndim(matrix) == 2}


def _groups(keys: list[Any]) -> list[Label]:
    """Return the names of groups; those of several features are joined as in tables."""
    if any(isinstance(key, tuple) for key in keys):
        return list(joined([tuple(key) for key in keys], ["sensitive features"]))
    return [labels.plain(key) for key in keys]


def _in_setting(rates: GroupRates, setting: Setting) -> GroupRates:
    mine = rates.arranged(setting)
    return GroupRates(setting=setting, matrix=mine.matrix, counts=mine.counts, sizes=mine.sizes)
