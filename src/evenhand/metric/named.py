"""Metrics that people already know by name, as special cases of `FairMetric`.

Each keeps the preferences of the metric it is named after; the paper's normalisation only changes its
scale. With more than two classes, a gap is priced for each kind of mistake, so that the cost is zero only
if every such rate is equal; with two classes these are exactly the metrics of the literature.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from evenhand.checks.arrays import float_array, numbers
from evenhand.checks.messages import expect
from evenhand.errors import EvenhandError
from evenhand.metric.fair_metric import FairMetric
from evenhand.metric.families import Gaps
from evenhand.metric.weights import Weights
from evenhand.rates import Label, Setting, labels, off_diagonal
from evenhand.rates.profile import by_true_class
from evenhand.typing import Floats


def cost_sensitive_error(
    setting: Setting, costs: ArrayLike | None = None, *, class_shares: ArrayLike | None = None
) -> FairMetric:
    """Price mistakes only (λ = 0).

    `costs` is (k, k), the cost of predicting j for true class i with zeros on the diagonal, or (q,); all
    mistakes cost the same if not given. The rates of this family are those *within* a true class, so that a rare
    class weighs as much as a common one (as in balanced accuracy); with `class_shares` (k,), the share of people
    in each true class, every person weighs the same (as in plain accuracy).

    Examples
    --------
    >>> from evenhand import Setting
    >>> setting = Setting(["repays", "defaults"], ["women", "men"], [[0.5, 0.4], [0.5, 0.6]])
    >>> metric = cost_sensitive_error(setting, costs=[1, 3])
    >>> metric.trade_off, metric.misclassification.round(3).tolist()
    (0.0, [0.316, 0.949])
    """
    expect(setting, "setting", Setting)
    equal = Weights.equal(Gaps().dimensions(setting))
    if costs is None:
        weights = equal.misclassification
    else:
        weights = numbers(costs, "costs", "one per true and predicted class")
        k = len(setting.classes)
        if weights.shape == (k, k):
            if np.diagonal(weights).any():
                raise EvenhandError("a right decision costs nothing: the diagonal of the costs must be zero")
            weights = off_diagonal(weights)
    if class_shares is not None:
        shares = float_array(class_shares, "class_shares", (len(setting.classes),), "one per true class")
        weights = weights * by_true_class(shares)
    return FairMetric.from_weights(setting, misclassification=weights, violation=equal.violation, trade_off=0.0)


def equal_opportunity(
    setting: Setting, *, positive: Label, trade_off: float = 1.0, misclassification: ArrayLike | None = None
) -> FairMetric:
    """Price gaps in the mistakes made on people of the `positive` class, for all pairs of groups alike.

    Examples
    --------
    >>> from evenhand import Setting
    >>> setting = Setting(["repays", "defaults"], ["women", "men"], [[0.5, 0.4], [0.5, 0.6]])
    >>> metric = equal_opportunity(setting, positive="repays")
    >>> metric.trade_off, metric.violation.tolist()
    (1.0, [[1.0, 0.0]])
    """
    return _gaps_in(setting, _of_true_class(setting, positive, "positive"), trade_off, misclassification)


def balance_for_the_negative_class(
    setting: Setting, *, negative: Label, trade_off: float = 1.0, misclassification: ArrayLike | None = None
) -> FairMetric:
    """Price gaps in the mistakes made on people of the `negative` class, for all pairs of groups alike.

    Examples
    --------
    >>> from evenhand import Setting
    >>> setting = Setting(["repays", "defaults"], ["women", "men"], [[0.5, 0.4], [0.5, 0.6]])
    >>> balance_for_the_negative_class(setting, negative="repays").violation.tolist()
    [[1.0, 0.0]]
    """
    return _gaps_in(setting, _of_true_class(setting, negative, "negative"), trade_off, misclassification)


def error_rate_balance(
    setting: Setting, *, trade_off: float = 1.0, misclassification: ArrayLike | None = None
) -> FairMetric:
    """Price gaps in every kind of mistake equally, for all pairs of groups alike.

    Examples
    --------
    >>> from evenhand import Setting
    >>> setting = Setting(["repays", "defaults"], ["women", "men"], [[0.5, 0.4], [0.5, 0.6]])
    >>> error_rate_balance(setting).violation.round(3).tolist()
    [[0.707, 0.707]]
    """
    expect(setting, "setting", Setting)
    return _gaps_in(setting, np.ones(len(setting.mistakes)), trade_off, misclassification)


def weighted_equalized_odds(
    setting: Setting, weights: ArrayLike, *, trade_off: float = 1.0, misclassification: ArrayLike | None = None
) -> FairMetric:
    """Price the gap in each kind of mistake by its own weight (q,), for all pairs of groups alike.

    Examples
    --------
    >>> from evenhand import Setting
    >>> setting = Setting(["repays", "defaults"], ["women", "men"], [[0.5, 0.4], [0.5, 0.6]])
    >>> weighted_equalized_odds(setting, [1, 3]).violation.round(3).tolist()
    [[0.316, 0.949]]
    """
    expect(setting, "setting", Setting)
    q = len(setting.mistakes)
    return _gaps_in(
        setting,
        float_array(weights, "weights", (q,), "one per kind of mistake"),
        trade_off,
        misclassification,
    )


def _of_true_class(setting: Setting, label: Label, name: str) -> Floats:
    expect(setting, "setting", Setting)
    place = labels.place_of(label, setting.classes, name)
    return np.array([float(true == setting.classes[place]) for true, _ in setting.mistakes])


def _gaps_in(setting: Setting, weights: Floats, trade_off: float, misclassification: ArrayLike | None) -> FairMetric:
    """Normalise both parts first, so that `trade_off` means the same as in `FairMetric`."""
    if not weights.any():
        raise EvenhandError("all weights are zero, so no gap between groups would count")
    equal = Weights.equal(Gaps().dimensions(setting))
    mistakes = equal.misclassification if misclassification is None else misclassification
    a = FairMetric.from_weights(
        setting, misclassification=mistakes, violation=equal.violation, trade_off=0.0
    ).misclassification
    B = FairMetric.from_weights(
        setting,
        misclassification=equal.misclassification,
        violation=np.tile(weights, (len(setting.pairs), 1)),
        trade_off=1.0,
    ).violation
    return FairMetric(setting, misclassification=a, violation=B, trade_off=trade_off)
