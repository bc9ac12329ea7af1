"""From two slopes, known up to their lengths, to one cut's violation weights: the paper's δ, and least squares.

With A = a ⊙ (1 − τ^σ) and η the sum of λ/(1 − λ)·bᵘᵛ over the pairs that σ separates, LPME finds the directions
f̆ ∝ A + w₁ ⊙ η and f̃ ∝ A + w_k ⊙ η, but not their lengths.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from evenhand.rates import number_of_classes, trivial_rates
from evenhand.typing import Floats


class Unscaled(Protocol):
    """A way to get the paper's γ^σ from the slopes with class 1 and class k as the trivial prediction."""

    def __call__(self, first: Floats, last: Floats, A: Floats) -> Floats:
        """Return γ (…, q)."""
        ...


def signs(classes: int) -> tuple[Floats, Floats]:
    """Return w₁ and w_k: the signs of s − eᵢ within the sphere."""
    trivial = trivial_rates(classes)
    return 1 - 2 * trivial[0], 1 - 2 * trivial[-1]


def delta_coordinates(classes: int) -> tuple[int, int]:
    """Return the two coordinates that δ uses: (true 1, predicted k) and (true k, predicted 1)."""
    return classes - 2, (classes - 1) ** 2


def by_delta(first: Floats, last: Floats, A: Floats) -> Floats:
    """The paper's γ^σ = w₁ ⊙ (δ f̆ − A), with δ from one pair of coordinates.

    δ is the appendix's formula with its numerator and denominator multiplied by f̃ at k−1, which makes it the
    same number and leaves one division instead of three: a slope of exactly zero then does no harm. Where the two
    slopes are the same, δ is 0/0 because the cut's gaps cost nothing, and so is γ^σ.

    Examples
    --------
    >>> A, gamma = np.array([0.3, 0.4]), np.array([0.1, 0.2])
    >>> first, last = A + [1, -1] * gamma, A + [-1, 1] * gamma
    >>> by_delta(3 * first, 5 * last, A).round(6).tolist()
    [0.1, 0.2]
    """
    k = number_of_classes(A.shape[-1])
    i, j = delta_coordinates(k)
    with np.errstate(divide="ignore", invalid="ignore"):
        delta = 2 * (A[..., j] * last[..., i] - A[..., i] * last[..., j])
        delta = delta / (first[..., j] * last[..., i] - first[..., i] * last[..., j])
        gamma = signs(k)[0] * (delta[..., None] * first - A)
    return np.where((first == last).all(axis=-1, keepdims=True), 0.0, gamma)


def by_least_squares(first: Floats, last: Floats, A: Floats) -> Floats:
    """Both lengths and γ^σ from all coordinates at once, by least squares.

    Where w₁ and w_k differ, δ f̆ + δ' f̃ = 2A; where they agree, δ f̆ − δ' f̃ = 0. For two classes these are just
    two equations, and the result is the paper's.

    Examples
    --------
    >>> A, gamma = np.array([0.3, 0.4]), np.array([0.1, 0.2])
    >>> first, last = A + [1, -1] * gamma, A + [-1, 1] * gamma
    >>> by_least_squares(3 * first, 5 * last, A).round(6).tolist()
    [0.1, 0.2]
    """
    w_first, w_last = signs(number_of_classes(A.shape[-1]))
    differ = w_first != w_last
    columns = np.stack([first, np.where(differ, last, -last)], axis=-1)
    target = np.where(differ, 2 * A, 0.0)
    lengths = np.linalg.pinv(columns) @ target[..., None]
    scaled = columns * np.swapaxes(lengths, -1, -2)
    from_first = w_first * (scaled[..., 0] - A)
    from_last = w_last * (np.where(differ, 1.0, -1.0) * scaled[..., 1] - A)
    gamma: Floats = (from_first + from_last) / 2
    return gamma
