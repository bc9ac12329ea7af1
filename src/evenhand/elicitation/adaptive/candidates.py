"""The candidates: named models to choose from, and how well their rates are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from evenhand.elicitation.inference.beliefs import Beliefs
from evenhand.elicitation.inference.features import Models
from evenhand.elicitation.thresholds import QUESTIONS
from evenhand.rates import GroupRates, Setting
from evenhand.rates.models import named_models
from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats


@dataclass(frozen=True, eq=False)
class Candidates:
    """Named models with their rates, each in its own prevalence."""

    rates: Mapping[str, GroupRates]
    models: Models

    @classmethod
    def of(cls, rates: Mapping[str, GroupRates], setting: Setting) -> Candidates:
        """Check that there is something to choose from, and put it in the order of the setting."""
        named = named_models(rates, setting, least=2)
        return cls(named, Models.of(list(named.values())))

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in the order given."""
        return tuple(self.rates)

    @property
    def profiles(self) -> Floats:
        """The profiles (n, m, q)."""
        return self.models.profiles

    def drawn_costs(self, beliefs: Beliefs) -> Floats:
        """Return the cost (n, models) of each model by each particle, by its rates as `drawn`."""
        if all(one.sizes is None for one in self.rates.values()):
            return beliefs.costs(self.models)
        return np.stack([beliefs.own_costs(each) for each in self.drawn(beliefs.size)], axis=1)

    def drawn(self, n: int) -> tuple[Models, ...]:
        """Return n times each model, with profiles from the posterior of its rates, as `rank` draws them."""
        small = 8 * n * self.profiles.size <= QUESTIONS.most_bytes_kept
        return _kept(self, n) if small else _drawn(self, n)

    @property
    def population(self) -> Floats | None:
        """How many people of each group and class the rates were measured on (m, k), if that is known."""
        return next((one.sizes for one in self.rates.values() if one.sizes is not None), None)

    def alike(self, beliefs: Beliefs) -> bool:
        """Return whether all of them cost the same by every metric."""
        return bool(np.ptp(beliefs.costs(self.models), axis=1).max() <= ROUNDING)


def _drawn(candidates: Candidates, n: int) -> tuple[Models, ...]:
    rng = np.random.default_rng(0)
    return tuple(Models(one.draw(n, rng), one.setting) for one in candidates.rates.values())


_kept = lru_cache(QUESTIONS.draws_kept)(_drawn)
"""The same for every interview of a study, and to draw them takes longer than to use them."""
