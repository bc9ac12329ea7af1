"""Models and pairs of models, with what their cost is linear in: the features of each family, worked out once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evenhand.metric.families import Family
from evenhand.rates import GroupRates, Setting
from evenhand.typing import Floats


class Models:
    """Profiles (…, m, q) in one setting, or n of them (n, m, q) each in the setting that it was measured in."""

    def __init__(self, profiles: Floats, setting: Setting | Sequence[Setting]) -> None:
        self.profiles, self._setting = profiles, setting
        self._features: dict[str, Floats] = {}

    @classmethod
    def of(cls, rates: Sequence[GroupRates]) -> Models:
        """Return measured models, each in its own prevalence."""
        return cls(np.stack([one.vector for one in rates]), [one.setting for one in rates])

    def features(self, family: Family) -> Floats:
        """Return Φ (…, d) of each model."""
        if family.name not in self._features:
            self._features[family.name] = self._worked_out(family)
        return self._features[family.name]

    def _worked_out(self, family: Family) -> Floats:
        if isinstance(self._setting, Setting):
            return family.features(self.profiles, self._setting)
        each = zip(self.profiles, self._setting, strict=True)
        return np.stack([family.features(profile, setting) for profile, setting in each])


class Pairs:
    """Pairs (…,) of some models; a question is one."""

    def __init__(self, models: Models, first: NDArray[np.intp], second: NDArray[np.intp]) -> None:
        self._models, self._first, self._second = models, first, second

    @classmethod
    def between(cls, firsts: Floats, seconds: Floats, setting: Setting) -> Pairs:
        """Return the pairs of the n-th of each, (n, m, q)."""
        n = len(firsts)
        return cls(Models(np.concatenate([firsts, seconds]), setting), np.arange(n), np.arange(n, 2 * n))

    def __len__(self) -> int:
        """Return how many there are along the first axis."""
        return len(self._first)

    def __getitem__(self, chosen: NDArray[np.intp]) -> Pairs:
        """Return some of them."""
        return Pairs(self._models, self._first[chosen], self._second[chosen])

    def features(self, family: Family) -> Floats:
        """Return Φ(second) − Φ(first) (…, d): its cost is what the first saves."""
        features = self._models.features(family)
        return np.asarray(features[self._second] - features[self._first])
