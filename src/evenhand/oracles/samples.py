"""Somebody who is shown the rates on a finite sample: Ω(r̂₁, r̂₂) of the paper instead of Ω(r₁, r₂)."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from evenhand.checks.messages import expect
from evenhand.elicitation import Oracle
from evenhand.oracles.classifiers import ClassifierOracle, classifier_oracle
from evenhand.rates import GroupRates, group_rates
from evenhand.region import FeasibleRegion, MixtureClassifier


def sample_oracle(
    oracle: Oracle,
    region: FeasibleRegion,
    probabilities: ArrayLike,
    y_true: ArrayLike,
    *,
    sensitive_features: ArrayLike,
) -> ClassifierOracle[Any]:
    """Make an oracle that is asked about the classifiers behind the rates, as measured on a labelled sample.

    Each of the two profiles of a question is turned into a classifier of the region, that classifier decides about the
    people of the sample, and `oracle` is shown the rates of its decisions.
    """
    expect(region, "region", FeasibleRegion)

    def measured(classifier: MixtureClassifier) -> GroupRates:
        decided = classifier.predict_proba(probabilities, sensitive_features)
        return group_rates(y_true, decided, sensitive_features=sensitive_features, setting=region.setting)

    return classifier_oracle(
        lambda first, second: oracle(measured(first), measured(second)), classifier_for=region.classifier_for
    )
