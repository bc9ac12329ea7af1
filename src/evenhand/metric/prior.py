"""What is known of a metric before anybody answers: which weights are free, equal, zero, ordered or given.

Every weight that need not be learned saves questions. All else about the posterior stays the same: a structure turns a
few free numbers between 0 and 1 into a, B and λ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.checks.messages import expect, listed, shown
from evenhand.errors import EvenhandError
from evenhand.metric import FairMetric
from evenhand.metric.fair_metric import dimensions
from evenhand.metric.weights import Weights, normalised_misclassification, normalised_violation
from evenhand.rates import Setting
from evenhand.typing import Floats

Mistakes = Sequence[tuple[Any, Any]]
"""Kinds of mistake, each as (true class, predicted class)."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Structure:
    """How free numbers u between 0 and 1 become weights; drawn uniformly, they give what `FairMetric.random` draws."""

    mistakes: int
    pairs: int
    equal_pairs: bool = False
    gaps_in: NDArray[np.intp] | None = None
    cost_order: NDArray[np.intp] | None = None
    misclassification: Floats | None = None
    violation: Floats | None = None

    @classmethod
    def of(
        cls,
        setting: Setting,
        *,
        equal_pairs: bool = False,
        gaps_in: Mistakes | None = None,
        cost_order: Mistakes | None = None,
        misclassification: ArrayLike | None = None,
        violation: ArrayLike | None = None,
    ) -> Structure:
        """Check what is said to be known; `evenhand.elicit` says what each option means."""
        expect(setting, "setting", Setting)
        expect(equal_pairs, "equal_pairs", bool, np.bool_)
        if violation is not None and (equal_pairs or gaps_in is not None):
            also = "equal_pairs" if equal_pairs else "gaps_in"
            raise EvenhandError(f"{also} is about violation weights that are asked for: leave it out, or violation")
        if misclassification is not None and cost_order is not None:
            raise EvenhandError(
                "cost_order is about misclassification weights that are asked for: leave it out, or misclassification"
            )
        a, B = given_weights(setting, misclassification, violation)
        return cls(
            mistakes=len(setting.mistakes),
            pairs=len(setting.pairs),
            equal_pairs=bool(equal_pairs),
            gaps_in=None if gaps_in is None else _places(setting, gaps_in, "gaps_in", least=1),
            cost_order=None if cost_order is None else _places(setting, cost_order, "cost_order", least=2),
            misclassification=a,
            violation=B,
        )

    @property
    def _gap_columns(self) -> int:
        return self.mistakes if self.gaps_in is None else len(self.gaps_in)

    @property
    def _gap_rows(self) -> int:
        return 1 if self.equal_pairs else self.pairs

    @property
    def _steps(self) -> int:
        """How many free numbers the misclassification weights take."""
        return self.mistakes if self.misclassification is None else 0

    @property
    def size(self) -> int:
        """How many free numbers there are; the last is λ."""
        return self._steps + (self._gap_rows * self._gap_columns if self.violation is None else 0) + 1

    @property
    def degrees_of_freedom(self) -> int:
        """How many of them there are to learn: of a and of B only the proportions count."""
        return self.size - (self.misclassification is None) - (self.violation is None)

    def ordered(self, numbers: Floats) -> Floats:
        """Return free numbers (n, size or more), put into the order that is known of them."""
        if self.cost_order is not None:
            numbers[:, self.cost_order] = -np.sort(-numbers[:, self.cost_order], axis=1)
        return numbers

    def allows(self, u: Floats) -> NDArray[np.bool_]:
        """Return which rows (n,) of free numbers keep the known order."""
        if self.cost_order is None:
            return np.ones(len(u), dtype=np.bool_)
        return np.asarray((np.diff(u[:, self.cost_order], axis=1) <= 0).all(axis=1))

    def weights(self, u: Floats) -> Weights:
        """Return the weights of n metrics from free numbers (n, size)."""
        return Weights(self._a(u[:, : self._steps]), self._b(u[:, self._steps : -1]), u[:, -1])

    def _a(self, u: Floats) -> Floats:
        if self.misclassification is not None:
            return np.broadcast_to(self.misclassification, (len(u), self.mistakes))
        return normalised_misclassification(u)

    def _b(self, u: Floats) -> Floats:
        if self.violation is not None:
            return np.broadcast_to(self.violation, (len(u), self.pairs, self.mistakes))
        B = u.reshape(len(u), self._gap_rows, self._gap_columns)
        if self.gaps_in is not None:
            narrow, B = B, np.zeros((len(u), self._gap_rows, self.mistakes))
            B[:, :, self.gaps_in] = narrow
        return normalised_violation(np.broadcast_to(B, (len(u), self.pairs, self.mistakes)))


def _places(setting: Setting, mistakes: object, name: str, *, least: int) -> NDArray[np.intp]:
    """Return where kinds of mistake stand in a profile."""
    every = list(setting.mistakes)
    if isinstance(mistakes, str) or not isinstance(mistakes, Sequence) or len(mistakes) < least:
        raise EvenhandError(
            f"{name} must list at least {least} kinds of mistake, each as (true class, predicted class), "
            f"but received {shown(mistakes)}"
        )
    places = []
    for mistake in mistakes:
        entry = tuple(mistake) if isinstance(mistake, tuple | list | np.ndarray) else mistake
        if entry not in every:
            raise EvenhandError(f"{name} names {shown(mistake)}, but the kinds of mistake are {listed(every)}")
        if every.index(entry) in places:
            raise EvenhandError(f"{name} names {shown(mistake)} twice")
        places.append(every.index(entry))
    return np.array(places, dtype=np.intp)


def given_weights(
    setting: Setting, misclassification: ArrayLike | None, violation: ArrayLike | None
) -> tuple[Floats | None, Floats | None]:
    """Return a and B as far as they are given, checked and normalised."""
    a = B = None
    equal = Weights.equal(dimensions(setting))
    if misclassification is not None:
        a = FairMetric.from_weights(
            setting, misclassification=misclassification, violation=equal.violation, trade_off=0.0
        ).misclassification
    if violation is not None:
        B = FairMetric.from_weights(
            setting, misclassification=equal.misclassification, violation=violation, trade_off=1.0
        ).violation
    return a, B
