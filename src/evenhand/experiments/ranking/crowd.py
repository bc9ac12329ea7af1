"""Random metrics over one data set's models: what each model truly costs, and what a method takes it to cost."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evenhand.experiments.ranking.scores import Scores
from evenhand.metric import FairMetric, MetricBatch
from evenhand.rates import GroupRates, Setting
from evenhand.typing import Floats


@dataclass(frozen=True, eq=False)
class Crowd:
    """People who hold random metrics, and the models that they have to choose from."""

    name: str
    rates: dict[str, GroupRates]
    metrics: tuple[FairMetric, ...]

    @classmethod
    def random(cls, name: str, rates: dict[str, GroupRates], size: int, seed: int) -> Crowd:
        """Draw people; who they are depends on the seed and on the data set, not on how many there are."""
        setting = next(iter(rates.values())).setting
        rng = np.random.default_rng([seed, *name.encode()])
        return cls(name, rates, tuple(FairMetric.random(setting, rng) for _ in range(size)))

    def facing(self, rates: dict[str, GroupRates]) -> Crowd:
        """Return the same people, with the same weights, before the models of another population."""
        setting = next(iter(rates.values())).setting
        return Crowd(self.name, rates, tuple(FairMetric.of(setting, one.weights) for one in self.metrics))

    @property
    def setting(self) -> Setting:
        """The classes, groups and prevalence of the testing rows."""
        return next(iter(self.rates.values())).setting

    @cached_property
    def hidden(self) -> MetricBatch:
        """The metrics, side by side."""
        return MetricBatch.of(self.metrics)

    @cached_property
    def profiles(self) -> Floats:
        """The rates of every model, (models, m, q)."""
        return np.stack([one.vector for one in self.rates.values()])

    @cached_property
    def costs(self) -> Floats:
        """What every model costs by every true metric, (n, models)."""
        return self.costs_by(self.hidden)

    def costs_by(self, metrics: MetricBatch) -> Floats:
        """Return what every model costs by other metrics, (n, models)."""
        return metrics.costs_in(self.setting, self.profiles)

    def scores(self, estimated: MetricBatch, questions: int) -> Scores:
        """Say how well the orders by estimated metrics agree with the true ones."""
        return Scores.of(self.costs, self.costs_by(estimated), questions)
