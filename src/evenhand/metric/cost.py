"""Definition 1 of the paper, for one metric or for many at once."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from evenhand.rates import group_pairs
from evenhand.typing import Floats


@cache
def _pair_index(groups: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    first, second = np.array(group_pairs(groups), dtype=np.intp).T
    return first, second


def discrepancies(profiles: Floats) -> Floats:
    """Return |rᵘ − rᵛ| for every pair of groups, (…, m(m−1)/2, q), from profiles (…, m, q)."""
    first, second = _pair_index(profiles.shape[-2])
    difference = profiles.take(first, axis=-2)
    difference -= profiles.take(second, axis=-2)
    return np.abs(difference, out=difference)


def fair_cost(overall: Floats, gaps: Floats, a: Floats, B: Floats, trade_off: Floats | float) -> Floats:
    """Return Ψ = (1 − λ)⟨a, r⟩ + λ Σ⟨bᵘᵛ, dᵘᵛ⟩; leading axes of rates and weights broadcast."""
    misclassification: Floats = np.einsum("...q,...q->...", overall, a)
    violation: Floats = np.einsum("...pq,...pq->...", gaps, B)
    return (1 - trade_off) * misclassification + trade_off * violation


def profile_cost(profiles: Floats, tau: Floats, a: Floats, B: Floats, trade_off: Floats | float) -> Floats:
    """Return Ψ of profiles (…, m, q) whose overall rates are Σ over groups of τ ⊙ r."""
    overall: Floats = np.einsum("...gq,...gq->...q", profiles, tau)
    return fair_cost(overall, discrepancies(profiles), a, B, trade_off)


def linear_features(profiles: Floats, tau: Floats) -> Floats:
    """Return Φ (…, q(1 + pairs)) such that Ψ = ⟨((1 − λ)a, λB), Φ⟩: the overall rates, then all gaps."""
    overall: Floats = np.einsum("...gq,...gq->...q", profiles, tau)
    gaps = discrepancies(profiles)
    return np.concatenate([overall, gaps.reshape(*gaps.shape[:-2], -1)], axis=-1)
