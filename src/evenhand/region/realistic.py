"""Profiles of good classifiers on the user's data: what models that one might deploy look like."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from evenhand.rates.rounding import whole_people
from evenhand.region.feasible import FeasibleRegion
from evenhand.region.search import MixtureSearch
from evenhand.typing import Floats

_COSTS = 60
_EVENNESS = 2.0  # the shape of the costs' gamma distribution; the larger, the more alike the costs of all mistakes
_MIXED = 200
_DRAWN_IN = 0.05
_ACCURACY = 1e-3


@lru_cache(maxsize=8)
def realistic_profiles(region: FeasibleRegion) -> Floats:
    """Return profiles (n, m, q) within reach that are good for a wide range of costs of mistakes and gaps.

    Some are best for costs that are the same in all groups, some for different costs in each group, some have the same
    rates in all groups; the others are mixtures of two of these.
    """
    rng = np.random.default_rng(0)
    m, q = len(region.groups), len(region.setting.mistakes)
    same, own = (rng.gamma(_EVENNESS, size=(_COSTS, groups, q)) for groups in (1, m))
    best_together = _best(region, same * region.setting.tau)
    alike = _alike(region, best_together.mean(axis=1))
    pure = np.concatenate([best_together, _best(region, own), alike])
    one, other = pure[rng.integers(len(pure), size=(2, _MIXED))]
    part = rng.random((_MIXED, 1, 1))
    profiles: Floats = np.concatenate([pure, part * one + (1 - part) * other])
    profiles.flags.writeable = False
    return profiles


@lru_cache(maxsize=8)
def realistic_people(region: FeasibleRegion, out_of: int) -> Floats:
    """Return the same profiles moved slightly towards o, as whole people out of so many, without those out of reach."""
    center = region.sphere().center
    drawn_in = center + (1 - _DRAWN_IN) * (realistic_profiles(region) - center)
    rounded = np.unique(whole_people(drawn_in, out_of), axis=0)
    searches = [MixtureSearch(group) for group in region.groups]
    within = [
        all(one.nearest(rates, any_proof=True).distance == 0 for one, rates in zip(searches, profile, strict=True))
        for profile in rounded
    ]
    profiles: Floats = rounded[within]
    profiles.flags.writeable = False
    return profiles


def _best(region: FeasibleRegion, costs: Floats) -> Floats:
    """Return the profiles of least cost, group by group, for costs (n, m, q)."""
    return np.stack([group.corners(-costs[:, g]).rates for g, group in enumerate(region.groups)], axis=1)


def _alike(region: FeasibleRegion, towards: Floats) -> Floats:
    """Return profiles with equal rates in all groups, as far from o as all groups reach in the directions of rates."""
    sphere = region.sphere()
    moves = towards - sphere.center
    directions = moves / np.linalg.norm(moves, axis=1, keepdims=True)
    reaches = np.full(len(directions), np.inf)
    for group in region.groups:
        search = MixtureSearch(group)
        for place, direction in enumerate(directions):
            reach, miss = search.reach(direction, accuracy=_ACCURACY * sphere.radius)
            # A point attained only approximately is moved towards o until the sphere within reach covers the error.
            reaches[place] = min(reaches[place], reach * sphere.radius / (sphere.radius + miss))
    points = sphere.center + reaches[:, None] * directions
    return np.repeat(points[:, None], len(region.groups), axis=1)
