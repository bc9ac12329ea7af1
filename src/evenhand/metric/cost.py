"""Definition 1 of the paper, for one metric or for many at once."""

from __future__ import annotations

import numpy as np

from evenhand.metric.weights import Weights
from evenhand.rates.profile import gaps
from evenhand.typing import Floats


def profile_cost(profiles: Floats, tau: Floats, weights: Weights) -> Floats:
    """Return Ψ of profiles (…, m, q) whose overall rates are Σ over groups of τ ⊙ r."""
    overall: Floats = np.einsum("...gq,...gq->...q", profiles, tau)
    return weights.cost(overall, gaps(profiles))


def linear_features(profiles: Floats, tau: Floats) -> Floats:
    """Return Φ (…, q(1 + pairs)) such that Ψ = ⟨((1 − λ)a, λB), Φ⟩: the overall rates, then all gaps."""
    overall: Floats = np.einsum("...gq,...gq->...q", profiles, tau)
    violation = gaps(profiles)
    return np.concatenate([overall, violation.reshape(*violation.shape[:-2], -1)], axis=-1)


def linear_prices(weights: Weights) -> Floats:
    """Return ((1 − λ)a, λB) (…, q(1 + pairs)): a cost is its product with the linear features."""
    trade_off = np.asarray(weights.trade_off)[..., None]
    gaps = (trade_off[..., None] * weights.violation).reshape(*trade_off.shape[:-1], -1)
    return np.concatenate([(1 - trade_off) * weights.misclassification, gaps], axis=-1)
