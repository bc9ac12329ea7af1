"""Profiles: the q = k² − k off-diagonal rates of each group in row-major order, and the gaps between groups."""

from __future__ import annotations

from functools import cache, reduce
from itertools import combinations
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import EvenhandError
from evenhand.typing import Floats


@cache
def off_diagonal_entries(classes: int) -> tuple[tuple[int, int], ...]:
    """Return the (true class, predicted class) of each coordinate of a vector of rates.

    >>> off_diagonal_entries(3)
    ((0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1))
    """
    return tuple((i, j) for i in range(classes) for j in range(classes) if i != j)


@cache
def _index(classes: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    rows, columns = np.array(off_diagonal_entries(classes), dtype=np.intp).T
    return rows, columns


def off_diagonal(matrix: Floats) -> Floats:
    """Turn rate matrices (…, k, k) into vectors of rates (…, q).

    Examples
    --------
    >>> off_diagonal(np.array([[0.9, 0.1], [0.2, 0.8]])).tolist()
    [0.1, 0.2]
    """
    rows, columns = _index(matrix.shape[-1])
    return matrix[..., rows, columns]


def matrix_from_vector(vector: Floats) -> Floats:
    """Turn vectors of rates (…, q) into rate matrices (…, k, k); equation (2) gives the diagonal.

    Examples
    --------
    >>> matrix_from_vector(np.array([0.1, 0.2])).tolist()
    [[0.9, 0.1], [0.2, 0.8]]
    """
    classes = number_of_classes(vector.shape[-1])
    rows, columns = _index(classes)
    matrix = np.zeros((*vector.shape[:-1], classes, classes))
    matrix[..., rows, columns] = vector
    diagonal = np.arange(classes)
    # Column by column, which is faster than to add up thousands of short rows.
    matrix[..., diagonal, diagonal] = 1.0 - reduce(np.add, np.moveaxis(matrix, -1, 0))
    return matrix


def number_of_classes(q: int) -> int:
    """Return k for q = k² − k.

    >>> number_of_classes(6)
    3
    """
    classes = (1 + isqrt(1 + 4 * q)) // 2
    if classes < 2 or classes * (classes - 1) != q:
        raise EvenhandError(f"a vector of rates has k² − k entries (2, 6, 12, 20, …), but this one has {q}")
    return classes


def by_true_class(values: NDArray[Any]) -> NDArray[Any]:
    """Spread one value per class (…, k) over the coordinates (…, q) by their true class."""
    rows, _ = _index(values.shape[-1])
    return values[..., rows]


@cache
def trivial_rates(classes: int) -> Floats:
    """Return e₁ … e_k as rows (k, q): the rates of the classifiers that always predict one class.

    >>> trivial_rates(2)
    array([[0., 1.],
           [1., 0.]])
    """
    _, columns = _index(classes)
    rates: Floats = (columns == np.arange(classes)[:, None]).astype(np.float64)
    rates.flags.writeable = False
    return rates


@cache
def uniform_rates(classes: int) -> Floats:
    """Return o (q,): the rates of the classifier that predicts every class with equal probability.

    Examples
    --------
    >>> uniform_rates(2).tolist()
    [0.5, 0.5]
    """
    rates = np.full(classes * (classes - 1), 1.0 / classes)
    rates.flags.writeable = False
    return rates


def overall_rates(profiles: Floats, tau: Floats) -> Floats:
    """Return the rates (…, q) over all groups, equation (3) of the paper: Σ over groups of τ ⊙ r."""
    rates: Floats = np.einsum("...gq,...gq->...q", profiles, tau)
    return rates


@cache
def group_pairs(groups: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs (u, v), u < v, in the order in which violation weights are kept.

    >>> group_pairs(3)
    ((0, 1), (0, 2), (1, 2))
    """
    return tuple(combinations(range(groups), 2))


@cache
def _pair_index(groups: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    first, second = np.array(group_pairs(groups), dtype=np.intp).T
    return first, second


def gaps(profiles: Floats) -> Floats:
    """Return |rᵘ − rᵛ| for every pair of groups, (…, m(m−1)/2, q), from profiles (…, m, q)."""
    first, second = _pair_index(profiles.shape[-2])
    difference = profiles.take(first, axis=-2)
    difference -= profiles.take(second, axis=-2)
    return np.abs(difference, out=difference)
