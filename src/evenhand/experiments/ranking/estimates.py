"""Each method's estimates of the hidden metrics: elicited ones, and the eight default metrics of the paper's Table 2.

All hidden metrics are processed at once. As in the table, a baseline's name says which parts are not elicited (φ̂ the
misclassification weights a, ϕ̂ the violation weights B, λ̂ the trade-off), and what replaces them: `a` (accuracy) means
equal weights, `w` (weighted accuracy) means random weights in the true order.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from evenhand.elicitation import WeightsFound, fair_performance, interview
from evenhand.elicitation.methods.bisection import fair_performance_by_bisection
from evenhand.metric import MetricBatch
from evenhand.metric.weights import Dimensions, Weights
from evenhand.oracles import SimulatedOracle
from evenhand.rates import number_of_classes
from evenhand.region import common_sphere
from evenhand.typing import Floats

BASELINES = {
    "phi_varphi_lambda_a": "φ̂ϕ̂λ̂_a",
    "phi_varphi_lambda_w": "φ̂ϕ̂λ̂_w",
    "phi_varphi_a": "φ̂ϕ̂_a",
    "phi_varphi_w": "φ̂ϕ̂_w",
    "phi_a": "φ̂_a",
    "phi_w": "φ̂_w",
    "o_p": "o_p",
    "o_f": "o_f",
}
"""The baselines of Table 2, in its order: our names, and the paper's notation."""


def elicited(hidden: MetricBatch, method: str, *, tolerance: float = 1e-3) -> tuple[MetricBatch, int]:
    """Return the metrics that the paper's method or bisection finds with exact answers, and the number of questions."""
    k = number_of_classes(hidden.tau.shape[-1])
    search = fair_performance if method == "paper" else fair_performance_by_bisection
    oracle = SimulatedOracle(hidden)
    found = interview(search(hidden.tau, common_sphere(k), tolerance=tolerance), oracle)
    return _batch(hidden, found), oracle.questions


def baseline(hidden: MetricBatch, name: str, *, seed: int, tolerance: float = 1e-3) -> tuple[MetricBatch, int]:
    """Return a default metric of Table 2 for each hidden one, and the number of questions for its elicited parts."""
    if name == "o_p":
        return _with_trade_off(hidden, 0.0), 0
    if name == "o_f":
        return _with_trade_off(hidden, 1.0), 0
    fixed, _, by = name.rpartition("_")
    default = equal(hidden) if by == "a" else in_true_order(hidden, np.random.default_rng([seed, *b"in true order"]))
    if fixed == "phi_varphi_lambda":
        return default, 0
    oracle = SimulatedOracle(hidden)
    only_the_rest = fair_performance(
        hidden.tau,
        common_sphere(number_of_classes(hidden.tau.shape[-1])),
        tolerance=tolerance,
        given_misclassification=default.weights.misclassification,
        given_violation=default.weights.violation if fixed == "phi_varphi" else None,
    )
    return _batch(hidden, interview(only_the_rest, oracle)), oracle.questions


def equal(hidden: MetricBatch) -> MetricBatch:
    """Return accuracy: equal weights of all mistakes, equal weights of all gaps, and a trade-off of one half."""
    n, *shape = hidden.weights.violation.shape
    same = Weights.equal(Dimensions(hidden.weights.misclassification.shape[-1], *shape))
    return MetricBatch(hidden.tau, Weights.stacked([same] * n))


def in_true_order(hidden: MetricBatch, rng: np.random.Generator) -> MetricBatch:
    """Return weighted accuracy: random weights in the order of the true ones.

    The order is that of the weights within a, and of all weights within B. The random λ lies on the same side of one
    half as the true one: whether gaps or mistakes weigh more is known.
    """
    true = hidden.weights
    n = len(true.trade_off)
    gaps = _ordered_like(true.violation.reshape(n, -1), rng).reshape(true.violation.shape)
    half = rng.random(n) / 2
    mistakes = _ordered_like(true.misclassification, rng)
    return MetricBatch(hidden.tau, Weights.normalised(mistakes, gaps, np.where(true.trade_off > 0.5, 1 - half, half)))


def _with_trade_off(metrics: MetricBatch, trade_off: float) -> MetricBatch:
    """Return the same metrics with another trade-off."""
    weights = metrics.weights
    return MetricBatch(metrics.tau, replace(weights, trade_off=np.full_like(weights.trade_off, trade_off)))


def _ordered_like(true: Floats, rng: np.random.Generator) -> Floats:
    """Draw weights (n, d) uniformly, and sort each row into the order of the true weights."""
    drawn = np.sort(rng.random(true.shape), axis=1)
    return np.take_along_axis(drawn, true.argsort(axis=1).argsort(axis=1), axis=1)


def _batch(hidden: MetricBatch, found: WeightsFound) -> MetricBatch:
    return MetricBatch(hidden.tau, found.weights)
