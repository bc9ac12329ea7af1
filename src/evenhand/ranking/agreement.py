"""How well an order of models by one cost agrees with the order by another."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from evenhand.errors import EvenhandError
from evenhand.rates.arrays import numbers
from evenhand.rates.vector import Floats


def kendall_tau(true_cost: ArrayLike, estimated_cost: ArrayLike) -> float:
    """Return Kendall's τ (b, so that ties count as ties) between two orders: 1 if they are the same."""
    from scipy.stats import kendalltau  # noqa: PLC0415  # too heavy for `import evenhand`

    true, estimated = _costs(true_cost, estimated_cost)
    for costs, name in ((true, "true_cost"), (estimated, "estimated_cost")):
        if costs.min() == costs.max():
            raise EvenhandError(f"{name} is {costs[0]} for every model: that is no order to agree with")
    return float(kendalltau(true, estimated).statistic)


def ndcg(true_cost: ArrayLike, estimated_cost: ArrayLike) -> float:
    """Return NDCG with exponential gain, relevance = 1 − true cost, of the order by estimated cost.

    A model whose true cost is 1 or more (worse than guessing) has no relevance. Models of equal estimated cost
    share the gain of the places that they take together.
    """
    true, estimated = _costs(true_cost, estimated_cost)
    gain = np.exp2(np.maximum(1 - true, 0)) - 1
    if not gain.any():
        raise EvenhandError("no model has a true cost below 1, so none is relevant and NDCG is undefined")
    discount = 1 / np.log2(np.arange(gain.size) + 2)
    _, place, tied = np.unique(estimated, return_inverse=True, return_counts=True)
    shared = np.add.reduceat(discount, np.concatenate([[0], np.cumsum(tied)[:-1]])) / tied
    return float(gain @ shared[place] / (np.sort(gain)[::-1] @ discount))


def places(costs: ArrayLike) -> Floats:
    """Return each model's place in the order by cost, from 0 for the best to 1 for the worst; ties share theirs.

    `ndcg(places(true_cost), …)` looks at the order alone, and is stricter where costs hardly differ.

    >>> places([0.3, 0.1, 0.3, 0.2])
    array([0.83333333, 0.        , 0.83333333, 0.33333333])
    """
    true, _ = _costs(costs, costs)
    _, place, tied = np.unique(true, return_inverse=True, return_counts=True)
    shared = np.cumsum(tied) - (tied + 1) / 2
    return np.asarray(shared[place] / (true.size - 1))


def _costs(true_cost: ArrayLike, estimated_cost: ArrayLike) -> tuple[Floats, Floats]:
    true = numbers(true_cost, "true_cost", "one per model")
    estimated = numbers(estimated_cost, "estimated_cost", "one per model")
    if true.ndim != 1 or true.shape != estimated.shape or true.size < 2:
        raise EvenhandError(
            f"an order needs one cost for each of at least two models, but true_cost has shape {true.shape} and "
            f"estimated_cost {estimated.shape}"
        )
    for costs, name in ((true, "true_cost"), (estimated, "estimated_cost")):
        right = np.isfinite(costs) & (costs >= 0)
        if not right.all():
            model = int(right.argmin())
            raise EvenhandError(f"{name} of model {model} is {costs[model]}: costs are finite and not negative")
    return true, estimated
