"""A family's weights before any answer: which of them are free, equal, zero, ordered or given.

Every weight that need not be learned saves questions. All else about the posterior stays the same: a prior turns a few
numbers that are uniform on (0, 1) into weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.checks.messages import expect, listed, shown
from evenhand.errors import EvenhandError
from evenhand.metric.fair_metric import FairMetric
from evenhand.metric.families import Family, Gaps, family_named
from evenhand.metric.weights import Dimensions, Weights, normalised_misclassification, normalised_violation
from evenhand.rates import Setting
from evenhand.typing import Floats
from evenhand.wording.vocabulary import Words

Mistakes = Sequence[tuple[Any, Any]]
"""Kinds of mistake, each as (true class, predicted class)."""
_SMALLEST = 1e-100
"""Of a free number: its square is not zero yet."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Prior:
    """A family's weights as a map from numbers u that are uniform on (0, 1).

    Where nothing is known, they are distributed as `Weights.random` draws them: entries of a and B are uniform on
    (0, 1), then normalised, and λ is uniform on (0, 1); so is a width, over the range of the family's knots.
    """

    dimensions: Dimensions
    family: Family = field(default_factory=Gaps)
    equal_rows: bool = False
    columns: NDArray[np.intp] | None = None
    order: NDArray[np.intp] | None = None
    misclassification: Floats | None = None
    violation: Floats | None = None

    @classmethod
    def of(
        cls,
        setting: Setting,
        family: str = Gaps.name,
        *,
        equal_pairs: bool = False,
        gaps_in: Mistakes | None = None,
        cost_order: Mistakes | None = None,
        misclassification: ArrayLike | None = None,
        violation: ArrayLike | None = None,
    ) -> Prior:
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
        form, words = family_named(family), Words.plain(setting)
        if gaps_in is not None and form.columns(words) != words.mistakes:
            weighed = listed(form.columns(words))
            raise EvenhandError(
                f"gaps_in is about kinds of mistake, but the family {shown(family)} weighs {weighed}: leave it out"
            )
        a, B = given_weights(setting, misclassification, violation, family)
        return cls(
            family=form,
            dimensions=form.dimensions(setting),
            equal_rows=bool(equal_pairs),
            columns=None if gaps_in is None else _places(setting, gaps_in, "gaps_in", least=1),
            order=None if cost_order is None else _places(setting, cost_order, "cost_order", least=2),
            misclassification=a,
            violation=B,
        )

    @property
    def _of_mistakes(self) -> int:
        """How many free numbers the misclassification weights take."""
        return self.dimensions.mistakes if self.misclassification is None else 0

    @property
    def _of_violation(self) -> tuple[int, int]:
        """In how many rows and columns the violation weights are free."""
        if self.violation is not None:
            return 0, 0
        _, rows, columns = self.dimensions
        return 1 if self.equal_rows else rows, columns if self.columns is None else len(self.columns)

    @property
    def size(self) -> int:
        """How many free numbers there are: for a, for B, for λ, and for a width."""
        rows, columns = self._of_violation
        return self._of_mistakes + rows * columns + 1 + bool(self.family.knots)

    @property
    def degrees_of_freedom(self) -> int:
        """How many of them there are to learn: of a and of B only the proportions count."""
        return self.size - (self.misclassification is None) - (self.violation is None)

    def weights(self, u: Floats) -> Weights:
        """Return the weights of n metrics from numbers (n, size) between 0 and 1."""
        u = np.maximum(u, _SMALLEST)
        rows, columns = self._of_violation
        # Slices, since a sampler does this for a few particles at a time, thousands of times: `np.split` takes longer.
        place = self._of_mistakes + rows * columns
        a, B = u[:, : self._of_mistakes], u[:, self._of_mistakes : place]
        return Weights(self._a(a), self._b(B), u[:, place], self._width(u[:, place + 1 :]))

    def _a(self, u: Floats) -> Floats:
        if self.misclassification is not None:
            return np.broadcast_to(self.misclassification, (len(u), self.dimensions.mistakes))
        if self.order is not None:
            u = u.copy()
            u[:, self.order] = _falling(u[:, self.order])
        return normalised_misclassification(u)

    def _b(self, u: Floats) -> Floats:
        _, *shape = self.dimensions
        if self.violation is not None:
            return np.broadcast_to(self.violation, (len(u), *shape))
        rows, columns = self._of_violation
        B = u.reshape(len(u), rows, columns)
        if self.columns is not None:
            narrow, B = B, np.zeros((len(u), rows, self.dimensions.columns))
            B[:, :, self.columns] = narrow
        return normalised_violation(np.broadcast_to(B, (len(u), *shape)) if self.equal_rows else B)

    def _width(self, u: Floats) -> Floats | None:
        if not self.family.knots:
            return None
        low, high = self.family.knots[0], self.family.knots[-1]
        return np.asarray(low + (high - low) * u[:, 0])


def _falling(u: Floats) -> Floats:
    """Return the order statistics, the largest first, of n uniform numbers, from independent ones (…, n).

    The largest is u₁^(1/n), the next one that times u₂^(1/(n−1)), and so on (Malmquist 1950): no draw is refused.
    """
    n = u.shape[-1]
    return np.asarray(np.maximum(np.cumprod(u ** (1 / np.arange(n, 0, -1)), axis=-1), _SMALLEST))


def _places(setting: Setting, mistakes: object, name: str, *, least: int) -> NDArray[np.intp]:
    """Return where kinds of mistake stand in a profile."""
    every = setting.mistakes
    place_of = {mistake: place for place, mistake in enumerate(every)}
    if isinstance(mistakes, str) or not isinstance(mistakes, Sequence) or len(mistakes) < least:
        raise EvenhandError(
            f"{name} must list at least {least} kinds of mistake, each as (true class, predicted class), "
            f"but received {shown(mistakes)}"
        )
    places: list[int] = []
    for mistake in mistakes:
        try:
            place = place_of[tuple(mistake)]
        except (KeyError, TypeError) as error:
            raise EvenhandError(
                f"{name} names {shown(mistake)}, but the kinds of mistake are {listed(every)}"
            ) from error
        if place in places:
            raise EvenhandError(f"{name} names {shown(mistake)} twice")
        places.append(place)
    return np.array(places, dtype=np.intp)


def given_weights(
    setting: Setting, misclassification: ArrayLike | None, violation: ArrayLike | None, family: str = Gaps.name
) -> tuple[Floats | None, Floats | None]:
    """Return a and B as far as they are given, checked and normalised."""
    form = family_named(family)
    equal = Weights.equal(form.dimensions(setting))

    def checked(a: ArrayLike, B: ArrayLike, trade_off: float) -> FairMetric:
        width = form.knots[0] if form.knots else None
        return FairMetric.from_weights(
            setting, misclassification=a, violation=B, trade_off=trade_off, width=width, family=family
        )

    a, B = misclassification, violation
    return (
        None if a is None else checked(a, equal.violation, 0.0).misclassification,
        None if B is None else checked(equal.misclassification, B, 1.0).violation,
    )
