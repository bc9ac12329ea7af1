"""How well an order of models by one cost agrees with the order by another."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.checks.arrays import numbers
from evenhand.errors import EvenhandError
from evenhand.rates.ties import comparable
from evenhand.typing import Floats


def kendall_tau(true_cost: ArrayLike, estimated_cost: ArrayLike) -> float:
    """Return Kendall's τ-b between two orders: 1 if they are the same, −1 if one is the reverse of the other.

    All pairs of models count alike; b is the variant that allows for ties.

    Examples
    --------
    >>> round(kendall_tau([0.1, 0.2, 0.3], [0.1, 0.3, 0.2]), 3)
    0.333
    """
    from scipy.stats import kendalltau  # noqa: PLC0415  # too heavy for `import evenhand`

    return float(kendalltau(*_orders(true_cost, estimated_cost)).statistic)


def weighted_kendall_tau(true_cost: ArrayLike, estimated_cost: ArrayLike) -> float:
    """Return Shieh's weighted Kendall's τ between two orders, which cares most about the best models.

    The pair of models in places i and j of the true order, counted from 1, has the weight 1/i · 1/j. Shieh leaves the
    choice of weights open; these are the usual ones, hyperbolic. Where there are no ties, this is the weight of the
    pairs that agree minus the weight of those that do not, divided by the weight of all pairs. Ties are treated as in
    Vigna's generalisation, which is τ-b if all weights are equal; models of equal true cost share the weights of the
    places that they take together.

    References
    ----------
    G. S. Shieh, "A weighted Kendall's tau statistic", Statistics & Probability Letters 39 (1998), 17–24.
    S. Vigna, "A weighted correlation index for rankings with ties", WWW 2015, 1166–1176.

    Examples
    --------
    >>> round(weighted_kendall_tau([0.1, 0.2, 0.3], [0.1, 0.3, 0.2]), 3)
    0.667
    """
    from scipy.stats import weightedtau  # noqa: PLC0415  # too heavy for `import evenhand`

    true, estimated = _orders(true_cost, estimated_cost)
    place, weight = _shared(true, 1 / np.arange(1, true.size + 1))
    found = weightedtau(true, estimated, rank=place, weigher=weight.__getitem__, additive=False)
    return float(found.statistic)


def ndcg(true_cost: ArrayLike, estimated_cost: ArrayLike) -> float:
    """Return NDCG with exponential gain, relevance = 1 − true cost, of the order by estimated cost.

    A cost can exceed 1, since Definition 1 normalises weights and not costs: φ can be as high as √k. Relevance is
    clamped at 0 without a warning, so that true costs of 1 and of 1.4 count the same. Models of equal estimated cost
    share the gain of the places that they take together.

    Examples
    --------
    >>> round(ndcg([0.1, 0.2, 0.3], [0.1, 0.3, 0.2]), 3)
    0.991
    """
    true, estimated = _costs(true_cost, estimated_cost)
    gain = np.exp2(np.maximum(1 - true, 0)) - 1
    if not gain.any():
        raise EvenhandError("no model has a true cost below 1, so none is relevant and NDCG is undefined")
    discount = 1 / np.log2(np.arange(gain.size) + 2)
    place, shared = _shared(estimated, discount)
    return float(gain @ shared[place] / (np.sort(gain)[::-1] @ discount))


def places(costs: ArrayLike) -> Floats:
    """Return each model's place in the order by cost, from 0 for the best to 1 for the worst; ties share theirs.

    `ndcg(places(true_cost), …)` looks at the order alone, and is stricter where costs hardly differ.

    >>> places([0.3, 0.1, 0.3, 0.2])
    array([0.83333333, 0.        , 0.83333333, 0.33333333])
    """
    true, _ = _costs(costs, costs)
    place, shared = _shared(true, np.arange(true.size) / (true.size - 1))
    return np.asarray(shared[place])


def _shared(costs: Floats, by_place: Floats) -> tuple[NDArray[np.intp], Floats]:
    """Return which distinct cost each model has, and the mean of what the places of each distinct cost are worth."""
    _, which, tied = np.unique(comparable(costs), return_inverse=True, return_counts=True)
    return which, np.add.reduceat(by_place, np.concatenate([[0], np.cumsum(tied)[:-1]])) / tied


def _orders(true_cost: ArrayLike, estimated_cost: ArrayLike) -> tuple[Floats, Floats]:
    true, estimated = _costs(true_cost, estimated_cost)
    for costs, name in ((true, "true_cost"), (estimated, "estimated_cost")):
        if np.ptp(comparable(costs)) == 0:
            raise EvenhandError(f"{name} is {costs[0]} for every model: that is no order to agree with")
    return comparable(true), comparable(estimated)


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
