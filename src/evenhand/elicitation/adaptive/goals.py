"""What an interview is for: the best candidate, the ranking, or the weights; and when that is reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import log2
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.adaptive.information import (
    agreement,
    entropy,
    expected_agreement_gain,
    expected_variance_reduction,
    information_about_attention,
    information_about_outcome,
    information_but_for_noise,
    mean_entropy,
)
from evenhand.elicitation.inference.beliefs import Beliefs
from evenhand.elicitation.inference.features import Models
from evenhand.elicitation.inference.likelihood import Probabilities
from evenhand.elicitation.thresholds import QUESTIONS, STOPPING
from evenhand.rates.ties import ROUNDING, comparable
from evenhand.typing import Floats

WEIGHTS = "weights"


@dataclass(frozen=True, eq=False)
class Utility:
    """The utility of questions, from the answers (3, n, questions) of n particles: `but_for_noise` less noise.

    Attributes
    ----------
    but_for_noise
        What it would be (questions,) if every particle knew its answer: the most that it can be.
    noise
        How much a bit of noise, the mean entropy of the answers by one particle, takes off it.
    """

    but_for_noise: Callable[[Probabilities], Probabilities]
    noise: float

    def of(self, answers: Probabilities) -> Probabilities:
        """Return the utility (questions,)."""
        return np.asarray(self.but_for_noise(answers) - self.noise * mean_entropy(answers))

    @classmethod
    def with_curiosity(
        cls, beliefs: Beliefs, curiosity: float, about: Callable[[Probabilities], Probabilities]
    ) -> Utility:
        """Return the utility of what questions are about, and so much for each bit about everything."""
        inattentive = beliefs.inattentive

        def but_for_noise(answers: Probabilities) -> Probabilities:
            return about(answers) + curiosity * information_but_for_noise(answers, inattentive)

        return cls(but_for_noise, curiosity * (1 - inattentive))


class Goal(Protocol):
    """What the questions are for."""

    @property
    def name(self) -> str:
        """What ends an interview when this goal is reached."""
        ...

    def reached_if_attending(self, beliefs: Beliefs, confidence: float) -> bool:
        """Return whether the goal is reached with this confidence, if the respondent attends."""
        ...

    def reached(self, beliefs: Beliefs, confidence: float) -> bool:
        """Return whether the goal is reached in terms of what is reported in the end."""
        ...

    def utility(self, beliefs: Beliefs, subsample: NDArray[np.intp]) -> Utility:
        """Return what gives the utility of each question, from the answers of some particles."""
        ...

    def questions_left(self, beliefs: Beliefs, confidence: float) -> float:
        """Return about how many questions are left, by how much there is still to learn."""
        ...


def about_attention(beliefs: Beliefs) -> Utility:
    """Take the information about attention, and a little for all else."""
    return Utility.with_curiosity(
        beliefs, QUESTIONS.idle_curiosity, lambda answers: information_about_attention(answers, beliefs.inattentive)
    )


@dataclass(frozen=True, eq=False)
class BestCandidate:
    """Which candidate is best, or as good as the best."""

    candidates: Models
    name: str = "best"

    def _nearly_best(self, costs: Floats) -> NDArray[np.bool_]:
        """Return which candidates are as good as the best (candidates, n), by costs (n, candidates)."""
        by_candidate = np.ascontiguousarray(costs.T)  # the least of long rows is found faster than that of short ones
        return np.asarray(by_candidate - by_candidate.min(axis=0) <= STOPPING.indifferent)

    def certainty(self, beliefs: Beliefs) -> float:
        """Return the probability that the favourite is as good as the best."""
        return float((self._nearly_best(beliefs.costs(self.candidates)) @ beliefs.probability).max())

    def reached_if_attending(self, beliefs: Beliefs, confidence: float) -> bool:
        """Return whether the favourite is as good as the best with enough certainty."""
        return self.certainty(beliefs) >= confidence - ROUNDING

    reached = reached_if_attending

    def _best(self, costs: Floats, probability: Floats) -> NDArray[np.intp]:
        """Return a candidate that is nearly best for each particle (n,): as few different ones as possible, greedily.

        First comes the one that is nearly best for most, then the one for most of the rest, …
        """
        nearly = self._nearly_best(costs).astype(np.float64)
        best, waiting = np.empty(len(costs), dtype=np.intp), np.arange(len(costs))
        while waiting.size:
            favourite = int(comparable(nearly @ probability).argmax())
            content = nearly[favourite] > 0
            if not content.any():  # the rest have probability 0
                content[:] = True
            best[waiting[content]] = favourite
            others = np.flatnonzero(~content)
            nearly, probability, waiting = nearly[:, others], probability[others], waiting[others]
        return best

    def utility(self, beliefs: Beliefs, subsample: NDArray[np.intp]) -> Utility:
        """Take the information about the best candidate, and a little for all else: the search never stalls."""
        n = len(subsample)
        best = self._best(beliefs.costs(self.candidates, subsample), np.full(n, 1 / n))
        outcome = (best[:, None] == np.unique(best)).astype(np.float64)

        return Utility.with_curiosity(
            beliefs,
            QUESTIONS.curiosity,
            lambda answers: information_about_outcome(answers, outcome, beliefs.inattentive),
        )

    def questions_left(self, beliefs: Beliefs, confidence: float) -> float:
        """Return a few questions for each bit that is missing on which candidate is the best."""
        best = self._best(beliefs.costs(self.candidates), beliefs.probability)
        shares = np.bincount(best, beliefs.probability).astype(np.float64)
        settled = np.array([confidence, 1 - confidence])
        return STOPPING.questions_per_bit * float(entropy(shares, axis=0) - entropy(settled, axis=0))


def order_told(
    beliefs: Beliefs, candidates: Models, inattentive: float | None = None
) -> tuple[NDArray[np.intp], float]:
    """Return the order of the candidates that is told, and the probability that a pair of them is in that order.

    It is that of the costs by the metric that is told. The probability is an average over pairs; two candidates that
    cost the same are in the right order. Of attention, one may be certain by `inattentive` = 0.
    """
    order = np.argsort(comparable(beliefs.mean_costs(candidates)), kind="stable")
    costs, probability = beliefs.told.mixture_costs(candidates, inattentive)
    wrong = [some @ probability for some in _ahead(costs[:, order[::-1]], np.random.default_rng(0))]
    return order, float(1 - np.concatenate(wrong).mean())


def _ahead(costs: Floats, rng: np.random.Generator) -> Iterator[NDArray[np.bool_]]:
    """Yield for a few pairs of candidates at a time whether the first costs less (pairs, n)."""
    first, second = np.triu_indices(costs.shape[1], 1)
    if len(first) > QUESTIONS.order_pairs:
        some = rng.choice(len(first), size=QUESTIONS.order_pairs, replace=False)
        first, second = first[some], second[some]
    by_candidate = np.ascontiguousarray(costs.T)  # rows are taken faster than columns
    dearer = by_candidate - ROUNDING
    block = QUESTIONS.pairs_at_once
    for start in range(0, len(first), block):
        yield by_candidate[first[start : start + block]] < dearer[second[start : start + block]]


@dataclass(frozen=True, eq=False)
class RankingGoal:
    """The order of all candidates."""

    candidates: Models
    name: str = "ranking"

    def reached_if_attending(self, beliefs: Beliefs, confidence: float) -> bool:
        """Return whether pairs would be in the right order with enough certainty if attention were certain."""
        _, certainty = order_told(beliefs, self.candidates, inattentive=0.0)
        return certainty >= confidence - ROUNDING

    def reached(self, beliefs: Beliefs, confidence: float) -> bool:
        """Return whether pairs are in the right order with enough certainty."""
        _, certainty = order_told(beliefs, self.candidates)
        return certainty >= confidence - ROUNDING

    def utility(self, beliefs: Beliefs, subsample: NDArray[np.intp]) -> Utility:
        """Take the expected gain in agreement on the order, and a very little for everything else."""
        ahead = _ahead(beliefs.costs(self.candidates, subsample), np.random.default_rng(beliefs.answered))
        agreed = agreement(np.concatenate(list(ahead)))

        return Utility.with_curiosity(
            beliefs, QUESTIONS.idle_curiosity, lambda answers: expected_agreement_gain(answers, agreed)
        )

    def questions_left(self, beliefs: Beliefs, confidence: float) -> float:
        """Return a few questions for each halving of the doubt and each free number."""
        _, certainty = order_told(beliefs, self.candidates, inattentive=0.0)
        doubt = (1 - certainty) / (1 - confidence)
        return STOPPING.questions_per_bit * beliefs.free_numbers * log2(max(doubt, 1.0))


@dataclass(frozen=True, eq=False)
class WeightsGoal:
    """All weights, each within an interval of a certain width at most."""

    interval_width: float
    name: str = WEIGHTS

    def _widest(self, beliefs: Beliefs, inattentive: float | None = None) -> float:
        return max(float(np.ptp(ends, axis=-1).max()) for ends in beliefs.told.intervals(STOPPING.level, inattentive))

    def reached_if_attending(self, beliefs: Beliefs, confidence: float) -> bool:
        """Return whether every interval would be narrow enough if attention were certain."""
        del confidence
        return self._widest(beliefs, inattentive=0.0) <= self.interval_width

    def reached(self, beliefs: Beliefs, confidence: float) -> bool:
        """Return whether every interval is narrow enough as it is reported, which allows for inattention."""
        del confidence
        return self._widest(beliefs) <= self.interval_width

    def utility(self, beliefs: Beliefs, subsample: NDArray[np.intp]) -> Utility:
        """Take how much less the weights will vary, and some of the information about attention and all else.

        One half is the variance of a, B and λ, and one half that of (1 − λ)a and λB: where gaps hardly count, say, B
        varies most and cannot be learned, and costs do not depend on it.
        """
        weights, inattentive = beliefs.sample.weights, beliefs.inattentive
        both = tuple(each[subsample] for each in (weights.in_a_row, weights.scaled_in_a_row))

        def about(answers: Probabilities) -> Probabilities:
            settled = sum(expected_variance_reduction(answers, each, inattentive) for each in both) / len(both)
            return settled + QUESTIONS.attention * information_about_attention(answers, inattentive)

        return Utility.with_curiosity(beliefs, QUESTIONS.curiosity, about)

    def questions_left(self, beliefs: Beliefs, confidence: float) -> float:
        """Return a few questions for each halving of the widest interval and each degree of freedom."""
        del confidence
        too_wide = self._widest(beliefs, inattentive=0.0) / self.interval_width
        return STOPPING.questions_per_bit * beliefs.degrees_of_freedom * log2(max(too_wide, 1.0))
