"""Oracles that compare classifiers instead of rates: the paper's Γ(h₁, h₂).

For every metric of rates, comparing two classifiers is the same as comparing their rates. All that is needed is a
classifier with the rates of each profile in a question.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from numpy.typing import ArrayLike, NDArray

from evenhand.rates import GroupRates, labels
from evenhand.rates import sensitive_features as features
from evenhand.typing import Groups, RandomState

H = TypeVar("H")


class StandInClassifier:
    """A randomised classifier with given rates, for people whose true class is known.

    It draws predictions given the true class, so it cannot be deployed. On labelled data, it behaves like any
    classifier with these rates.

    Examples
    --------
    >>> from evenhand import Setting
    >>> setting = Setting(["no", "yes"], ["a", "b"], [[0.5, 0.5], [0.5, 0.5]])
    >>> always = StandInClassifier(GroupRates.trivial(setting, "yes"))
    >>> always.predict(["no", "yes"], sensitive_features=["a", "b"]).tolist()
    ['yes', 'yes']
    """

    def __init__(self, rates: GroupRates) -> None:
        self.rates = rates

    def predict(
        self,
        y_true: ArrayLike,
        *,
        sensitive_features: Groups,
        random_state: RandomState = None,
    ) -> NDArray[Any]:
        """Draw a predicted class for each person."""
        setting = self.rates.setting
        true = labels.read(y_true, "y_true", what="classes", known=setting.classes)
        rows = true.codes.size
        group = features.read(sensitive_features, known=setting.groups, rows=rows)
        return labels.drawn(self.rates.matrix[group.codes, true.codes], setting.classes, random_state)


class ClassifierOracle(Generic[H]):
    """An oracle made from a comparison of classifiers; `questions` counts its questions.

    Examples
    --------
    >>> from evenhand import Setting
    >>> setting = Setting(["no", "yes"], ["a", "b"], [[0.5, 0.5], [0.5, 0.5]])
    >>> oracle = ClassifierOracle(lambda one, other: bool(one.overall[0, 1] < other.overall[0, 1]), lambda rates: rates)
    >>> oracle(GroupRates.trivial(setting, "no"), GroupRates.uniform(setting)), oracle.questions
    (True, 1)
    """

    def __init__(self, prefers_first: Callable[[H, H], Any], classifier_for: Callable[[GroupRates], H]) -> None:
        self.prefers_first = prefers_first
        self.classifier_for = classifier_for
        self.questions = 0

    def __call__(self, first: GroupRates, second: GroupRates) -> Any:
        """Return whether the classifier with the first rates is preferred."""
        self.questions += 1
        return self.prefers_first(self.classifier_for(first), self.classifier_for(second))


def classifier_oracle(
    prefers_first: Callable[[Any, Any], Any],
    *,
    classifier_for: Callable[[GroupRates], Any] = StandInClassifier,
) -> ClassifierOracle[Any]:
    """Make an oracle from a function of two classifiers that says whether it prefers the first.

    `classifier_for` returns a classifier with given rates; by default a stand-in that draws predictions for people
    whose true class is known.

    Examples
    --------
    >>> from evenhand import Setting
    >>> setting = Setting([0, 1], ["a", "b"], [[0.5, 0.5], [0.5, 0.5]])
    >>> oracle = classifier_oracle(lambda h1, h2: bool(h1.rates.overall[1, 0] < h2.rates.overall[1, 0]))
    >>> oracle(GroupRates.trivial(setting, 1), GroupRates.uniform(setting))
    True
    """
    return ClassifierOracle(prefers_first, classifier_for)
