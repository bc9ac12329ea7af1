"""The metrics with a name that come nearest to a metric: how often would they decide differently?

Weights that look alike can decide differently and the other way round, so that nearness is measured by decisions: the
share of pairs of models that the two metrics order differently. Without candidates the models are made up, with
between 5 and 40 of 100 people of each group and class got wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from evenhand.checks.messages import expect
from evenhand.metric.fair_metric import FairMetric
from evenhand.metric.named import cost_sensitive_error, equal_opportunity, error_rate_balance
from evenhand.rates import GroupRates, Setting
from evenhand.rates.models import made_up_models
from evenhand.typing import Floats
from evenhand.wording.names import shown_names

_PAIRS = 4000
_TO_BREAK_TIES = 500
_SAME_COST = 1e-12


@dataclass(frozen=True, eq=False)
class Near:
    """A metric with a name, and the share of comparisons that it would decide differently."""

    name: str
    metric: FairMetric
    differs: float


def nearest(metric: FairMetric, candidates: Mapping[str, GroupRates] | None = None) -> tuple[Near, ...]:
    """Return all named metrics, the nearest first; among candidates, if two or more are given.

    Few candidates tell few metrics apart: those that decide equally often differently come in the order of how often
    they would among made-up models.
    """
    expect(metric, "metric", FairMetric)
    named = dict(named_metrics(metric.setting, metric.trade_off))
    several = candidates if candidates is not None and len(candidates) > 1 else {}
    pairs = _TO_BREAK_TIES if several else _PAIRS
    profiles = made_up_models(metric.setting, 2 * pairs, np.random.default_rng(0))

    def among_made_up(by: FairMetric) -> Floats:
        cost = by.cost(profiles)
        return np.asarray(cost[pairs:] - cost[:pairs])

    found = _by_nearness(metric, named, among_made_up)
    if not several:
        return found
    rates = [one.arranged(metric.setting) for one in several.values()]
    first, second = np.triu_indices(len(rates), 1)

    def among_candidates(by: FairMetric) -> Floats:
        cost = np.array([by.cost(one) for one in rates])
        return np.asarray(cost[second] - cost[first])

    return _by_nearness(metric, {near.name: near.metric for near in found}, among_candidates)


def _by_nearness(
    metric: FairMetric, named: Mapping[str, FairMetric], saving: Callable[[FairMetric], Floats]
) -> tuple[Near, ...]:
    """Return the named metrics, the nearest first; those that are equally near stay in their order."""
    own = _decisions(saving(metric))
    found = [Near(name, one, float(np.mean(own != _decisions(saving(one))))) for name, one in named.items()]
    return tuple(sorted(found, key=lambda near: near.differs))


def _decisions(saving: Floats) -> Floats:
    return np.asarray(np.sign(np.where(np.abs(saving) <= _SAME_COST, 0.0, saving)))


def named_metrics(setting: Setting, trade_off: float) -> Iterator[tuple[str, FairMetric]]:
    """Yield the named metrics that this family has for a setting: pure ones, and sums (+) with this trade-off."""
    yield "balanced error", cost_sensitive_error(setting)
    names = shown_names(setting.classes)
    for share, ending in ((1.0, ""), (trade_off, " + balanced error")):
        if ending and not 0 < trade_off < 1:
            return
        yield f"equalized odds{ending}", error_rate_balance(setting, trade_off=share)
        for name, one in zip(names, setting.classes, strict=True):
            yield f"equal opportunity for “{name}”{ending}", equal_opportunity(setting, positive=one, trade_off=share)
