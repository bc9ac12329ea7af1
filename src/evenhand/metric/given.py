"""The parts of a metric that are known already, and are not asked about."""

from __future__ import annotations

from numpy.typing import ArrayLike

from evenhand.metric import FairMetric
from evenhand.metric.fair_metric import equal_misclassification, equal_violation
from evenhand.rates import Setting
from evenhand.typing import Floats


def given_weights(
    setting: Setting, misclassification: ArrayLike | None, violation: ArrayLike | None
) -> tuple[Floats | None, Floats | None]:
    """Return a and B as far as they are given, checked and normalised."""
    a = B = None
    if misclassification is not None:
        a = FairMetric.from_weights(
            setting, misclassification=misclassification, violation=equal_violation(setting), trade_off=0.0
        ).misclassification
    if violation is not None:
        B = FairMetric.from_weights(
            setting, misclassification=equal_misclassification(setting), violation=violation, trade_off=1.0
        ).violation
    return a, B
