"""How well calibrated class probabilities are in one group: how far off they are, and how far chance alone puts them.

People are put into bins of about equal size by the probability of a class. In each bin, the mean probability stands
beside the share of people who are of that class; the mean difference, weighted by people, is the expected calibration
error (Naeini and others 2015). Of few people it is above 0 by chance, so what chance makes of it is said beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import pi, sqrt

import numpy as np
from numpy.typing import NDArray

from evenhand.checks.arrays import number
from evenhand.checks.documents import checked_fields
from evenhand.checks.messages import expect
from evenhand.typing import Floats, Label

AS_GIVEN = "as given"

_BINS = 10
_FAR_OFF = 5.0
"""Standard deviations beyond what chance makes of the error: then the probabilities are called not calibrated."""


@dataclass(frozen=True, kw_only=True)
class GroupCalibration:
    """How well calibrated the class probabilities of a group are.

    Attributes
    ----------
    group
        The name of the group.
    people
        How many people it was measured on (their effective number, where they have weights).
    error
        How far the probabilities are off on average, over all classes and bins of people.
    by_chance
        How far probabilities that are right would seem to be off, of so many people.
    spread
        The standard deviation of that.
    how
        How they were calibrated: "isotonic" or "logistic", with "of all groups" where this group has too few people to
        be calibrated by itself; or "as given".
    """

    group: Label
    people: float
    error: float
    by_chance: float
    spread: float
    how: str

    @property
    def off(self) -> bool:
        """Whether chance does not explain the error."""
        return self.error > self.by_chance + _FAR_OFF * self.spread

    @classmethod
    def from_document(cls, document: object) -> GroupCalibration:
        """Read what `dataclasses.asdict` made of one."""
        read = checked_fields(document, "the calibration of a group", [one.name for one in fields(cls)])
        expect(read["how"], "how a group was calibrated", str)
        figures = {
            name: number(read[name], name, "a number that is not negative", lambda value: value >= 0)
            for name in ("people", "error", "by_chance", "spread")
        }
        return cls(group=read["group"], how=read["how"], **figures)

    @classmethod
    def measured(
        cls, group: Label, chances: Floats, true: NDArray[np.integer], weight: Floats, how: str
    ) -> GroupCalibration:
        """Compare the class probabilities (k, n) of a group with its true classes, coded 0 … k − 1."""
        total = weight.sum()
        error, by_chance, variance = 0.0, 0.0, 0.0
        for code, chance in enumerate(chances):
            order = np.argsort(chance, kind="stable")
            share = np.cumsum(weight[order]) / total
            bins = np.minimum((share * _BINS).astype(np.intp), _BINS - 1)
            miss = np.abs(np.bincount(bins, (weight * ((true == code) - chance))[order], _BINS)) / total
            expected = np.bincount(bins, (weight**2 * chance * (1 - chance))[order], _BINS) / total**2
            error += float(miss.sum())
            by_chance += float(np.sqrt(2 / pi * expected).sum())  # the mean of |N(0, σ²)|
            variance += float((1 - 2 / pi) * expected.sum())
        k = len(chances)
        return cls(
            group=group,
            people=float(total**2 / (weight**2).sum()),
            error=error / k,
            by_chance=by_chance / k,
            spread=sqrt(variance / k),  # classes depend on each other: at most this
            how=how,
        )
