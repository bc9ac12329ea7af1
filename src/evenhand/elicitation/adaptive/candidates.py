"""The person's own models: what they cost by every metric of the sample, and how surely their rates are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from evenhand.elicitation.inference.posterior import Posterior
from evenhand.metric.families import Family, Gaps
from evenhand.rates import GroupRates, Setting
from evenhand.rates.models import named_models
from evenhand.typing import Floats


@dataclass(frozen=True, eq=False)
class Candidates:
    """Named models with their rates."""

    rates: Mapping[str, GroupRates]
    profiles: Floats
    features: Floats
    family: Family

    @classmethod
    def of(cls, rates: Mapping[str, GroupRates], setting: Setting, family: Family | None = None) -> Candidates:
        """Check that there is something to choose from, and put it in the order of the setting."""
        rates = named_models(rates, setting, least=2)
        profiles = np.stack([one.vector for one in rates.values()])
        family = family or Gaps()
        features = np.stack([family.features(one.vector, one.setting) for one in rates.values()])
        return cls(rates, profiles, features, family)

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in the order given."""
        return tuple(self.rates)

    @property
    def counted(self) -> bool:
        """Whether any candidate says how many people its rates were measured on."""
        return any(one.sizes is not None for one in self.rates.values())

    @property
    def alike(self) -> bool:
        """Whether all of them have the same rates."""
        return bool((self.features == self.features[0]).all())

    def costs(self, posterior: Posterior) -> Floats:
        """Return the cost (n, candidates) of each by each metric of the sample, by the rates as measured."""
        return np.asarray(posterior.prices @ self.features.T)

    def costs_with_sampling_error(self, posterior: Posterior, rng: np.random.Generator) -> Floats:
        """Return the same with rates drawn anew for each metric, as uncertain as the counts leave them."""
        costs = self.costs(posterior)
        for place, one in enumerate(self.rates.values()):
            if one.sizes is not None:
                features = self.family.features(one.draw(posterior.size, rng), one.setting)
                costs[:, place] = np.einsum("nd,nd->n", posterior.prices, features)
        return costs
