"""The weights (a, B, λ) of a metric, one or many at once: their norms, their distance and their mean.

In some families unfairness counts only beyond a *width*, which is learned with the weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evenhand.by_value import ByValue
from evenhand.typing import Floats


class Dimensions(NamedTuple):
    """How many weights there are: q in a, and rows × columns in B."""

    mistakes: int
    rows: int
    columns: int


@dataclass(frozen=True, eq=False)
class Weights(ByValue):
    """a (…, q), B (…, rows, columns), λ (…,), and a width (…,) where a family has one; leading axes are a batch.

    Nothing is checked here: `FairMetric` checks what comes from outside the library.
    """

    misclassification: Floats
    violation: Floats
    trade_off: Floats
    width: Floats | None = None

    @classmethod
    def normalised(
        cls, misclassification: Floats, violation: Floats, trade_off: Floats, width: Floats | None = None
    ) -> Weights:
        """Scale weights that are not negative to ‖a‖₂ = 1 and Σ over rows ‖b‖₂ = 1 (the paper's equation 14)."""
        return cls(normalised_misclassification(misclassification), normalised_violation(violation), trade_off, width)

    @classmethod
    def equal(cls, dimensions: Dimensions, trade_off: float = 0.5) -> Weights:
        """Return the weights by which every mistake costs the same, and every kind of unfairness."""
        q, rows, columns = dimensions
        return cls.normalised(np.ones(q), np.ones((rows, columns)), np.array(trade_off))

    @classmethod
    def stacked(cls, weights: Sequence[Weights]) -> Weights:
        """Put weights side by side, along a new first axis."""
        return cls(
            np.stack([each.misclassification for each in weights]),
            np.stack([each.violation for each in weights]),
            np.stack([each.trade_off for each in weights]),
            None if any(each.width is None for each in weights) else np.array([each.width for each in weights]),
        )

    def followed_by(self, other: Weights) -> Weights:
        """Put another batch after this one, along the first axis."""
        width = None
        if self.width is not None and other.width is not None:
            width = np.concatenate([self.width, other.width])
        return Weights(
            np.concatenate([self.misclassification, other.misclassification]),
            np.concatenate([self.violation, other.violation]),
            np.concatenate([self.trade_off, other.trade_off]),
            width,
        )

    @classmethod
    def random(cls, dimensions: Dimensions, rng: np.random.Generator, batch: tuple[int, ...] = ()) -> Weights:
        """Draw entries of a and B uniform on (0, 1), then normalised, and λ uniform on (0, 1); no width."""
        q, rows, columns = dimensions
        a, B = rng.random((*batch, q)), rng.random((*batch, rows, columns))
        return cls.normalised(a, B, np.asarray(rng.random(batch)))

    def cost(self, mistakes: Floats, violation: Floats) -> Floats:
        """Return Ψ = (1 − λ)⟨a, mistakes⟩ + λ⟨B, violation⟩, Definition 1 of the paper; leading axes broadcast."""
        of_mistakes: Floats = np.einsum("...q,...q->...", mistakes, self.misclassification)
        of_violation: Floats = np.einsum("...pq,...pq->...", violation, self.violation)
        return (1 - self.trade_off) * of_mistakes + self.trade_off * of_violation

    def parts(self, mistakes: Floats, violation: Floats) -> tuple[Floats, Floats]:
        """Return the two parts of the cost: of mistakes (…,), and of each row of the violation (…, rows)."""
        of_mistakes: Floats = np.einsum("...q,...q->...", mistakes, self.misclassification)
        of_rows: Floats = np.einsum("...pq,...pq->...p", violation, self.violation)
        return (1 - self.trade_off) * of_mistakes, self.trade_off[..., None] * of_rows

    @property
    def scaled(self) -> tuple[Floats, Floats]:
        """(1 − λ)a (…, q) and λB (…, rows, columns): what one unit of each mistake and of each violation costs."""
        trade_off = np.asarray(self.trade_off)[..., None]
        return (1 - trade_off) * self.misclassification, trade_off[..., None] * self.violation

    @property
    def in_a_row(self) -> Floats:
        """All of them side by side (…, weights): a, B row by row, λ, and the width if there is one."""
        return self._row(self.misclassification, self.violation, self.trade_off)

    @property
    def scaled_in_a_row(self) -> Floats:
        """What one unit of each mistake and of each violation costs (…, weights), and the width if there is one."""
        return self._row(*self.scaled)

    def _row(self, of_mistakes: Floats, of_violation: Floats, *single: Floats) -> Floats:
        numbers = [*single] if self.width is None else [*single, self.width]
        flat = of_violation.reshape(*of_violation.shape[:-2], -1)
        return np.concatenate([of_mistakes, flat, *(np.asarray(each)[..., None] for each in numbers)], axis=-1)

    def distance(self, other: Weights) -> Floats:
        """Return the paper's three errors (3, …): ‖a − â‖₂, ‖vec B − vec B̂‖₂ and |λ − λ̂|."""
        B = self.violation - other.violation
        return np.stack(
            [
                misclassification_norm(self.misclassification - other.misclassification),
                np.sqrt(np.einsum("...pq,...pq->...", B, B)),
                np.abs(self.trade_off - other.trade_off),
            ]
        )

    def mean(self, probability: Floats) -> Weights:
        """Return the mean over the first axis, normalised; `probability` (n,) sums to 1."""
        return Weights.normalised(
            np.asarray(probability @ self.misclassification),
            np.einsum("n,n...->...", probability, self.violation),
            np.asarray(probability @ self.trade_off),
            None if self.width is None else np.asarray(probability @ self.width),
        )


def misclassification_norm(a: Floats) -> Floats:
    """Return ‖a‖₂ (…,)."""
    # The arithmetic of the posterior, whose last digits interviews in a store rest on; `linalg.norm` has another.
    return np.asarray(np.sqrt(np.einsum("...q,...q->...", a, a)))


def violation_norm(B: Floats) -> Floats:
    """Return the paper's norm of B, Σ over rows ‖b‖₂ (…,)."""
    return np.asarray(np.sqrt(np.einsum("...pq,...pq->...p", B, B)).sum(axis=-1))


def normalised_misclassification(a: Floats) -> Floats:
    """Scale a (…, q), not negative, to ‖a‖₂ = 1; where all are zero, they become equal."""
    norm = misclassification_norm(a)[..., None]
    if not norm.all():
        return normalised_misclassification(np.where(norm > 0, a, 1.0))
    return np.asarray(a / norm)


def normalised_violation(B: Floats) -> Floats:
    """Scale B (…, rows, columns), not negative, to Σ over rows ‖b‖₂ = 1; where all are zero, they become equal."""
    norm = violation_norm(B)[..., None, None]
    if not norm.all():
        return normalised_violation(np.where(norm > 0, B, 1.0))
    return np.asarray(B / norm)
