"""The metrics with a name that come nearest to a metric: how often would they decide differently?

Two metrics are as near as their decisions are. Weights may differ much without changing which of two models is
preferred, or little and change it often; so what is counted is pairs of the models that there are to choose from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from evenhand.errors import EvenhandError
from evenhand.metric.fair_metric import FairMetric
from evenhand.metric.named import cost_sensitive_error, equal_opportunity, error_rate_balance
from evenhand.rates import GroupRates, Setting
from evenhand.rates.names import shown_names
from evenhand.rates.vector import Floats

_SAME_COST = 1e-12


@dataclass(frozen=True, eq=False)
class Near:
    """A metric with a name, and the share of pairs of models that it decides differently."""

    name: str
    metric: FairMetric
    differs: float


def named_metrics(setting: Setting, trade_off: float) -> dict[str, FairMetric]:
    """Return the metrics of this family that have a name: alone, and together with the balanced error."""
    metrics = {"balanced error": cost_sensitive_error(setting)}
    for share, ending in ((1.0, ""), (trade_off, " + balanced error")):
        metrics[f"equalized odds{ending}"] = error_rate_balance(setting, trade_off=share)
        for label, name in zip(setting.classes, shown_names(setting.classes), strict=True):
            opportunity = equal_opportunity(setting, positive=label, trade_off=share)
            metrics[f"equal opportunity for “{name}”{ending}"] = opportunity
    return metrics


def nearest(metric: FairMetric, candidates: Mapping[str, GroupRates]) -> tuple[Near, ...]:
    """Return all named metrics, the one first that decides fewest pairs of candidates differently."""
    if len(candidates) < 2:
        raise EvenhandError(f"a decision is between two models, but there are {len(candidates)} candidates")
    own = _decisions(metric, candidates)
    near = [
        Near(name, named, float(np.mean(own != _decisions(named, candidates))))
        for name, named in named_metrics(metric.setting, metric.trade_off).items()
    ]
    return tuple(sorted(near, key=lambda one: one.differs))


def _decisions(metric: FairMetric, candidates: Mapping[str, GroupRates]) -> Floats:
    """Return for each pair 1 or −1, by which of the two costs less, or 0 if they cost the same."""
    costs = np.array([metric.cost(rates) for rates in candidates.values()])
    first, second = np.triu_indices(len(costs), 1)
    saving = costs[second] - costs[first]
    return np.sign(np.where(np.abs(saving) <= _SAME_COST, 0.0, saving))
