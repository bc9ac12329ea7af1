"""`group_rates`: measures the rates of a classifier from arrays of labels and predictions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.checks.columns import class_probabilities, sample_weights
from evenhand.checks.messages import expect
from evenhand.errors import EvenhandError
from evenhand.rates import labels
from evenhand.rates import sensitive_features as features
from evenhand.rates.counting.cells import cell_of_each, count_people
from evenhand.rates.counting.close_integers import count_close_integers
from evenhand.rates.counting.counts import Population
from evenhand.rates.counting.tally import tally
from evenhand.rates.group_rates import GroupRates
from evenhand.rates.setting import Setting
from evenhand.typing import Floats, Groups


def group_rates(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sensitive_features: Groups,
    sample_weight: ArrayLike | None = None,
    setting: Setting | None = None,
) -> GroupRates:
    """Measure the rates of a classifier in each group.

    Parameters
    ----------
    y_true
        The true class of each person.
    y_pred
        The predicted class of each person, or, for a randomised classifier, an array (n, k) of class
        probabilities whose columns follow `setting.classes` (sorted, if no setting is given).
    sensitive_features
        The group of each person: a column, or several (a data frame, an array, or a mapping of columns) whose
        intersections are the groups, such as `"women & under 30"`.
    sample_weight
        The weight of each person; by default all count equally.
    setting
        The classes, groups and prevalence; by default those of the sample.

    Examples
    --------
    >>> rates = group_rates([0, 0, 1, 1], [0, 1, 1, 1], sensitive_features=list("abab"))
    >>> rates.vector
    array([[0., 0.],
           [1., 0.]])
    """
    if setting is not None:
        expect(setting, "setting", Setting)
    if sample_weight is None:
        quickly = _quickly([y_true, sensitive_features, y_pred], setting)
        if quickly is not None:
            return quickly
    classes, groups = (None, None) if setting is None else (setting.classes, setting.groups)
    true = labels.read(y_true, "y_true", what="classes", known=classes)
    rows = true.codes.size
    group = features.read(sensitive_features, known=groups, rows=rows)
    weight = None if sample_weight is None else sample_weights(sample_weight, rows)
    cell = cell_of_each(group.codes, len(group.labels), true)
    people = count_people(cell, group.labels, true.labels, weight)
    if setting is None:
        setting = Setting(true.labels, group.labels, people / people.sum(axis=0))

    m, k = people.shape
    predictions = labels.as_array(y_pred, "y_pred")
    if predictions.ndim == 2:
        chances = class_probabilities(predictions, "y_pred", rows=rows, classes=k, instead="; or one label per row")
        counts = _expected_counts(cell, m * k, chances, weight)
    else:
        predicted = labels.read(predictions, "y_pred", what="classes", known=setting.classes, rows=rows)
        decision = cell_of_each(cell, m * k, predicted)
        counts = tally(decision, m * k * k, weight).reshape(m * k, k)
    sizes = people.ravel()
    if weight is not None:  # Kish's effective sample size; shares, so that no square over- or underflows
        share = weight / sizes[cell]
        sizes = 1 / tally(cell, m * k, share * share)
    return GroupRates(
        setting=setting,
        matrix=(counts / counts.sum(axis=1, keepdims=True)).reshape(m, k, k),
        counts=counts.reshape(m, k, k),
        sizes=sizes.reshape(m, k),
    )


def _quickly(columns: list[Groups], setting: Setting | None) -> GroupRates | None:
    """Return the rates if all labels are integers in a small range and the input has no errors; else None."""
    counts = count_close_integers(columns)
    if counts is None:
        return None
    try:
        return Population.of(counts, ["y_true", "sensitive_features"], setting).rates(counts, ["y_pred"])["y_pred"]
    except EvenhandError:
        return None  # the general way finds the error too, and can name the row


def _expected_counts(cell: NDArray[Any], cells: int, probabilities: Floats, weight: Floats | None) -> Floats:
    columns = probabilities.T if weight is None else (column * weight for column in probabilities.T)
    return np.stack([tally(cell, cells, column) for column in columns], axis=1)
