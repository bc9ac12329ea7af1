"""Metrics that a respondent may hold, each with its probability: what an interview leaves open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.by_value import ByValue
from evenhand.metric.families import Gaps, family_named
from evenhand.metric.weights import Weights
from evenhand.rates import GroupRates
from evenhand.typing import Floats


@dataclass(frozen=True, eq=False)
class MetricSample(ByValue):
    """The weights of n metrics of a family, and the probability of each, (n,), in all 1.

    Examples
    --------
    >>> from evenhand import FairMetric, Setting, SimulatedOracle, elicit
    >>> setting = Setting.random(2, 2, random_state=7)
    >>> person = SimulatedOracle(FairMetric.random(setting, 7))
    >>> sample = elicit(person, setting, max_questions=8, random_state=0).uncertainty.sample
    >>> models = [GroupRates.trivial(setting, one) for one in setting.classes]
    >>> sample.costs(models).shape == (len(sample.probability), 2)
    True
    """

    weights: Weights
    probability: Floats
    family: str = Gaps.name

    def costs(self, models: Sequence[GroupRates]) -> Floats:
        """Return the cost (n, models) of each model by each metric, by the rates as measured."""
        family = family_named(self.family)
        features = np.stack([family.features(one.vector, one.setting) for one in models])
        return np.asarray(family.prices(self.weights) @ features.T)

    def place_probabilities(
        self, models: Sequence[GroupRates], drawn: Iterable[Floats], *, indifferent: float = 0.0
    ) -> Floats:
        """Return the probability (models, places) of each place, by rates `drawn` of each model, one for each metric.

        A model stands behind those that cost less by more than `indifferent`; models that do not share the better
        place.
        """
        n, family = len(models), family_named(self.family)
        pairs = zip(models, drawn, strict=True)
        costs = np.stack([family.cost(each, one.setting, self.weights) for one, each in pairs], axis=1)
        found = places(costs, indifferent)
        return np.stack([np.bincount(found[:, one], self.probability, minlength=n) for one in range(n)])


def places(costs: Floats, indifferent: float = 0.0) -> NDArray[np.intp]:
    """Return the place (n, models) of each, from 0: the number of those that cost less by more than `indifferent`."""
    order = np.sort(costs, axis=1)
    limits = costs - max(indifferent, _SAME_COST)
    return np.stack([row.searchsorted(limit) for row, limit in zip(order, limits, strict=True)])


def first_place(costs: Floats, probability: Floats, indifferent: float = 0.0) -> Floats:
    """Return the probability (models,) of place 0 by n costs (n, models), each with its probability (n,)."""
    first = costs.min(axis=1, keepdims=True) >= costs - max(indifferent, _SAME_COST)
    # Added up in the order in which `place_probabilities` does it, since both are shown.
    return np.array([np.bincount(one, probability, minlength=2)[1] for one in first.T.astype(np.intp)])


_SAME_COST = 1e-12
"""Costs that differ by no more than rounding errors are ties."""
