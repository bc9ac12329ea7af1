"""How likely answers are, given latent numbers that were standard normal before any answer: pure functions of arrays.

A particle is a row z of such numbers. All but the last three become the weights of a metric, by the prior of the
weights; the last three become a response, by the prior of responses. Its *prices* are those of the features of a model,
so that cost = ⟨prices, features⟩.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.inference.likelihood import (
    NEITHER,
    RESPONSE_SIZE,
    SECOND,
    ResponsePrior,
    log_likelihood,
)
from evenhand.metric.prior import Prior
from evenhand.metric.weights import Weights
from evenhand.typing import Floats


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers so far: their codes (n,), and the questions as Φ(second) − Φ(first), `features` (n, d).

    `preferred` (n, d) is the same with its sign turned where the second was preferred: its cost is what the preferred
    model saves.
    """

    features: Floats
    preferred: Floats
    codes: NDArray[np.intp]

    @classmethod
    def none(cls) -> Answers:
        """Return no answers."""
        return cls(np.empty((0, 0)), np.empty((0, 0)), np.empty(0, dtype=np.intp))

    def with_answer(self, features: Floats, code: int) -> Answers:
        """Return these answers and one more, to a question with features (d,)."""
        preferred = -features if code == SECOND else features
        return Answers(
            np.append(self.features.reshape(-1, len(features)), features[None], axis=0),
            np.append(self.preferred.reshape(-1, len(features)), preferred[None], axis=0),
            np.append(self.codes, code),
        )

    def with_sides_swapped(self) -> Answers:
        """Return the same answers with the other model named each time."""
        return Answers(-self.features, -self.preferred, self.codes)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.codes)

    @property
    def undecided(self) -> int:
        """How many of them are "can't tell"."""
        return int((self.codes == NEITHER).sum())


@dataclass(frozen=True, eq=False)
class AnswerModel:
    """The joint distribution of weights, response and answers, in terms of latent numbers z (n, size)."""

    prior: Prior
    response: ResponsePrior = field(default_factory=ResponsePrior)

    @property
    def size(self) -> int:
        """How many latent numbers a particle has."""
        return self.prior.size + RESPONSE_SIZE

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw latent numbers (n, size) of the prior."""
        return rng.standard_normal((n, self.size))

    def weights(self, z: Floats) -> Weights:
        """Return the weights of n metrics."""
        return self.prior.weights(z[:, :-RESPONSE_SIZE])

    def prices(self, z: Floats) -> Floats:
        """Return what each metric charges for each feature (n, d)."""
        return self.prior.family.prices(self.weights(z))

    def responses(self, z: Floats) -> Floats:
        """Return the responses (n, 3)."""
        return self.response.responses(z[:, -RESPONSE_SIZE:])

    def log_likelihood(self, z: Floats, answers: Answers) -> Floats:
        """Return log P(answers | z) (n,)."""
        return log_likelihood(answers.codes, self.prices(z) @ answers.preferred.T, self.responses(z))

    def log_density(self, z: Floats, answers: Answers) -> Floats:
        """Return log P(answers | z) − ½|z|² (n,): the log density of the posterior, up to a constant."""
        return np.asarray(self.log_likelihood(z, answers) - 0.5 * np.einsum("nd,nd->n", z, z))
