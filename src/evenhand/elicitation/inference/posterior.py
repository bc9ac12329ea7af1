"""The posterior of a respondent's weights and response: a weighted sample that each answer updates.

By sequential Monte Carlo (Chopin 2002; see `sampler`). An answer y multiplies the weight of particle u by P(y | u), and
the marginal likelihood of all answers, P(y₁, …, yₙ), by the weighted mean of P(y | u). Whether the respondent attends
is kept apart from the particles: the posterior odds of attention are the prior odds times a Bayes factor (`attention`).

References
----------
A. P. Dawid (1984): Present position and potential developments: some personal views. Statistical theory: the
prequential approach. Journal of the Royal Statistical Society A 147, 278–292.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, inf, log

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.inference.attention import Attention, inattentive_answers
from evenhand.elicitation.inference.bridge import log_integral
from evenhand.elicitation.inference.diagnostics import swapped
from evenhand.elicitation.inference.features import Models, Pairs
from evenhand.elicitation.inference.likelihood import (
    Probabilities,
    lapse_rate,
    probabilities,
)
from evenhand.elicitation.inference.model import AnswerModel, Answers
from evenhand.elicitation.inference.quantiles import weighted_intervals, weighted_quantiles
from evenhand.elicitation.inference.sampler import (
    component_size,
    effective_sample_size,
    population,
    refined_sweeps,
    resampled,
    usual_sweeps,
)
from evenhand.elicitation.inference.walk import Ensemble, walk
from evenhand.elicitation.thresholds import SAMPLER
from evenhand.metric import FairMetric, MetricSample
from evenhand.metric.families import Family
from evenhand.metric.weights import Weights
from evenhand.rates import Setting
from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats


@dataclass(frozen=True, eq=False)
class Posterior:
    """A weighted sample of weights and responses, after some answers.

    Attributes
    ----------
    model
        How latent numbers become weights, responses and probabilities of answers.
    answers
        The answers that have been taken into account.
    latent
        The particles (size, d), in terms of numbers that were uniform on (0, 1) before any answer.
    prices
        What each particle charges for each feature of a model, (size, features).
    log_weights
        The logarithm of how much each particle counts, up to a constant.
    log_evidence
        The log of the marginal likelihood of the answers of an attentive respondent.
    attention
        What the same answers say about whether the respondent attends.
    before
        The weights of some particles that the first answer found.
    particles
        How many particles there are after many answers; after few, or with many weights, there are more.
    effort
        How many times as long as usual particles are moved after each resampling.
    """

    model: AnswerModel
    answers: Answers
    latent: Floats
    prices: Floats
    log_weights: Floats
    log_evidence: float
    attention: Attention
    before: Weights
    particles: int
    effort: float

    @classmethod
    def without_answers(
        cls, model: AnswerModel, *, particles: int, rng: np.random.Generator, effort: float = 1.0
    ) -> Posterior:
        """Draw particles of the prior."""
        latent = model.draw(population(particles, model.size, 0), rng)
        return cls(
            model=model,
            answers=Answers.none(),
            latent=latent,
            prices=model.prices(latent),
            log_weights=np.zeros(len(latent)),
            log_evidence=0.0,
            attention=Attention(),
            before=model.weights(latent[:particles]),
            particles=particles,
            effort=effort,
        )

    @property
    def size(self) -> int:
        """How many particles there are."""
        return len(self.latent)

    @property
    def answered(self) -> int:
        """How many answers have been taken into account."""
        return len(self.answers)

    @property
    def undecided(self) -> int:
        """How many of them are "can't tell"."""
        return self.answers.undecided

    @property
    def family(self) -> Family:
        """The family of the metrics."""
        return self.model.prior.family

    @property
    def free_numbers(self) -> int:
        """How many numbers the weights are made of."""
        return self.model.prior.size

    @property
    def degrees_of_freedom(self) -> int:
        """How many of them there are to learn."""
        return self.model.prior.degrees_of_freedom

    def _prices_of(self, chosen: NDArray[np.intp] | None) -> Floats:
        return self.prices if chosen is None else self.prices[chosen]

    @cached_property
    def probability(self) -> Floats:
        """The probability (n,) of each particle."""
        weights = np.exp(self.log_weights - self.log_weights.max())
        return np.asarray(weights / weights.sum())

    @cached_property
    def weights(self) -> Weights:
        """The weights of the metric that each particle stands for."""
        return self.model.weights(self.latent)

    @property
    def responses(self) -> Floats:
        """The response (n, 3) of each particle."""
        return self.model.responses(self.latent)

    @property
    def lapse_rate(self) -> float:
        """The expected lapse rate of an attentive respondent."""
        return float(self.probability @ lapse_rate(self.responses))

    @property
    def inattentive(self) -> float:
        """The probability that the respondent is inattentive."""
        return self.attention.inattentive(self.inattentive_before)

    @property
    def inattentive_before(self) -> float:
        """That probability before the first answer."""
        return self.model.response.inattentive

    def intervals(self, level: float, inattentive: float | None = None) -> Iterator[Floats]:
        """Yield credible intervals of a (q, 2), B (rows, columns, 2) and λ (2,).

        If the respondent is inattentive, the weights are still distributed as before any answer: the intervals are
        those of the mixture. The probability of that may be given, in place of the one that the answers suggest.
        """
        mixture = self.mixture(inattentive)
        for weights in (mixture.weights.misclassification, mixture.weights.violation, mixture.weights.trade_off):
            yield weighted_intervals(weights, mixture.probability, level)

    def mixture(self, inattentive: float | None = None) -> MetricSample:
        """Return the metrics of all particles and, as probable as inattention is, those from before any answer."""
        inattentive = self.inattentive if inattentive is None else inattentive
        before = self.before
        nobody = np.full(len(before.trade_off), inattentive / len(before.trade_off))
        probability = np.concatenate([(1 - inattentive) * self.probability, nobody])
        return MetricSample(self.weights.followed_by(before), probability, self.family.name)

    def lapse_interval(self, level: float) -> tuple[float, float]:
        """Return a credible interval of the lapse rate of an attentive respondent."""
        ends = ((1 - level) / 2, (1 + level) / 2)
        low, high = weighted_quantiles(lapse_rate(self.responses), self.probability, ends)
        return float(low), float(high)

    def costs(self, models: Models, chosen: NDArray[np.intp] | None = None) -> Floats:
        """Return the cost (n, models) of each model by each particle, or by some of them."""
        return np.asarray(self._prices_of(chosen) @ models.features(self.family).T)

    def mean_costs(self, models: Models) -> Floats:
        """Return the cost (models,) of each model by the metric with the mean weights."""
        mean = self.family.prices(self.weights.mean(self.probability))
        return np.asarray(models.features(self.family) @ mean)

    def mixture_costs(self, models: Models, inattentive: float | None = None) -> tuple[Floats, Floats]:
        """Return the costs (n, models) by the metrics of the mixture, and their probabilities (n,)."""
        mixture = self.mixture(inattentive)
        prices = self.family.prices(mixture.weights)
        return np.asarray(prices @ models.features(self.family).T), mixture.probability

    def own_costs(self, models: Models | Pairs, chosen: NDArray[np.intp] | None = None) -> Floats:
        """Return the cost (n,) of the k-th model by the k-th particle; of the k-th pair, what its first saves."""
        return np.asarray(np.einsum("nd,nd->n", self._prices_of(chosen), models.features(self.family)))

    def imbalance(self, pairs: Pairs, chosen: NDArray[np.intp]) -> Floats:
        """Return |Σ s| / Σ |s| of pairs (n, some) by one particle each; s is what each feature adds to the saving."""
        stakes = self._prices_of(chosen)[:, None] * pairs.features(self.family)
        size = np.abs(stakes).sum(axis=-1)
        balance = np.abs(stakes.sum(axis=-1)) / np.where(size > 0, size, 1.0)
        return np.where(size > ROUNDING, balance, np.inf)

    def answer_probabilities(self, pairs: Pairs, chosen: NDArray[np.intp], *, single_precision: bool) -> Probabilities:
        """Return the probabilities (3, chosen, pairs) of the answers by some particles, each with its own response.

        Single precision serves to compare hundreds of questions by hundreds of particles.
        """
        prices, features = self.prices[chosen], pairs.features(self.family)
        responses = self.model.responses(self.latent[chosen])
        if single_precision:
            prices, features = prices.astype(np.float32), features.astype(np.float32)
        return probabilities(prices @ features.T, responses)

    def predict(self, features: Floats) -> Floats:
        """Return the probabilities (3, n, questions) of each answer by each particle, to Φ(second) − Φ(first)."""
        return np.asarray(probabilities(self.prices @ features.T, self.responses), dtype=np.float64)

    def predictive(self, pair: Pairs) -> Floats:
        """Return the predictive probabilities (3,) of the answers to one question (Dawid 1984)."""
        attentive = self.predict(pair.features(self.family))[:, :, 0] @ self.probability
        return np.asarray(self.inattentive * inattentive_answers(attentive) + (1 - self.inattentive) * attentive)

    def updated(self, pair: Pairs, answer: int, rng: np.random.Generator, *, sides_drawn: bool = True) -> Posterior:
        """Return the posterior after one more answer, resampled and moved if the effective sample size is small.

        The answer says nothing about attention if its sides were not drawn.
        """
        features = pair.features(self.family)
        predicted = self.predict(features)[:, :, 0]
        likelihood = predicted[answer]
        after = replace(
            self,
            answers=self.answers.with_answer(features[0], answer),
            log_weights=self.log_weights + np.log(likelihood),
            log_evidence=self.log_evidence + log(float(likelihood @ self.probability)),
            attention=self.attention.after(answer, predicted @ self.probability, sides_drawn=sides_drawn),
        )
        size = population(self.particles, self.model.size, after.answered)
        sweeps = ceil(self.effort * usual_sweeps(self.model.size))
        return after.moved(size, sweeps, SAMPLER.min_effective_share, rng)

    def refined(self, rng: np.random.Generator) -> Posterior:
        """Return the same posterior by a sample that is moved for longer, and better weighed: for a last look."""
        if not self.answered:
            return self
        size = SAMPLER.refined_share * self.particles
        return self.moved(size, refined_sweeps(self.model.size, self.answered), inf, rng).weighed(rng)

    def weighed(self, rng: np.random.Generator) -> Posterior:
        """Return the same particles, each component weighed by its marginal likelihood as the bridge estimates it.

        Where the bridge cannot tell, all stays as it is.
        """
        log_weights, evidence = np.empty(self.size), []
        for box in self.model.components:
            own = box.hold(self.latent)
            found = log_integral(self.latent[own], self.log_likelihood, box, self.model.prior.size, rng)
            if found is None:
                return self
            evidence.append(found)
            log_weights[own] = found - log(own.sum())
        return replace(self, log_weights=log_weights, log_evidence=float(np.logaddexp.reduce(evidence)))

    def moved(self, size: int, sweeps: int, min_effective_share: float, rng: np.random.Generator) -> Posterior:
        """Return the same posterior, each component resampled and moved where few of its particles count."""
        components = self.model.components
        ensembles, log_weights, depleted = list[Ensemble](), list[Floats](), list[int]()
        for place, box in enumerate(components):
            own = box.hold(self.latent)
            latent, own_weights, mass = self.latent[own], self.log_weights[own], float(self.probability[own].sum())
            most = own_weights.max()
            probability = np.exp(own_weights - most)
            total = float(probability.sum())
            probability /= total
            if effective_sample_size(probability) <= min_effective_share * len(latent):
                n = component_size(size, mass) if len(components) > 1 else size
                latent, own_weights = resampled(latent, probability, n, rng), np.full(n, most + log(total / n))
                depleted.append(place)
            ensembles.append(Ensemble(latent, box))
            log_weights.append(own_weights)
        if not depleted:
            return self
        moved = walk([ensembles[place] for place in depleted], self.log_likelihood, sweeps, rng)
        for place, points in zip(depleted, moved, strict=True):
            ensembles[place] = ensembles[place]._replace(points=points)
        latent = np.concatenate([ensemble.points for ensemble in ensembles])
        return replace(self, latent=latent, prices=self.model.prices(latent), log_weights=np.concatenate(log_weights))

    @property
    def told(self) -> Posterior:
        """The same particles as they count in what is told about the weights: more of them are soft (`response`)."""
        return replace(self, log_weights=self.log_weights + self.model.log_told(self.latent))

    def metric(self, setting: Setting) -> FairMetric:
        """Return the metric with the mean weights."""
        return FairMetric.of(setting, self.weights.mean(self.probability), self.family.name)

    @property
    def sample(self) -> MetricSample:
        """The metrics of all particles, with their probabilities."""
        return MetricSample(self.weights, self.probability, self.family.name)

    def savings_before(self, pairs: Pairs, draws: int, rng: np.random.Generator) -> Floats:
        """Return what the first of each pair saves (draws, n) by metrics drawn as before any answer."""
        return np.asarray(self.model.prices(self.model.draw(draws, rng)) @ pairs.features(self.family).T)

    def swapped(self, rng: np.random.Generator) -> float:
        """Return how many times as likely the answers would be with their sides swapped."""
        return swapped(self.model, self.answers, self.log_evidence, rng) if self.answered else 1.0

    def log_likelihood(self, latent: Floats) -> Floats:
        """Return the log likelihood (n,) of latent numbers (n, d): their log density, up to a constant."""
        return self.model.log_likelihood(latent, self.answers)
