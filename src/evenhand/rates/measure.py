"""From labels and predictions in arrays to the rates of each group, in one counting pass."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.errors import EvenhandError
from evenhand.rates import labels
from evenhand.rates.arrays import float_array
from evenhand.rates.group_rates import GroupRates
from evenhand.rates.setting import Setting, check_every_cell
from evenhand.rates.vector import Floats
from evenhand.rates.weights import sample_weights

_SUM_TOLERANCE = 1e-6


def group_rates(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sensitive_features: ArrayLike,
    sample_weight: ArrayLike | None = None,
    setting: Setting | None = None,
) -> GroupRates:
    """Measure what a classifier does to each group.

    Parameters
    ----------
    y_true
        The true class of each person.
    y_pred
        The predicted class of each person, or, for a randomised classifier, an array (n, k) of class
        probabilities whose columns follow `setting.classes` (sorted, if no setting is given).
    sensitive_features
        The group of each person.
    sample_weight
        How much each person counts; equally, if not given.
    setting
        The classes, groups and prevalence to measure in; read off the sample if not given.

    Examples
    --------
    >>> rates = group_rates([0, 0, 1, 1], [0, 1, 1, 1], sensitive_features=list("abab"))
    >>> rates.vector
    array([[0., 0.],
           [1., 0.]])
    """
    true = labels.column(y_true, "y_true")
    if setting is None:
        setting = Setting.from_labels(true, sensitive_features=sensitive_features, sample_weight=sample_weight)
    group = labels.column(sensitive_features, "sensitive_features", rows=true.size)
    m, k = len(setting.groups), len(setting.classes)
    cell = labels.codes(group, setting.groups, "sensitive_features", "groups") * k
    cell += labels.codes(true, setting.classes, "y_true", "classes")
    weight = None if sample_weight is None else sample_weights(sample_weight, true.size)

    people = np.bincount(cell, weight, minlength=m * k)
    check_every_cell(people.reshape(m, k), setting.classes, setting.groups)
    if np.ndim(y_pred) == 2:
        counts = _expected_counts(cell, m * k, _probabilities(y_pred, true.size, k), weight)
    else:
        predicted = labels.column(y_pred, "y_pred", rows=true.size)
        decision = cell * k + labels.codes(predicted, setting.classes, "y_pred", "classes")
        counts = np.bincount(decision, weight, minlength=m * k * k).astype(np.float64).reshape(-1, k)
    sizes = people.astype(np.float64)
    if weight is not None:  # Kish's effective sample size
        sizes = sizes**2 / np.bincount(cell, weight**2, minlength=m * k)
    return GroupRates(
        setting=setting,
        matrix=(counts / counts.sum(axis=1, keepdims=True)).reshape(m, k, k),
        counts=counts.reshape(m, k, k),
        sizes=sizes.reshape(m, k),
    )


def _expected_counts(cell: NDArray[np.intp], cells: int, probabilities: Floats, weight: Floats | None) -> Floats:
    weighted = probabilities if weight is None else probabilities * weight[:, None]
    return np.stack([np.bincount(cell, column, minlength=cells) for column in weighted.T], axis=1)


def _probabilities(values: ArrayLike, rows: int, classes: int) -> Floats:
    array = float_array(values, "y_pred", (rows, classes), "one row per person, one column per class")
    # NaN compares false with everything, so it is caught here too.
    wrong = ~((array >= 0) & (array <= 1)).all(axis=1) | ~(np.abs(array.sum(axis=1) - 1) <= _SUM_TOLERANCE)
    if wrong.any():
        row = int(wrong.argmax())
        raise EvenhandError(
            f"y_pred in row {row} is {array[row].tolist()}: probabilities lie between 0 and 1 and sum to 1"
        )
    return array
