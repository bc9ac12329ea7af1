"""What the answers so far say about all weights at once: a weighted sample that each answer updates.

Sequential Monte Carlo: an answer reweights the sample; when too few particles carry the weight, they are drawn anew
and moved by a Markov chain that leaves the posterior in place. The sample itself proposes the moves, since it says
where the posterior lies and in which directions it is wide (that a particle has a small say in its own proposal costs
a percent or so of the spread); they go on until where a particle was is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.inference.likelihood import (
    NEITHER,
    RESPONSE_SIZE,
    SECOND,
    Probabilities,
    ResponsePrior,
    inattentive_answers,
    lapse_rate,
    log_likelihood,
    probabilities,
    probabilities_in_single_precision,
)
from evenhand.elicitation.inference.proposals import Fitted, between
from evenhand.elicitation.inference.quantiles import weighted_quantiles
from evenhand.elicitation.thresholds import RESPONSE, SAMPLER
from evenhand.metric.prior import Prior
from evenhand.metric.weights import Weights
from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats


class Posterior:
    """A sample of metrics and responses.

    A metric is drawn as `FairMetric.random` draws it, from numbers that are uniform on (0, 1): the entries of a and B
    before they are normalised, and λ, or fewer where something is known. The chain moves what has the standard normal
    distribution before any answer: what the prior maps to weights, and the quantiles of each response.

    Attributes
    ----------
    size
        How many particles there are.
    costs
        Each particle's ((1−λ)a, λB), (size, d): what it pays for each feature of a model.
    log_evidence
        How likely all answers so far were, if somebody attends.
    """

    def __init__(
        self,
        prior: Prior,
        *,
        particles: int,
        rng: np.random.Generator,
        response: ResponsePrior | None = None,
    ) -> None:
        self.prior = prior
        self.size = self._drawn = particles
        self._response = response or ResponsePrior()
        self._state = prior.ordered(rng.standard_normal((particles, prior.size + RESPONSE_SIZE)))
        self.costs = self._prices(self._state)
        self._before = self.metrics()
        self._features = self._saved = np.empty((0, self.costs.shape[1]))
        self._answers = np.empty(0, dtype=np.intp)
        self._log_weight = np.zeros(particles)
        self.log_evidence = self._log_inattentive = 0.0

    @property
    def answered(self) -> int:
        """How many answers have been learned from."""
        return len(self._answers)

    @property
    def undecided(self) -> int:
        """How many of them said "can't tell"."""
        return int((self._answers == NEITHER).sum())

    @property
    def responses(self) -> Floats:
        """The responses (n, 3) that go with each metric."""
        return self._responses(self._state)

    @property
    def lapse(self) -> Floats:
        """The lapse rate (n,) that goes with each metric."""
        return lapse_rate(self.responses)

    @property
    def weight(self) -> Floats:
        """How much each particle counts; they sum to 1."""
        weight = np.exp(self._log_weight - self._log_weight.max())
        return np.asarray(weight / weight.sum())

    @property
    def evidence(self) -> float:
        """How many times as likely the answers are from somebody who attends as from an inattentive respondent."""
        return exp(min(self.log_evidence - self._log_inattentive, RESPONSE.max_log_odds))

    @property
    def inattentive(self) -> float:
        """The probability that nobody is attending."""
        before = self.inattentive_before
        return before / (before + (1 - before) * self.evidence)

    @property
    def inattentive_before(self) -> float:
        """What that probability was before the first answer."""
        return self._response.inattentive

    @property
    def inattentive_answers(self) -> Floats:
        """The probabilities (3,) of the next answer if nobody is attending."""
        return inattentive_answers(self.answered, self.undecided)

    def metrics(self) -> Weights:
        """Return the weights of all particles."""
        return self._weights(self._state)

    def intervals(self, level: float, inattentive: float | None = None) -> Iterator[Floats]:
        """Yield where a (q, 2), B (pairs, q, 2) and λ (2,) lie with this probability, whether anybody attends or not.

        Answers of nobody in particular say nothing: then the metric may still be any that it could be before them. How
        probable that is may be given, in place of what the answers say of it.
        """
        inattentive = self.inattentive if inattentive is None else inattentive
        ends = ((1 - level) / 2, (1 + level) / 2)
        nobody = np.full(self._drawn, inattentive / self._drawn)
        weight = np.concatenate([(1 - inattentive) * self.weight, nobody])
        metrics, before = self.metrics(), self._before
        for now, then in (
            (metrics.misclassification, before.misclassification),
            (metrics.violation, before.violation),
            (metrics.trade_off, before.trade_off),
        ):
            yield np.moveaxis(weighted_quantiles(np.concatenate([now, then]), weight, ends), 0, -1)

    def _weights(self, state: Floats) -> Weights:
        return self.prior.weights(state[:, :-RESPONSE_SIZE])

    def _responses(self, state: Floats) -> Floats:
        return self._response.responses(state[:, -RESPONSE_SIZE:])

    def _prices(self, state: Floats) -> Floats:
        return self.prior.family.prices(self._weights(state))

    def foresee(self, features: Floats) -> Floats:
        """Return the probabilities (3, n, questions) of each answer, by each particle.

        `features` (questions, d) are Φ(second) − Φ(first): their cost is what the first saves.
        """
        return probabilities(self.costs @ features.T, self.responses)

    def foresee_typically(self, features: Floats, chosen: NDArray[np.intp], *, in_short: bool) -> Probabilities:
        """Return the same as if everybody had the average response: what then differs is due to the metrics alone.

        In short: in single precision, to compare hundreds of questions by hundreds of particles.
        """
        responses = (self.weight @ self.responses)[None]
        if in_short:
            return probabilities_in_single_precision(
                self.costs[chosen].astype(np.float32) @ features.T.astype(np.float32), responses
            )
        return probabilities(self.costs[chosen] @ features.T, responses)

    def predictive(self, features: Floats) -> Floats:
        """Return the probabilities (3,) of the answers to one question, before it is learned from."""
        attending = self.foresee(features[None])[:, :, 0] @ self.weight
        return np.asarray(self.inattentive * self.inattentive_answers + (1 - self.inattentive) * attending)

    def learn(self, features: Floats, answer: int, rng: np.random.Generator) -> None:
        """Take an answer into account."""
        likelihood = self.foresee(features[None])[answer, :, 0]
        self.log_evidence += log(float(likelihood @ self.weight))
        self._log_inattentive += log(self.inattentive_answers[answer])
        self._features = np.concatenate([self._features, features[None]])
        self._saved = np.concatenate([self._saved, -features[None] if answer == SECOND else features[None]])
        self._answers = np.append(self._answers, answer)
        self._log_weight = self._log_weight + np.log(likelihood)
        weight = self.weight
        if 1 / (weight @ weight) < SAMPLER.min_effective_share * self.size:
            self._draw_anew(weight, rng, SAMPLER.max_correlation, self.size)

    def misfit(self, rng: np.random.Generator) -> float:
        """Return how often answers made up by the sample itself are as unlikely as the real ones."""
        if not len(self._answers):
            return 1.0
        chances = self.foresee(self._features)
        scores = np.log(chances)
        real = np.take_along_axis(scores, self._answers[None, None, :], axis=0)[0].sum(axis=1)
        made_up = (rng.random(chances.shape[1:]) > np.cumsum(chances, axis=0)[:2]).sum(axis=0)
        imagined = np.take_along_axis(scores, made_up[None], axis=0)[0].sum(axis=1)
        return float(self.weight @ (imagined <= real + ROUNDING))

    def swapped(self, rng: np.random.Generator) -> float:
        """Return how many times as likely the answers would be, had everybody named the model that they like *less*.

        Judged by people drawn as they were before the first answer: enough of them fit where this is far above 1.
        """
        if not self.answered:
            return 1.0
        state = self.prior.ordered(rng.standard_normal((SAMPLER.prior_draws, self._state.shape[1])))
        lost = -self._saved
        fit = log_likelihood(self._answers, self._prices(state) @ lost.T, self._responses(state))
        most = float(fit.max())
        return exp(min(most + log(float(np.exp(fit - most).mean())) - self.log_evidence, RESPONSE.max_log_odds))

    def refine(self, rng: np.random.Generator) -> None:
        """Draw a larger sample and move it for longer, for a last and careful look."""
        if self.answered:
            self._draw_anew(self.weight, rng, SAMPLER.max_correlation_refined, SAMPLER.refined_share * self.size)

    def _draw_anew(self, weight: Floats, rng: np.random.Generator, remembered: float, size: int) -> None:
        """Draw particles by their weight, then move them until they remember no more than this of where they were."""
        fitted = Fitted.to(self._state, weight)
        ticks = (np.arange(size) + rng.random()) / size
        chosen = np.searchsorted(np.cumsum(weight), ticks).clip(max=self.size - 1)
        state = self._state[rng.permutation(chosen)]
        density = self._log_density(state)
        start = fitted.coordinates(state)
        for _ in range(SAMPLER.max_sweeps):
            for propose in (fitted.near, between):
                there, favoured = propose(state, rng)
                there = np.rint(there * SAMPLER.grid) / SAMPLER.grid
                there_density = self._log_density(there)
                accepted = np.log(rng.random(size)) < there_density - density - favoured
                state = np.where(accepted[:, None], there, state)
                density = np.where(accepted, there_density, density)
            if _correlation(start, fitted.coordinates(state)) <= remembered:
                break
        self._state, self._log_weight, self.size = state, np.zeros(size), size
        self.costs = self._prices(state)

    def _log_density(self, state: Floats) -> Floats:
        """Return the log of the posterior density (n,) of states, up to a constant."""
        given = log_likelihood(self._answers, self._prices(state) @ self._saved.T, self._responses(state))
        return np.where(self.prior.allows(state), given - 0.5 * np.einsum("nd,nd->n", state, state), -np.inf)


def _correlation(one: Floats, other: Floats) -> float:
    """Return how alike two arrays (n, d) of points that are standard normal in every coordinate are, at most 1."""
    return 1 - 0.5 * float(np.mean((one - other) ** 2))
