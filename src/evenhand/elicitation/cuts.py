"""Which groups to set apart: cuts of the groups that tell all pairs of them from one another."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from evenhand.rates import group_pairs
from evenhand.rates.vector import Floats

Cut = NDArray[np.bool_]
"""The paper's σ: which of the m groups are set apart, and given a trivial classifier."""


def _cut(groups: int, apart: tuple[int, ...]) -> Cut:
    sigma = np.zeros(groups, dtype=np.bool_)
    sigma[list(apart)] = True
    return sigma


def separates(cuts: tuple[Cut, ...]) -> Floats:
    """The paper's Ξ: entry [σ, uv] is 1 if the cut σ puts u and v on different sides."""
    pairs = group_pairs(cuts[0].size)
    return np.array([[float(sigma[u] != sigma[v]) for u, v in pairs] for sigma in cuts])


@cache
def independent_cuts(groups: int) -> tuple[Cut, ...]:
    """The paper's M: as many cuts as there are pairs of groups, whose equations are independent.

    Two groups need one cut, and all pairs {u, v} serve wherever they can. For four groups they cannot,
    since {1, 2} and {3, 4} are the same cut: of its seven different cuts the six are taken whose equations
    amplify errors least.
    """
    if groups == 2:
        return (_cut(2, (1,)),)
    if groups != 4:
        return tuple(_cut(groups, pair) for pair in group_pairs(groups))
    every = [_cut(4, (g,)) for g in range(4)] + [_cut(4, pair) for pair in ((0, 1), (0, 2), (0, 3))]
    return max(combinations(every, 6), key=lambda cuts: np.linalg.svd(separates(cuts), compute_uv=False)[-1])


def halving_cut(groups: int) -> Cut:
    """Return the one cut that suffices if all pairs of groups have the same violation weights."""
    return _cut(groups, tuple(range(groups - groups // 2, groups)))
