"""What an interview is for: the best candidate, the ranking, or the weights; and when that is reached."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.adaptive.information import (
    entropy,
    expected_agreement_gain,
    information_about_all,
    information_about_attention,
    information_about_outcome,
)
from evenhand.elicitation.inference.likelihood import Probabilities
from evenhand.elicitation.inference.posterior import Posterior
from evenhand.elicitation.thresholds import QUESTIONS, STOPPING
from evenhand.rates.ties import ROUNDING, comparable
from evenhand.typing import Floats


class Goal(Protocol):
    """What the questions are for."""

    @property
    def name(self) -> str:
        """What ends an interview when this goal is reached."""
        ...

    def reached_if_attending(self, posterior: Posterior, confidence: float) -> bool:
        """Return whether the goal is reached with this confidence, if somebody attends."""
        ...

    def reached(self, posterior: Posterior, confidence: float) -> bool:
        """Return whether the goal is reached by what is said in the end, where it is all but certain that they do."""
        ...

    def utility(self, posterior: Posterior, subsample: NDArray[np.intp], answers: Probabilities) -> Probabilities:
        """Return the utility of each question, from the answers (3, n, questions) of some particles."""
        ...

    def questions_left(self, posterior: Posterior, confidence: float) -> float:
        """Return about how many questions are left, by how much there is still to learn."""
        ...


@dataclass(frozen=True, eq=False)
class BestCandidate:
    """Which candidate is best, or as good as the best."""

    features: Floats
    name: str = "best"

    def nearly_best(self, costs: Floats) -> NDArray[np.bool_]:
        """Return which candidates are as good as the best, by costs (n, candidates)."""
        return np.asarray(costs - costs.min(axis=1, keepdims=True) <= STOPPING.indifferent)

    def certainty(self, posterior: Posterior) -> float:
        """Return the probability that the favourite is as good as the best."""
        return float((posterior.probability @ self.nearly_best(posterior.prices @ self.features.T)).max())

    def reached_if_attending(self, posterior: Posterior, confidence: float) -> bool:
        """Return whether the favourite is surely enough as good as the best."""
        return self.certainty(posterior) >= confidence - ROUNDING

    reached = reached_if_attending

    def _best(self, costs: Floats, weight: Floats) -> NDArray[np.intp]:
        """Return what each metric (n,) would be content with: as few different candidates as it takes.

        The favourite of most comes first, then the favourite of most of those who would not be content with it, …
        """
        nearly = self.nearly_best(costs)
        best = np.full(len(costs), -1)
        waiting = weight.copy()
        while (best < 0).any():
            favourite = int(comparable(waiting @ nearly).argmax())
            content = nearly[:, favourite] & (best < 0)
            if not content.any():  # those who are left weigh nothing
                content = best < 0
            best[content] = favourite
            waiting[content] = 0.0
        return best

    def utility(self, posterior: Posterior, subsample: NDArray[np.intp], answers: Probabilities) -> Probabilities:
        """Return the information about the best, and a little for everything else, lest the search stall."""
        best = self._best(posterior.prices[subsample] @ self.features.T, np.full(len(subsample), 1 / len(subsample)))
        outcome = (best[:, None] == np.unique(best)).astype(np.float64)
        about_best = information_about_outcome(answers, outcome, posterior.inattentive, posterior.inattentive_answers)
        return about_best + QUESTIONS.curiosity * information_about_all(
            answers, posterior.inattentive, posterior.inattentive_answers
        )

    def questions_left(self, posterior: Posterior, confidence: float) -> float:
        """Return a few questions for each bit that is missing on which candidate is the best."""
        best = self._best(posterior.prices @ self.features.T, posterior.probability)
        shares = np.bincount(best, posterior.probability).astype(np.float64)
        settled = np.array([confidence, 1 - confidence])
        return STOPPING.questions_per_bit * float(entropy(shares, axis=0) - entropy(settled, axis=0))


@dataclass(frozen=True, eq=False)
class RankingGoal:
    """The order of all candidates."""

    features: Floats
    name: str = "ranking"

    def _ahead(self, costs: Floats, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Return of some pairs of candidates whether the first costs less (n, pairs)."""
        first, second = np.triu_indices(costs.shape[1], 1)
        if len(first) > QUESTIONS.order_pairs:
            some = rng.choice(len(first), size=QUESTIONS.order_pairs, replace=False)
            first, second = first[some], second[some]
        return np.asarray(costs[:, first] < costs[:, second] - ROUNDING)

    def certainty(self, posterior: Posterior) -> float:
        """Return the probability that a pair of candidates is ordered rightly, on average over pairs."""
        ahead = posterior.probability @ self._ahead(posterior.prices @ self.features.T, np.random.default_rng(0))
        return float(np.maximum(ahead, 1 - ahead).mean())

    def reached_if_attending(self, posterior: Posterior, confidence: float) -> bool:
        """Return whether pairs are ordered rightly surely enough."""
        return self.certainty(posterior) >= confidence - ROUNDING

    reached = reached_if_attending

    def utility(self, posterior: Posterior, subsample: NDArray[np.intp], answers: Probabilities) -> Probabilities:
        """Return how much clearer the order becomes, and a very little for everything else."""
        ahead = self._ahead(posterior.prices[subsample] @ self.features.T, np.random.default_rng(posterior.answered))
        everything = information_about_all(answers, posterior.inattentive, posterior.inattentive_answers)
        return expected_agreement_gain(answers, ahead) + QUESTIONS.idle_curiosity * everything

    def questions_left(self, posterior: Posterior, confidence: float) -> float:
        """Return a few questions for each halving of the doubt and each free weight."""
        doubt = (1 - self.certainty(posterior)) / (1 - confidence)
        return STOPPING.questions_per_bit * posterior.model.prior.size * log2(max(doubt, 1.0))


@dataclass(frozen=True, eq=False)
class WeightsGoal:
    """All weights, each within an interval no wider than asked."""

    width: float
    name: str = "weights"

    def _widest(self, posterior: Posterior, inattentive: float | None = None) -> float:
        return max(float(np.ptp(ends, axis=-1).max()) for ends in posterior.intervals(STOPPING.level, inattentive))

    def reached_if_attending(self, posterior: Posterior, confidence: float) -> bool:
        """Return whether every interval would be narrow enough, were attending certain."""
        del confidence
        return self._widest(posterior, inattentive=0.0) <= self.width

    def reached(self, posterior: Posterior, confidence: float) -> bool:
        """Return whether every interval is narrow enough as it will be told, which allows for nobody attending."""
        del confidence
        return self._widest(posterior) <= self.width

    def utility(self, posterior: Posterior, subsample: NDArray[np.intp], answers: Probabilities) -> Probabilities:
        """Return the information about the weights, and about whether anybody attends."""
        del subsample
        nobody = (posterior.inattentive, posterior.inattentive_answers)
        return information_about_all(answers, *nobody) + QUESTIONS.attention * information_about_attention(
            answers, *nobody
        )

    def questions_left(self, posterior: Posterior, confidence: float) -> float:
        """Return a few questions for each halving of the widest interval, were attending certain, and each degree."""
        del confidence
        too_wide = self._widest(posterior, inattentive=0.0) / self.width
        return STOPPING.questions_per_bit * posterior.model.prior.degrees_of_freedom * log2(max(too_wide, 1.0))
