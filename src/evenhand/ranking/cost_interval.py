"""How well the cost of a model is known: the sampling error of its rates, carried through the metric.

A gap between two measured rates is never below zero, so that chance alone makes gaps look larger than they are. The
upper end of an interval takes the rates' errors as they are (the cost is linear in the rates as long as no gap changes
its sign); the lower end also takes off how much chance can have added to each gap. `tests/ranking` measures that such
intervals hold at least as often as they say, from 20 people per group upwards and where there are no gaps at all.
Other families than gaps get a parametric bootstrap, of which this was not measured.
"""

from __future__ import annotations

from math import pi, sqrt
from statistics import NormalDist

import numpy as np

from evenhand.metric import FairMetric
from evenhand.metric.families import Gaps
from evenhand.rates import GroupRates, group_pairs, matrix_from_vector, off_diagonal
from evenhand.rates.profile import by_true_class
from evenhand.typing import Floats

_DRAWS = 2000


def cost_interval(metric: FairMetric, rates: GroupRates, level: float) -> tuple[float, float]:
    """Return an interval of the cost with this confidence; the prevalence is taken as it is."""
    if metric.family != Gaps.name:
        return _bootstrap_interval(metric, rates, level)
    assert rates.sizes is not None  # noqa: S101  # asked by the caller
    z = -NormalDist().inv_cdf((1 - level) / 2)
    # Half of Agresti and Coull's pseudo-people, so that a rate of 0 or 1 is not taken as certain.
    k, n = len(rates.setting.classes), rates.sizes[..., None]
    rate = (rates.matrix * n + z**2 / (2 * k)) / (n + z**2 / 2)
    slope, by_chance = _slopes_and_chance(metric, rates, off_diagonal(rate), z)
    wrong = matrix_from_vector(slope)
    wrong[..., np.arange(k), np.arange(k)] = 0.0
    variance = np.sum((np.sum(rate * wrong**2, axis=-1) - np.sum(rate * wrong, axis=-1) ** 2) / rates.sizes)
    cost, error = metric.cost(rates), z * sqrt(max(0.0, float(variance)))
    return max(0.0, cost - by_chance - error), cost + error


def _bootstrap_interval(metric: FairMetric, rates: GroupRates, level: float) -> tuple[float, float]:
    """Return quantiles of the cost of rates drawn at random; the cost itself is always inside."""
    cost = metric.cost(rates)
    costs = metric.form.cost(rates.draw(_DRAWS, 0), rates.setting, metric.weights)
    low, high = np.quantile(costs, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return min(low, cost), max(high, cost)


def _slopes_and_chance(metric: FairMetric, rates: GroupRates, rate: Floats, z: float) -> tuple[Floats, float]:
    """Return how much the cost rises with each rate, (m, q), and how much of it may be chance in the gaps."""
    assert rates.sizes is not None  # noqa: S101
    variance = rate * (1 - rate) / by_true_class(rates.sizes)
    mistakes, violation = metric.weights.scaled
    slope, by_chance = mistakes * rates.setting.tau, 0.0
    for (u, v), price in zip(group_pairs(len(rates.setting.groups)), violation, strict=True):
        gap = rates.vector[u] - rates.vector[v]
        slope[u] += price * np.sign(gap)
        slope[v] -= price * np.sign(gap)
        error = np.sqrt(variance[u] + variance[v])
        smallest = np.maximum(0.0, np.abs(gap) / error - z)
        by_chance += float(np.sum(price * error * _added_by_chance(smallest)))
    return slope, by_chance


def _added_by_chance(gap: Floats) -> Floats:
    """Return E|N(gap, 1)| − gap: how much a gap, in units of its standard error, seems to be larger than it is."""
    from scipy.special import ndtr  # noqa: PLC0415  # too heavy for `import evenhand`

    density = np.exp(-(gap**2) / 2) / sqrt(2 * pi)
    return np.asarray(2 * density - 2 * gap * ndtr(-gap))
