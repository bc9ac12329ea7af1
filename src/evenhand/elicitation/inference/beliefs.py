"""What the rest of evenhand knows of a posterior: probabilities of particles, costs of models, and what follows.

Nothing outside this folder asks for prices or features. So nothing else depends on the family of metrics, or on how
many families there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.inference.attention import Attention
from evenhand.elicitation.inference.features import Models, Pairs
from evenhand.elicitation.inference.likelihood import Probabilities
from evenhand.metric import FairMetric, MetricSample
from evenhand.rates import Setting
from evenhand.typing import Floats


class Beliefs(Protocol):
    """What is believed about a respondent after some answers, as a weighted sample of n particles."""

    @property
    def size(self) -> int:
        """How many particles there are."""
        ...

    @property
    def probability(self) -> Floats:
        """The probability (n,) of each particle."""
        ...

    @property
    def answered(self) -> int:
        """How many answers have been taken into account."""
        ...

    @property
    def undecided(self) -> int:
        """How many of them are "can't tell"."""
        ...

    @property
    def inattentive(self) -> float:
        """The probability that the answers have nothing to do with the questions."""
        ...

    @property
    def inattentive_before(self) -> float:
        """That probability before the first answer."""
        ...

    @property
    def attention(self) -> Attention:
        """What the answers say about whether the respondent attends."""
        ...

    @property
    def lapse_rate(self) -> float:
        """The expected lapse rate of an attentive respondent."""
        ...

    @property
    def free_numbers(self) -> int:
        """How many numbers the weights are made of."""
        ...

    @property
    def degrees_of_freedom(self) -> int:
        """How many of them there are to learn."""
        ...

    def costs(self, models: Models, chosen: NDArray[np.intp] | None = None) -> Floats:
        """Return the cost (n, models) of each model by each particle, or by some of them."""
        ...

    def own_costs(self, models: Models | Pairs, chosen: NDArray[np.intp] | None = None) -> Floats:
        """Return the cost (n,) of the k-th model by the k-th particle; of the k-th pair, what its first saves."""
        ...

    def imbalance(self, pairs: Pairs, chosen: NDArray[np.intp]) -> Floats:
        """Return how unequal the costs of pairs (n, some) are by one particle each, from 0 to 1.

        It is |Σ s| / Σ |s|, where s is what each feature adds to the saving; infinite where no feature matters.
        """
        ...

    def answer_probabilities(self, pairs: Pairs, chosen: NDArray[np.intp], *, single_precision: bool) -> Probabilities:
        """Return the probabilities (3, chosen, pairs) of the answers by some particles."""
        ...

    def predictive(self, pair: Pairs) -> Floats:
        """Return the predictive probabilities (3,) of the answers to one question."""
        ...

    def updated(self, pair: Pairs, answer: int, rng: np.random.Generator, *, sides_drawn: bool = True) -> Beliefs:
        """Return what is believed after one more answer, which tells of attention only if the sides were drawn."""
        ...

    def refined(self, rng: np.random.Generator) -> Beliefs:
        """Return the same beliefs by a better sample."""
        ...

    @property
    def told(self) -> Beliefs:
        """The same beliefs with the prior of responses by which intervals and ratios of weights are told."""
        ...

    def intervals(self, level: float, inattentive: float | None = None) -> Iterator[Floats]:
        """Yield credible intervals of all weights, each with a last axis of two; those of λ are the last."""
        ...

    def mixture(self, inattentive: float | None = None) -> MetricSample:
        """Return the metrics of all particles and, as probable as inattention is, those from before any answer."""
        ...

    def mean_costs(self, models: Models) -> Floats:
        """Return the cost (models,) of each model by the metric with the mean weights."""
        ...

    def mixture_costs(self, models: Models, inattentive: float | None = None) -> tuple[Floats, Floats]:
        """Return the costs (n, models) by the metrics of that mixture, and their probabilities (n,)."""
        ...

    def lapse_interval(self, level: float) -> tuple[float, float]:
        """Return a credible interval of the lapse rate of an attentive respondent."""
        ...

    def metric(self, setting: Setting) -> FairMetric:
        """Return the metric with the mean weights."""
        ...

    @property
    def sample(self) -> MetricSample:
        """The metrics of all particles, with their probabilities."""
        ...

    def savings_before(self, pairs: Pairs, draws: int, rng: np.random.Generator) -> Floats:
        """Return what the first of each pair saves (draws, n) by metrics drawn as before any answer."""
        ...

    def swapped(self, rng: np.random.Generator) -> float:
        """Return how many times as likely the answers would be with their sides swapped."""
        ...
