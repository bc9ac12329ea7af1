"""Which metric that has a name comes nearest to somebody's own: the one that decides most often as they would.

Two metrics are as near as their decisions are. Weights may differ much without changing which of two models is
preferred, and little and change it often; so what is counted is pairs of the models that there are to choose from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from evenhand.errors import EvenhandError
from evenhand.metric import FairMetric, cost_sensitive_error, equal_opportunity, error_rate_balance
from evenhand.rates import GroupRates, Setting
from evenhand.rates.names import shown_names
from evenhand.rates.vector import Floats

_SAME = 1e-12


@dataclass(frozen=True)
class Named:
    """A metric with its name, and the share of pairs of models that it decides alike."""

    name: str
    metric: FairMetric
    alike: float


def named_metrics(setting: Setting) -> dict[str, FairMetric]:
    """Return the metrics of this family that have a name, alone and half and half with the balanced error."""
    metrics = {"balanced error": cost_sensitive_error(setting)}
    for half, trade_off in (("", 1.0), (" and balanced error, half and half", 0.5)):
        metrics[f"equalized odds{half}"] = error_rate_balance(setting, trade_off=trade_off)
        for label, name in zip(setting.classes, shown_names(setting.classes), strict=True):
            opportunity = equal_opportunity(setting, positive=label, trade_off=trade_off)
            metrics[f"equal opportunity for “{name}”{half}"] = opportunity
    return metrics


def nearest(metric: FairMetric, candidates: Mapping[str, GroupRates]) -> tuple[Named, ...]:
    """Return the named metrics, the one first that decides most pairs of candidates as this metric does."""
    if len(candidates) < 2:
        raise EvenhandError("decisions are between two models, but there are fewer candidates")
    own = _decisions(metric, candidates)
    named = [
        Named(name, other, float((1 - np.abs(own - _decisions(other, candidates)) / 2).mean()))
        for name, other in named_metrics(metric.setting).items()
    ]
    return tuple(sorted(named, key=lambda one: -one.alike))


def _decisions(metric: FairMetric, candidates: Mapping[str, GroupRates]) -> Floats:
    """Return 1 or −1 for each pair, by which of the two costs less, and 0 where neither does."""
    costs = np.array([metric.cost(rates) for rates in candidates.values()])
    first, second = np.triu_indices(len(costs), 1)
    difference = costs[second] - costs[first]
    return np.where(np.abs(difference) <= _SAME, 0.0, np.sign(difference))
