"""Profiles that several methods ask about: everyone alike, and groups set apart by a cut."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from evenhand.checks.messages import listed, shown
from evenhand.errors import EvenhandError
from evenhand.rates import Setting, group_pairs
from evenhand.region import Sphere
from evenhand.typing import Floats, Label

Cut = NDArray[np.bool_]
"""The paper's σ: which of the m groups are set apart, and given a trivial classifier."""

_OF_FOUR = ((0,), (1,), (2,), (3,), (0, 3), (1, 3))
"""Six of the seven different cuts of four groups: no other six amplify errors less. Two others amplify them as much,
so that a search for the best would return what rounding makes of the tie, which differs between processors."""


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
    since {1, 2} and {3, 4} are the same cut.
    """
    if groups == 2:
        return (_cut(2, (1,)),)
    return tuple(_cut(groups, apart) for apart in (_OF_FOUR if groups == 4 else group_pairs(groups)))


def halving_cut(groups: int) -> Cut:
    """Return the one cut that suffices if all pairs of groups have the same violation weights."""
    return _cut(groups, tuple(range(groups - groups // 2, groups)))


def cuts_to_ask(groups: int, *, equal_pairs: bool = False, chosen: tuple[Cut, ...] | None = None) -> tuple[Cut, ...]:
    """Return the cuts that were chosen or, if none were, one for equal pairs and the paper's M otherwise."""
    if chosen is not None:
        return chosen
    return (halving_cut(groups),) if equal_pairs else independent_cuts(groups)


def cuts_by_name(setting: Setting, cuts: Sequence[Collection[Label]]) -> tuple[Cut, ...]:
    """Turn cuts that name the groups to set apart into arrays, or say why they cannot replace the paper's M.

    >>> setting = Setting(["yes", "no"], ["a", "b", "c"], [[0.2, 0.2], [0.3, 0.3], [0.5, 0.5]])
    >>> [cut.tolist() for cut in cuts_by_name(setting, [["a"], ["b"], ["a", "b"]])]
    [[True, False, False], [False, True, False], [True, True, False]]
    """
    pairs = len(setting.pairs)
    if isinstance(cuts, str) or not isinstance(cuts, Sequence) or len(cuts) != pairs:
        raise EvenhandError(
            f"cuts must be a list of {pairs} sets of groups, one for each pair of the {len(setting.groups)} groups, "
            f"but received {shown(cuts)}"
        )
    sigmas = tuple(_cut(len(setting.groups), _places(setting.groups, apart)) for apart in cuts)
    rank = int(np.linalg.matrix_rank(separates(sigmas)))
    if rank < pairs:
        raise EvenhandError(
            f"cuts give only {rank} independent equations for the {pairs} pairs of groups (setting some groups apart "
            "or setting all others apart is the same cut): choose others, or leave cuts out"
        )
    return sigmas


def _places(groups: Sequence[Label], apart: Collection[Label]) -> tuple[int, ...]:
    if isinstance(apart, str) or not isinstance(apart, Collection):
        raise EvenhandError(f"each of cuts must be a list of groups, but received {shown(apart)}")
    place_of = {name: place for place, name in enumerate(groups)}
    places = set()
    for name in apart:
        try:
            places.add(place_of[name])
        except (KeyError, TypeError) as error:
            raise EvenhandError(f"cuts name the group {shown(name)}, but the groups are {listed(groups)}") from error
    if not 0 < len(places) < len(groups):
        raise EvenhandError(f"each of cuts must set apart at least one group and not all, but received {shown(apart)}")
    return tuple(places)


def gap(tau: Floats, sigma: Floats, size: Floats) -> Floats:
    """Return the moves (…, m, q) that set the groups in σ (…, m) apart by `size` (…, q) at no other cost."""
    tau_sigma = (sigma[..., None] * tau).sum(axis=-2, keepdims=True)
    return np.asarray((sigma[..., None] - tau_sigma) * size[..., None, :])


def within(sphere: Sphere, first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Place two sets of moves (…, m, q) in the sphere, both on the same scale and as far out as they fit."""
    squares = (np.einsum("...q,...q->...", moves, moves) for moves in (first, second))
    reach = np.sqrt(np.maximum(*squares).max(axis=-1))
    scale = (sphere.radius / np.where(reach > 0, reach, 1.0))[..., None, None]
    return sphere.center + scale * first, sphere.center + scale * second


def everyone_alike(point: Floats, groups: int) -> Floats:
    """Give all groups the same rates."""
    return np.broadcast_to(point[..., None, :], (*point.shape[:-1], groups, point.shape[-1]))
