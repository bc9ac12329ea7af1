"""Definition 1 of the paper, for one metric or for many at once."""

from __future__ import annotations

import numpy as np

from evenhand.rates.profile import gaps
from evenhand.typing import Floats


def fair_cost(overall: Floats, gaps: Floats, a: Floats, B: Floats, trade_off: Floats | float) -> Floats:
    """Return Ψ = (1 − λ)⟨a, r⟩ + λ Σ⟨bᵘᵛ, dᵘᵛ⟩; leading axes of rates and weights broadcast."""
    misclassification: Floats = np.einsum("...q,...q->...", overall, a)
    violation: Floats = np.einsum("...pq,...pq->...", gaps, B)
    return (1 - trade_off) * misclassification + trade_off * violation


def profile_cost(profiles: Floats, tau: Floats, a: Floats, B: Floats, trade_off: Floats | float) -> Floats:
    """Return Ψ of profiles (…, m, q) whose overall rates are Σ over groups of τ ⊙ r."""
    overall: Floats = np.einsum("...gq,...gq->...q", profiles, tau)
    return fair_cost(overall, gaps(profiles), a, B, trade_off)


def linear_features(profiles: Floats, tau: Floats) -> Floats:
    """Return Φ (…, q(1 + pairs)) such that Ψ = ⟨((1 − λ)a, λB), Φ⟩: the overall rates, then all gaps."""
    overall: Floats = np.einsum("...gq,...gq->...q", profiles, tau)
    violation = gaps(profiles)
    return np.concatenate([overall, violation.reshape(*violation.shape[:-2], -1)], axis=-1)
