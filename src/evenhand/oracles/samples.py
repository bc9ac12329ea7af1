"""An oracle that sees rates measured on a finite sample: the paper's Ω(r̂₁, r̂₂) instead of Ω(r₁, r₂)."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from evenhand.checks.messages import expect
from evenhand.elicitation import Oracle
from evenhand.oracles.classifiers import ClassifierOracle, classifier_oracle
from evenhand.rates import GroupRates, group_rates
from evenhand.region import FeasibleRegion, MixtureClassifier
from evenhand.typing import Groups


def sample_oracle(
    oracle: Oracle,
    region: FeasibleRegion,
    probabilities: ArrayLike,
    y_true: ArrayLike,
    *,
    sensitive_features: Groups,
) -> ClassifierOracle[Any]:
    """Make an oracle that sees the rates of classifiers as measured on a labelled sample.

    For each of the two profiles of a question, a classifier of the region with these rates decides about the people of
    the sample. `oracle` is then shown the rates of those decisions.

    Examples
    --------
    >>> from evenhand import FairMetric, FeasibleRegion, SimulatedOracle
    >>> scores = [[0.9, 0.1], [0.5, 0.5], [0.1, 0.9], [0.8, 0.2], [0.4, 0.6], [0.2, 0.8]]
    >>> people = {"y_true": [0, 1, 1, 0, 0, 1], "sensitive_features": ["a", "a", "a", "b", "b", "b"]}
    >>> region = FeasibleRegion.from_scores(scores, **people)
    >>> person = SimulatedOracle(FairMetric.random(region.setting, 0))
    >>> oracle = sample_oracle(person, region, scores, **people)
    >>> oracle([0.5, 0.5], [0.45, 0.5])
    True
    """
    expect(region, "region", FeasibleRegion)

    def measured(classifier: MixtureClassifier) -> GroupRates:
        decided = classifier.predict_proba(probabilities, sensitive_features)
        return group_rates(y_true, decided, sensitive_features=sensitive_features, setting=region.setting)

    return classifier_oracle(
        lambda first, second: oracle(measured(first), measured(second)), classifier_for=region.classifier_for
    )
