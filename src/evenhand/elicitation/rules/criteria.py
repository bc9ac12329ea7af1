"""What somebody may compare two models by, other than a cost: one number of a model, less of which is better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, get_args

import numpy as np

from evenhand.rates import Setting, matrix_from_vector
from evenhand.rates.profile import gaps, number_of_classes, overall_rates
from evenhand.typing import Floats
from evenhand.wording.vocabulary import Words

Quantity = Literal[
    "mistakes",
    "mistakes of one kind",
    "wrong decisions",
    "gaps",
    "gaps of one kind",
    "widest gap",
    "widest gap of one kind",
    "demographic parity",
    "predictive parity",
    "worst-off group",
    "worst-off group of one kind",
]
QUANTITIES: Final[tuple[Quantity, ...]] = get_args(Quantity)
_ONE_KIND = " of one kind"


@dataclass(frozen=True)
class Criterion:
    """One number of a model; less of it is better.

    Attributes
    ----------
    quantity
        What it is.
    place
        Of which kind of mistake, if it is of one kind only.
    """

    quantity: Quantity
    place: int | None = None

    def __post_init__(self) -> None:
        """Refuse a kind of mistake where all count, and none where one does."""
        if self.quantity.endswith(_ONE_KIND) != (self.place is not None):
            raise ValueError(f"{self.quantity!r} and the place {self.place!r} do not go together")

    def phrase(self, words: Words) -> str:
        """Return what is compared, as a noun phrase."""
        mistake = "" if self.place is None else words.mistakes[self.place]
        return {
            "mistakes": "the rate of mistakes",
            "mistakes of one kind": f"the rate of {mistake}",
            "wrong decisions": "the share of people who are decided about wrongly",
            "gaps": "the gaps between groups",
            "gaps of one kind": f"the gap between groups in {mistake}",
            "widest gap": "the widest gap between groups",
            "widest gap of one kind": f"the widest gap between groups in {mistake}",
            "demographic parity": "the gap in how often each class is predicted (demographic parity)",
            "predictive parity": "the gap in how often predictions are right (predictive parity)",
            "worst-off group": "the rate of mistakes in the worst-off group",
            "worst-off group of one kind": f"the rate of {mistake} in the worst-off group",
        }[self.quantity]


@dataclass(frozen=True, eq=False)
class Measured:
    """Profiles (n, m, q), and the value of each criterion.

    `population` (m, k) says how many people there are of each group and true class; without it, all classes are taken
    to be equally common, which matters to demographic and predictive parity.
    """

    profiles: Floats
    setting: Setting
    population: Floats | None = None

    def value(self, criterion: Criterion) -> Floats:
        """Return the value (n,) of each profile: the same criteria are asked for by many rules."""
        if criterion not in self._values:
            self._values[criterion] = self._worked_out(criterion)
        return self._values[criterion]

    @cached_property
    def _values(self) -> dict[Criterion, Floats]:
        return {}

    def _worked_out(self, criterion: Criterion) -> Floats:
        one = slice(None) if criterion.place is None else slice(criterion.place, criterion.place + 1)
        worked_out: dict[str, Callable[[], Floats]] = {
            "mistakes": lambda: self._overall[:, one].mean(axis=-1),
            "wrong decisions": lambda: (self._people / self._people.sum() * self._wrong).sum(axis=(-2, -1)),
            "gaps": lambda: self._gaps[:, :, one].mean(axis=(-2, -1)),
            "widest gap": lambda: self._gaps[:, :, one].max(axis=(-2, -1)),
            "demographic parity": lambda: gaps(self._predicted).max(axis=(-2, -1)),
            "predictive parity": lambda: gaps(self._precision).max(axis=(-2, -1)),
            "worst-off group": lambda: self.profiles[:, :, one].mean(axis=-1).max(axis=-1),
        }
        return np.asarray(worked_out[criterion.quantity.removesuffix(_ONE_KIND)]())

    @cached_property
    def _overall(self) -> Floats:
        return overall_rates(self.profiles, self.setting.tau)

    @cached_property
    def _gaps(self) -> Floats:
        return gaps(self.profiles)

    @cached_property
    def _people(self) -> Floats:
        return self.setting.prevalence if self.population is None else np.asarray(self.population, dtype=np.float64)

    @cached_property
    def _class_shares(self) -> Floats:
        return np.asarray(self._people / self._people.sum(axis=1, keepdims=True))

    @cached_property
    def _wrong(self) -> Floats:
        """The share (n, m, k) of each group and class that is got wrong."""
        k = number_of_classes(self.profiles.shape[-1])
        return np.asarray(self.profiles.reshape(*self.profiles.shape[:-1], k, k - 1).sum(axis=-1))

    @cached_property
    def _predicted(self) -> Floats:
        """How often each class is predicted in each group, (n, m, k)."""
        return np.asarray(np.einsum("gi,ngij->ngj", self._class_shares, matrix_from_vector(self.profiles)))

    @cached_property
    def _precision(self) -> Floats:
        """How often a prediction is right, (n, m, k); 0 of what is never predicted."""
        right = self._class_shares * (1 - self._wrong)
        return np.asarray(right / np.maximum(self._predicted, np.finfo(np.float64).tiny))
