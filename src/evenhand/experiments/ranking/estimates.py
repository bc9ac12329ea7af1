"""What each method takes the hidden metrics for: elicited ones, and the eight default metrics of the paper's Table 2.

All of it runs for all hidden metrics at once. A baseline's name says, as in the table, which parts are not elicited
(φ̂ the misclassification weights a, ϕ̂ the violation weights B, λ̂ the trade-off), and by what they are replaced:
`a` is accuracy, which is equal weights; `w` is weighted accuracy, which is random weights in the true order.
"""

from __future__ import annotations

from dataclasses import replace
from math import isqrt

import numpy as np

from evenhand.elicitation import WeightsFound, fair_performance, interview
from evenhand.elicitation.methods.bisection import fair_performance_by_bisection
from evenhand.elicitation.paper.violation import normalised
from evenhand.metric import MetricBatch
from evenhand.oracles import SimulatedOracle
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
"""The names of Table 2, in its order: for files, and as the paper writes them."""


def elicited(hidden: MetricBatch, method: str, *, tolerance: float = 1e-3) -> tuple[MetricBatch, int]:
    """Return what the paper's procedure or bisection finds with exact answers, and the questions it takes."""
    k = _classes(hidden)
    search = fair_performance if method == "paper" else fair_performance_by_bisection
    oracle = SimulatedOracle(hidden)
    found = interview(search(hidden.tau, common_sphere(k), tolerance=tolerance), oracle)
    return _batch(hidden, found), oracle.questions


def baseline(hidden: MetricBatch, name: str, *, seed: int, tolerance: float = 1e-3) -> tuple[MetricBatch, int]:
    """Return a default metric of Table 2 for each hidden one, and the questions that its elicited parts take."""
    if name == "o_p":
        return replace(hidden, trade_off=np.zeros_like(hidden.trade_off)), 0
    if name == "o_f":
        return replace(hidden, trade_off=np.ones_like(hidden.trade_off)), 0
    fixed, _, by = name.rpartition("_")
    default = equal(hidden) if by == "a" else in_true_order(hidden, np.random.default_rng([seed, *b"in true order"]))
    if fixed == "phi_varphi_lambda":
        return default, 0
    oracle = SimulatedOracle(hidden)
    only_the_rest = fair_performance(
        hidden.tau,
        common_sphere(_classes(hidden)),
        tolerance=tolerance,
        given_misclassification=default.misclassification,
        given_violation=default.violation if fixed == "phi_varphi" else None,
    )
    return _batch(hidden, interview(only_the_rest, oracle)), oracle.questions


def equal(hidden: MetricBatch) -> MetricBatch:
    """Return accuracy: equal weights for all mistakes, equal weights for all gaps, and a trade-off of one half."""
    return MetricBatch(
        hidden.tau,
        _unit(np.ones_like(hidden.misclassification)),
        normalised(np.ones_like(hidden.violation)),
        np.full_like(hidden.trade_off, 0.5),
    )


def in_true_order(hidden: MetricBatch, rng: np.random.Generator) -> MetricBatch:
    """Return weighted accuracy: random weights that have the order of the true ones.

    The weights of a among each other, all weights of B among each other; and of λ it is known whether gaps or mistakes
    weigh more, which is to say on which side of one half it lies.
    """
    n = len(hidden.trade_off)
    gaps = _ordered_like(hidden.violation.reshape(n, -1), rng).reshape(hidden.violation.shape)
    half = rng.random(n) / 2
    return MetricBatch(
        hidden.tau,
        _unit(_ordered_like(hidden.misclassification, rng)),
        normalised(gaps),
        np.where(hidden.trade_off > 0.5, 1 - half, half),
    )


def linear_weights(metrics: MetricBatch) -> Floats:
    """Return ((1 − λ)a, λB) as rows (n, d), by which features of classifiers cost what the metrics say."""
    share = metrics.trade_off[:, None]
    gaps = metrics.violation.reshape(len(share), -1)
    return np.concatenate([(1 - share) * metrics.misclassification, share * gaps], axis=1)


def _ordered_like(true: Floats, rng: np.random.Generator) -> Floats:
    """Draw weights (n, d) uniformly, and give each row the order of the true weights."""
    drawn = np.sort(rng.random(true.shape), axis=1)
    return np.take_along_axis(drawn, true.argsort(axis=1).argsort(axis=1), axis=1)


def _unit(a: Floats) -> Floats:
    return np.asarray(a / np.linalg.norm(a, axis=-1, keepdims=True))


def _batch(hidden: MetricBatch, found: WeightsFound) -> MetricBatch:
    return MetricBatch(hidden.tau, found.misclassification, found.violation, found.trade_off)


def _classes(hidden: MetricBatch) -> int:
    """Return k from q = k² − k."""
    return (1 + isqrt(1 + 4 * hidden.tau.shape[-1])) // 2
