"""The metrics with a name that come nearest to a metric: how often would they decide differently?

Weights that look alike can decide differently and the other way round, so that nearness is measured by decisions: the
share of pairs of models that the two metrics order differently. Without candidates the models are made up, with
between 5 and 40 of 100 people of each group and class got wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evenhand.checks.messages import expect
from evenhand.display.names import shown_names
from evenhand.metric.fair_metric import FairMetric
from evenhand.metric.families import family_named
from evenhand.metric.named import cost_sensitive_error, equal_opportunity, error_rate_balance
from evenhand.metric.weights import Weights
from evenhand.rates import GroupRates, Setting
from evenhand.rates.models import made_up_models
from evenhand.typing import Floats

_PAIRS = 4000
_TO_BREAK_TIES = 500
_SAME_COST = 1e-12
_NUMBERS_AT_ONCE = 1 << 17


@dataclass(frozen=True, eq=False)
class Near:
    """A metric with a name, and the share of comparisons that it would decide differently.

    Examples
    --------
    >>> from evenhand import Setting, metrics
    >>> setting = Setting(["repays", "defaults"], ["women", "men"], [[0.5, 0.4], [0.5, 0.6]])
    >>> near = nearest(metrics.error_rate_balance(setting))[0]
    >>> near.name, near.differs
    ('equalized odds', 0.0)
    """

    name: str
    metric: FairMetric
    differs: float


def nearest(metric: FairMetric, candidates: Mapping[str, GroupRates] | None = None) -> tuple[Near, ...]:
    """Return all named metrics, the nearest first; among candidates, if two or more are given.

    Few candidates tell few metrics apart: those that decide equally often differently come in the order of how often
    they would among made-up models.

    Examples
    --------
    >>> from evenhand import FairMetric, Setting
    >>> setting = Setting(["repays", "defaults"], ["women", "men"], [[0.5, 0.4], [0.5, 0.6]])
    >>> metric = FairMetric.from_weights(setting, misclassification=[1, 1.1], violation=[[0.1, 0]])
    >>> near = nearest(metric)[0]
    >>> near.name, near.differs < 0.1
    ('equal opportunity for “repays” + balanced error', True)
    """
    expect(metric, "metric", FairMetric)
    named = dict(named_metrics(metric.setting, metric.trade_off))
    several = candidates if candidates is not None and len(candidates) > 1 else {}
    pairs = _TO_BREAK_TIES if several else _PAIRS
    costs = _costs_of_made_up_models([metric, *named.values()], 2 * pairs)
    found = _by_nearness(named, costs[:, pairs:] - costs[:, :pairs])
    if not several:
        return found
    named = {near.name: near.metric for near in found}
    return _by_nearness(named, _savings([metric, *named.values()], several))


def differs_among(metric: FairMetric, other: FairMetric, candidates: Mapping[str, GroupRates]) -> float:
    """Return the share of pairs of candidates that two metrics decide differently."""
    own, its = np.sign(_decided(_savings([metric, other], candidates)))
    return float(np.mean(own != its))


def _savings(metrics: Sequence[FairMetric], candidates: Mapping[str, GroupRates]) -> Floats:
    """Return how much the first of each pair of candidates saves, (metrics, pairs)."""
    rates = [one.arranged(metrics[0].setting) for one in candidates.values()]
    costs = np.array([[by.cost(one) for one in rates] for by in metrics])
    first, second = np.triu_indices(len(rates), 1)
    return np.asarray(costs[:, second] - costs[:, first])


def _decided(savings: Floats) -> Floats:
    """Take away what is only rounding."""
    return np.where(np.abs(savings) <= _SAME_COST, 0.0, savings)


def _costs_of_made_up_models(metrics: Sequence[FairMetric], n: int) -> Floats:
    """Return what n made-up models cost by each metric, (metrics, n).

    Many groups have very many gaps, so that all metrics price a few models at a time.
    """
    setting = metrics[0].setting
    profiles = made_up_models(setting, n, np.random.default_rng(0))
    costs = np.empty((len(metrics), n))
    for name in {by.family for by in metrics}:
        rows = [row for row, by in enumerate(metrics) if by.family == name]
        family = family_named(name)
        prices = family.prices(Weights.stacked([metrics[row].weights for row in rows]))
        some = max(1, _NUMBERS_AT_ONCE // prices.shape[-1])
        for start in range(0, n, some):
            priced = slice(start, start + some)
            costs[rows, priced] = prices @ family.features(profiles[priced], setting).T
    return costs


def _by_nearness(named: Mapping[str, FairMetric], savings: Floats) -> tuple[Near, ...]:
    """Return the named metrics, the nearest first; those that are equally near stay in their order.

    `savings` (1 + named, comparisons) says how much one model of each comparison saves, first by the metric itself.
    """
    own, *others = np.sign(_decided(savings))
    found = [
        Near(name, one, float(np.mean(own != its))) for (name, one), its in zip(named.items(), others, strict=True)
    ]
    return tuple(sorted(found, key=lambda near: near.differs))


def named_metrics(setting: Setting, trade_off: float) -> Iterator[tuple[str, FairMetric]]:
    """Yield the named metrics that this family has for a setting: pure ones, and sums (+) with this trade-off."""
    yield "balanced error", cost_sensitive_error(setting)
    pure = {"equalized odds": error_rate_balance(setting)}
    for name, one in zip(shown_names(setting.classes), setting.classes, strict=True):
        pure[f"equal opportunity for “{name}”"] = equal_opportunity(setting, positive=one)
    yield from pure.items()
    if 0 < trade_off < 1:
        for name, metric in pure.items():
            weights = replace(metric.weights, trade_off=np.asarray(trade_off))
            yield f"{name} + balanced error", FairMetric.of(setting, weights)
