"""How well an order of models by one cost agrees with the order by another."""

from __future__ import annotations

import numpy as np

from evenhand.rates.vector import Floats


def kendall_tau(true_cost: Floats, estimated_cost: Floats) -> float:
    """Return Kendall's τ (b, so that ties count as ties) between two orders: 1 if they are the same."""
    from scipy.stats import kendalltau  # noqa: PLC0415  # too heavy for `import evenhand`

    return float(kendalltau(true_cost, estimated_cost).statistic)


def ndcg(true_cost: Floats, estimated_cost: Floats) -> float:
    """Return NDCG with exponential gain, relevance = 1 − true cost, of the order by estimated cost.

    Models of equal estimated cost share the gain of the places that they take together.
    """
    gain = np.exp2(1 - true_cost) - 1
    discount = 1 / np.log2(np.arange(gain.size) + 2)
    _, place, tied = np.unique(estimated_cost, return_inverse=True, return_counts=True)
    shared = np.add.reduceat(discount, np.concatenate([[0], np.cumsum(tied)[:-1]])) / tied
    return float(gain @ shared[place] / (np.sort(gain)[::-1] @ discount))
