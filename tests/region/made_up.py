"""Made-up people for tests of the region: class probabilities that are right by construction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand import FeasibleRegion, GroupRates, group_rates

Scores = tuple[NDArray[np.float64], NDArray[Any], NDArray[Any]]


def people(classes: int, groups: int, n: int, seed: int, *, signal: float = 1.5) -> Scores:
    """Return class probabilities (n, k), true classes drawn from them, and groups."""
    rng = np.random.default_rng(seed)
    group = np.arange(n) % groups
    means = signal * rng.normal(size=(groups, classes, classes))
    share = rng.dirichlet(np.full(classes, 5.0), size=groups)
    place = np.array([rng.choice(classes, p=share[g]) for g in group])
    x = means[group, place] + rng.normal(size=(n, classes))
    logits = np.log(share)[group] - ((x[:, None] - means[group]) ** 2).sum(axis=-1) / 2
    chances = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    y = (rng.random((n, 1)) >= np.cumsum(chances, axis=1)[:, :-1]).sum(axis=1)
    return chances, y, group


def region(classes: int, groups: int, n: int = 400, seed: int = 0, *, signal: float = 1.5) -> FeasibleRegion:
    """Return the region of made-up people."""
    chances, _, group = people(classes, groups, n, seed, signal=signal)
    return FeasibleRegion.from_scores(chances, sensitive_features=group)


def measured_on_labels(
    chances: NDArray[np.float64], group: NDArray[Any], decided: NDArray[Any], *, draws: int, seed: int
) -> Iterator[GroupRates]:
    """Yield the rates of the same decisions (n,), measured on labels that are drawn anew each time."""
    rng = np.random.default_rng(seed)
    for _ in range(draws):
        y = (rng.random((len(chances), 1)) >= np.cumsum(chances, axis=1)[:, :-1]).sum(axis=1)
        yield group_rates(y, decided, sensitive_features=group)


def rates_on(chances: NDArray[np.float64], group: NDArray[Any], decided: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the profile (m, q) of decisions (n, k), people counting by their probabilities: by definition."""
    k = chances.shape[1]
    profile = []
    for name in np.unique(group):
        here = group == name
        matrix = np.array(
            [[np.average(decided[here, j], weights=chances[here, i]) for j in range(k)] for i in range(k)]
        )
        profile.append(matrix[~np.eye(k, dtype=bool)])
    return np.array(profile)


def unit(rng: np.random.Generator, *shape: int) -> NDArray[np.float64]:
    """Draw directions."""
    directions = rng.normal(size=shape)
    return np.asarray(directions / np.linalg.norm(directions, axis=-1, keepdims=True))
