"""What the answers so far say about all weights at once: a weighted sample that each answer updates.

Sequential Monte Carlo: an answer reweights the sample; when too few particles carry the weight, they are drawn anew
and moved by a Markov chain that leaves the exact posterior in place. Moves are differences of two other particles, so
that the sample itself says in which directions the posterior is wide.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.adaptive.answers import (
    NEITHER,
    SECOND,
    HabitPrior,
    clicks,
    expit,
    lapse_rate,
    log_likelihood,
    log_of_products,
    probabilities,
    probabilities_in_short,
)
from evenhand.elicitation.adaptive.structure import Structure
from evenhand.elicitation.adaptive.summary import weighted_quantiles
from evenhand.rates.vector import Floats

_HABITS = 3
_LONGEST_USEFUL_STEP = 2.38  # over √(2d): the classical step length of a random walk in d dimensions
_FEWEST_PARTICLES = 0.5
_LEAST_DENSITY = 1e-18
_FEWEST_SWEEPS, _MOST_SWEEPS = 8, 60


class Posterior:
    """A sample of metrics and habits.

    A metric is drawn as in the paper's experiments, from numbers u that are uniform on (0, 1): the entries of a and B
    before they are normalised, and λ, or fewer where a structure is known. The chain moves logit(u).

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
        structure: Structure,
        *,
        particles: int,
        rng: np.random.Generator,
        prior: HabitPrior | None = None,
        sweeps: int | None = None,
    ) -> None:
        self.structure, self.size = structure, particles
        self._prior = prior or HabitPrior()
        # More weights take longer to move; measured by whether the intervals of exact people cover the truth.
        self._sweeps = sweeps or min(_FEWEST_SWEEPS + structure.size, _MOST_SWEEPS)
        u = structure.draw(particles, rng)
        self._state = np.concatenate([np.log(u) - np.log1p(-u), self._prior.draw(particles, rng)], axis=1)
        self.costs = self._costs(u)
        self._before = self.metrics()
        self._features = self._saved = np.empty((0, self.costs.shape[1]))
        self._answers = np.empty(0, dtype=np.intp)
        self._log_weight = np.zeros(particles)
        self.log_evidence = self._log_clicks = 0.0

    @property
    def answered(self) -> int:
        """How many answers have been learned from."""
        return len(self._answers)

    @property
    def habits(self) -> Floats:
        """The habits (n, 3) that go with each metric."""
        return self._state[:, -_HABITS:]

    @property
    def lapse(self) -> Floats:
        """The lapse rate (n,) that goes with each metric."""
        return lapse_rate(self.habits)

    @property
    def weight(self) -> Floats:
        """How much each particle counts; they sum to 1."""
        weight = np.exp(self._log_weight - self._log_weight.max())
        return np.asarray(weight / weight.sum())

    @property
    def clicker(self) -> float:
        """The probability that nobody is attending."""
        odds = log(1 - self._prior.clicker) - log(self._prior.clicker) + self.log_evidence - self._log_clicks
        return 1 / (1 + exp(min(odds, 700.0)))

    @property
    def clicks(self) -> Floats:
        """The probabilities (3,) of the next answer if nobody is attending."""
        return clicks(len(self._answers), int((self._answers == NEITHER).sum()))

    def metrics(self) -> tuple[Floats, Floats, Floats]:
        """Return a (n, q), B (n, pairs, q) and λ (n,) of all particles."""
        return self.structure.metrics(self._weights(self._state))

    def intervals(self, level: float) -> Iterator[Floats]:
        """Yield where a (q, 2), B (pairs, q, 2) and λ (2,) lie with this probability, whether anybody attends or not.

        Answers of nobody in particular say nothing: then the metric may still be any that it could be before them.
        """
        ends = ((1 - level) / 2, (1 + level) / 2)
        nobody = np.full(self.size, self.clicker / self.size)
        weight = np.concatenate([(1 - self.clicker) * self.weight, nobody])
        for now, before in zip(self.metrics(), self._before, strict=True):
            yield np.moveaxis(weighted_quantiles(np.concatenate([now, before]), weight, ends), 0, -1)

    def _weights(self, state: Floats) -> Floats:
        return expit(state[:, :-_HABITS])

    def _costs(self, u: Floats) -> Floats:
        a, B, trade_off = self.structure.metrics(u)
        gaps = (trade_off[:, None, None] * B).reshape(len(u), -1)
        return np.concatenate([(1 - trade_off)[:, None] * a, gaps], axis=1)

    def foresee(self, features: Floats, chosen: NDArray[np.intp] | slice = slice(None)) -> Floats:
        """Return the probabilities (3, n, questions) of each answer, by each chosen particle.

        `features` (questions, d) are Φ(second) − Φ(first): their cost is what the first saves.
        """
        return probabilities(self.costs[chosen] @ features.T, self.habits[chosen])

    def foresee_typically(self, features: Floats, chosen: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the same as if everybody had the average habits: what then differs is due to the metrics alone.

        In single precision, since this compares hundreds of questions by hundreds of particles.
        """
        saving = self.costs[chosen].astype(np.float32) @ features.T.astype(np.float32)
        return probabilities_in_short(saving, (self.weight @ self.habits)[None])

    def predictive(self, features: Floats) -> Floats:
        """Return the probabilities (3,) of the answers to one question, before it is learned from."""
        attending = self.foresee(features[None])[:, :, 0] @ self.weight
        return np.asarray(self.clicker * self.clicks + (1 - self.clicker) * attending)

    def learn(self, features: Floats, answer: int, rng: np.random.Generator) -> None:
        """Take an answer into account."""
        likelihood = self.foresee(features[None])[answer, :, 0]
        self.log_evidence += log(float(likelihood @ self.weight))
        self._log_clicks += log(self.clicks[answer])
        self._features = np.concatenate([self._features, features[None]])
        self._saved = np.concatenate([self._saved, -features[None] if answer == SECOND else features[None]])
        self._answers = np.append(self._answers, answer)
        self._log_weight = self._log_weight + np.log(likelihood)
        weight = self.weight
        if 1 / (weight @ weight) < _FEWEST_PARTICLES * self.size:
            self._draw_anew(weight, rng, self._sweeps)

    def misfit(self, rng: np.random.Generator) -> float:
        """Return how often answers made up by the sample itself are as unlikely as the real ones."""
        if not len(self._answers):
            return 1.0
        chances = self.foresee(self._features)
        scores = np.log(chances)
        real = np.take_along_axis(scores, self._answers[None, None, :], axis=0)[0].sum(axis=1)
        made_up = (rng.random(chances.shape[1:]) > np.cumsum(chances, axis=0)[:2]).sum(axis=0)
        imagined = np.take_along_axis(scores, made_up[None], axis=0)[0].sum(axis=1)
        return float(self.weight @ (imagined <= real))

    def refine(self, rng: np.random.Generator) -> None:
        """Draw the sample anew and move it for longer, for a last and careful look."""
        if self.answered:
            self._draw_anew(self.weight, rng, 4 * self._sweeps)

    def _draw_anew(self, weight: Floats, rng: np.random.Generator, sweeps: int) -> None:
        ticks = (np.arange(self.size) + rng.random()) / self.size
        chosen = np.searchsorted(np.cumsum(weight), ticks).clip(max=self.size - 1)
        self._state = self._state[rng.permutation(chosen)]
        self._log_weight = np.zeros(self.size)
        density = self._log_density(self._state)
        half = self.size // 2
        for _ in range(sweeps):
            # Each half moves by differences within the other, which keeps the chain exact.
            for mover, other in ((slice(0, half), slice(half, None)), (slice(half, None), slice(0, half))):
                self._move(mover, self._state[other], density, rng)
        self.costs = self._costs(self._weights(self._state))

    def _move(self, mover: slice, others: Floats, density: Floats, rng: np.random.Generator) -> None:
        here = self._state[mover]
        n, d = here.shape
        one, two = rng.integers(len(others), size=(2, n))
        # Some moves change all coordinates, others a few: small blocks are accepted where large ones are not.
        share = rng.choice([0.1, 0.3, 1.0], size=(n, 1))
        moved = rng.random((n, d)) < share
        length = _LONGEST_USEFUL_STEP / np.sqrt(2 * np.maximum(moved.sum(axis=1, keepdims=True), 1))
        length = length * np.exp(rng.normal(-0.3, 0.5, size=(n, 1)))
        jitter = rng.uniform(-2e-3, 2e-3, size=(n, d))
        there = here + moved * (length * (others[one] - others[two]) + jitter)
        there_density = self._log_density(there)
        accepted = np.log(rng.random(n)) < there_density - density[mover]
        self._state[mover] = np.where(accepted[:, None], there, here)
        density[mover] = np.where(accepted, there_density, density[mover])

    def _log_density(self, state: Floats) -> Floats:
        u, habits = self._weights(state), state[:, -_HABITS:]
        # Where u is uniform, the density of its logit is u(1 − u).
        prior = self._prior.log_density(habits) + log_of_products(np.maximum(u * (1 - u), _LEAST_DENSITY))
        given = log_likelihood(self._answers, self._costs(u) @ self._saved.T, habits)
        # The order of logits is that of the numbers themselves.
        return np.where(self.structure.allows(state), prior + given, -np.inf)
