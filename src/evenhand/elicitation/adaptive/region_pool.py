"""Questions about realistic models: pairs of what good classifiers achieve on the user's own data.

People judge models better that look like models. A pair is worth asking about if a particle of the sample finds both
about equally good, though they differ much: of some pairs drawn at random, the one that comes nearest to that.
"""

from __future__ import annotations

import numpy as np

from evenhand.elicitation.inference.posterior import Posterior
from evenhand.errors import EvenhandError
from evenhand.metric.cost import linear_features
from evenhand.rates.ties import ROUNDING, comparable
from evenhand.region import FeasibleRegion
from evenhand.region.realistic import realistic_people, realistic_profiles
from evenhand.typing import Floats

_RIVALS = 24


class RegionPool:
    """Draws pairs of realistic profiles that divide a posterior sample."""

    def __init__(self, region: FeasibleRegion, tau: Floats, people: int | None) -> None:
        self.profiles = realistic_profiles(region) if people is None else realistic_people(region, people)
        if len(self.profiles) < 2:
            raise EvenhandError(
                f"people is {people}: rounded to so few people, no two realistic models are within reach of all "
                "groups. Take more, or leave it out"
            )
        self._features = linear_features(self.profiles, tau)

    def draw(self, posterior: Posterior, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Draw n pairs of profiles, each (n, m, q)."""
        costs = posterior.costs[rng.choice(posterior.size, size=n, p=posterior.weight)]
        one = rng.integers(len(self.profiles), size=n)
        rivals = rng.integers(len(self.profiles), size=(n, _RIVALS))
        stakes = costs[:, None] * (self._features[rivals] - self._features[one][:, None])
        size = np.abs(stakes).sum(axis=-1)
        balance = np.abs(stakes.sum(axis=-1)) / np.where(size > 0, size, 1.0)
        chosen = comparable(np.where(size > ROUNDING, balance, np.inf)).argmin(axis=1)
        return self.profiles[one], self.profiles[rivals[np.arange(n), chosen]]
