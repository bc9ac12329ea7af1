"""Metrics that a respondent may hold, each with its probability: what an interview leaves open."""

from __future__ import annotations

from collections.abc import Sequence
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
    """The weights of n metrics of a family, and the probability of each, (n,), in all 1."""

    weights: Weights
    probability: Floats
    family: str = Gaps.name

    def place_probabilities(
        self, models: Sequence[GroupRates], rng: np.random.Generator, *, indifferent: float = 0.0
    ) -> Floats:
        """Return the probability (models, places) of each place, with the sampling error of rates that have counts.

        A model stands behind those that cost less by more than `indifferent`; models that do not share the better
        place.
        """
        family = family_named(self.family)
        drawn = (one.draw(len(self.probability), rng) for one in models)
        costs = np.stack(
            [family.cost(profiles, one.setting, self.weights) for one, profiles in zip(models, drawn, strict=True)],
            axis=1,
        )
        found = places(costs, indifferent)
        n = len(models)
        return np.stack([np.bincount(found[:, one], self.probability, minlength=n) for one in range(n)])


def places(costs: Floats, indifferent: float = 0.0) -> NDArray[np.intp]:
    """Return the place (n, models) of each, from 0: the number of those that cost less by more than `indifferent`."""
    order = np.sort(costs, axis=1)
    limits = costs - max(indifferent, _SAME_COST)
    return np.stack([np.searchsorted(row, limit, side="left") for row, limit in zip(order, limits, strict=True)])


_SAME_COST = 1e-12
"""Costs that differ by no more than rounding errors are ties."""
