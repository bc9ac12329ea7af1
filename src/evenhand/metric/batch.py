"""Many metrics side by side, so that a thousand simulated people cost little more than one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evenhand.checks.arrays import generator, whole_number
from evenhand.checks.messages import listed
from evenhand.errors import EvenhandError
from evenhand.metric.fair_metric import FairMetric
from evenhand.metric.families import Gaps
from evenhand.metric.weights import Weights
from evenhand.rates import Setting
from evenhand.rates.profile import gaps, overall_rates
from evenhand.typing import Floats


@dataclass(frozen=True, eq=False)
class MetricBatch:
    """Metrics of gaps in equally many classes and groups; arrays have a leading axis, one entry per metric.

    Examples
    --------
    >>> people = MetricBatch.random(2, 2, size=1000, random_state=0)
    >>> people.cost_of_profiles(np.full((2, 2), 0.5)).shape
    (1000,)
    """

    tau: Floats
    weights: Weights

    @classmethod
    def of(cls, metrics: Sequence[FairMetric]) -> MetricBatch:
        """Stack single metrics."""
        others = sorted({metric.family for metric in metrics} - {Gaps.name})
        if others:
            raise EvenhandError(f"a batch holds metrics of the family {Gaps.name!r}, but received {listed(others)}")
        shapes = {metric.setting.tau.shape for metric in metrics}
        if len(shapes) != 1:
            raise EvenhandError(
                "a batch needs metrics of equally many groups and kinds of mistake, but received "
                f"{listed(sorted(shapes)) or 'no metric at all'}"
            )
        return cls(
            np.stack([metric.setting.tau for metric in metrics]),
            Weights.stacked([metric.weights for metric in metrics]),
        )

    @classmethod
    def random(cls, classes: int, groups: int, size: int, random_state: int | np.random.Generator) -> MetricBatch:
        """Draw settings and metrics as `Setting.random` and `FairMetric.random` do."""
        rng, n = generator(random_state), whole_number(size, "size", 1)
        return cls.of([FairMetric.random(Setting.random(classes, groups, rng), rng) for _ in range(n)])

    def cost_of_profiles(self, profiles: Floats) -> Floats:
        """Return the cost (n,) of profiles (n, m, q), each judged by its own metric."""
        if profiles.shape[-2:] != self.tau.shape[-2:] or profiles.shape[:-2][-1:] not in {
            (),
            (1,),
            self.tau.shape[:1],
        }:
            raise EvenhandError(f"profiles must have shape {self.tau.shape}, but received {profiles.shape}")
        return self.weights.cost(overall_rates(profiles, self.tau), gaps(profiles))

    def costs_in(self, setting: Setting, profiles: Floats) -> Floats:
        """Return the cost (n, models) of models' profiles (models, m, q) in one setting, by every metric."""
        family = Gaps()
        return np.asarray(family.prices(self.weights) @ family.features(profiles, setting).T)
