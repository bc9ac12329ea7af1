"""What an interview is for: the best candidate, the ranking, or the weights; and when that is reached.

No goal is reached before it is clear that somebody attends: a handful of answers fits some metric whoever gave them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.adaptive.posterior import Posterior
from evenhand.elicitation.adaptive.summary import weighted_quantiles
from evenhand.elicitation.adaptive.worth import about_attending, about_everything, about_outcome
from evenhand.rates.vector import Floats

INDIFFERENT = 0.002
"""Candidates whose costs differ by no more than this count as equally good."""
LEVEL = 0.9
_CURIOSITY = 0.1
_SUSPICION = 0.5
"""What a bit about whether anybody attends is worth, in bits about the weights: without it the rest is void."""


class Goal(Protocol):
    """What the questions are for."""

    @property
    def name(self) -> str:
        """What ends an interview when this goal is reached."""
        ...

    def certainty(self, posterior: Posterior) -> float:
        """Return how sure the goal is, 1 being reached beyond doubt; compared with the asked confidence."""
        ...

    def worth(self, posterior: Posterior, chosen: NDArray[np.intp], answers: Floats) -> Floats:
        """Return what each question is worth, from the answers (3, n, questions) of chosen particles."""
        ...


@dataclass(frozen=True, eq=False)
class BestCandidate:
    """Which candidate is best, or as good as the best."""

    features: Floats
    name: str = "best"

    def _nearly_best(self, costs: Floats) -> Floats:
        return np.asarray(costs - costs.min(axis=1, keepdims=True) <= INDIFFERENT)

    def certainty(self, posterior: Posterior) -> float:
        """Return the probability that somebody attends and the favourite is as good as the best."""
        nearly = self._nearly_best(posterior.costs @ self.features.T)
        return (1 - posterior.clicker) * float((posterior.weight @ nearly).max())

    def worth(self, posterior: Posterior, chosen: NDArray[np.intp], answers: Floats) -> Floats:
        """Return the information about the best, and a little for everything else, lest the search stall."""
        costs = posterior.costs[chosen] @ self.features.T
        nearly = self._nearly_best(costs)
        favourite = int(nearly.mean(axis=0).argmax())
        best = np.where(nearly[:, favourite], favourite, costs.argmin(axis=1))
        outcome = (best[:, None] == np.unique(best)).astype(np.float64)
        about_best = about_outcome(answers, outcome, posterior.clicker, posterior.clicks)
        return about_best + _CURIOSITY * about_everything(answers, posterior.clicker, posterior.clicks)


@dataclass(frozen=True, eq=False)
class Ranking:
    """The order of all candidates."""

    features: Floats
    name: str = "ranking"

    def certainty(self, posterior: Posterior) -> float:
        """Return the probability that somebody attends and a pair of candidates is ordered rightly, on average."""
        costs = posterior.costs @ self.features.T
        first, second = np.triu_indices(costs.shape[1], 1)
        ahead = posterior.weight @ (costs[:, first] < costs[:, second])
        return (1 - posterior.clicker) * float(np.maximum(ahead, 1 - ahead).mean())

    def worth(self, posterior: Posterior, chosen: NDArray[np.intp], answers: Floats) -> Floats:
        """Return the information about the weights: every pair of candidates asks for some of it."""
        del chosen
        return _about_weights(posterior, answers)


@dataclass(frozen=True, eq=False)
class Weights:
    """All weights, each within an interval no wider than the tolerance."""

    tolerance: float
    name: str = "weights"

    def certainty(self, posterior: Posterior) -> float:
        """Return the probability that somebody attends, or 0 as long as some interval is too wide."""
        a, B, trade_off = posterior.metrics()
        every = np.concatenate([a, B.reshape(len(B), -1), trade_off[:, None]], axis=1)
        low, high = weighted_quantiles(every, posterior.weight, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
        return 1 - posterior.clicker if float((high - low).max()) <= self.tolerance else 0.0

    def worth(self, posterior: Posterior, chosen: NDArray[np.intp], answers: Floats) -> Floats:
        """Return the information about the weights."""
        del chosen
        return _about_weights(posterior, answers)


def _about_weights(posterior: Posterior, answers: Floats) -> Floats:
    nobody = (posterior.clicker, posterior.clicks)
    return about_everything(answers, *nobody) + _SUSPICION * about_attending(answers, *nobody)
