"""How likely answers are, given latent numbers that were uniform on (0, 1) before any answer: pure functions of arrays.

A particle is a row u of such numbers. All but the last three become the weights of a metric, by the prior of the
weights; the last three become a response, by the prior of responses. Its *prices* are those of the features of a model,
so that cost = ⟨prices, features⟩.

The density of the posterior is then the likelihood, up to a constant. And its ridges are straight: answers fix ratios
of weights, and a weight is proportional to its number, so that equal ratios lie on a line.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.inference.likelihood import NEITHER, SECOND, log_likelihood
from evenhand.elicitation.inference.response import RESPONSE_SIZE, ResponsePrior
from evenhand.elicitation.inference.walk import Box
from evenhand.elicitation.thresholds import RESPONSE
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
    """The joint distribution of weights, response and answers, in terms of latent numbers u (n, size)."""

    prior: Prior
    response: ResponsePrior = field(default_factory=ResponsePrior)

    @property
    def size(self) -> int:
        """How many latent numbers a particle has."""
        return self.prior.size + RESPONSE_SIZE

    @property
    def components(self) -> tuple[Box, ...]:
        """Where the latent numbers of each component of the responses lie."""
        every = [(0.0, 1.0)] * self.size
        place = self.size - RESPONSE_SIZE + 1
        return tuple(Box.of([*every[:place], ends, *every[place + 1 :]]) for ends in self.response.components)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw latent numbers (n, size) of the prior."""
        return Box.of([(0.0, 1.0)] * self.size).within(rng.random((n, self.size)))

    def weights(self, u: Floats) -> Weights:
        """Return the weights of n metrics."""
        return self.prior.weights(u[:, :-RESPONSE_SIZE])

    def prices(self, u: Floats) -> Floats:
        """Return what each metric charges for each feature (n, d)."""
        return self.prior.family.prices(self.weights(u))

    def responses(self, u: Floats) -> Floats:
        """Return the responses (n, 3)."""
        return self.response.responses(u[:, -RESPONSE_SIZE:])

    def log_told(self, u: Floats) -> Floats:
        """Return the logarithm (n,) of how much more particles count in what is told about the weights."""
        return self.response.log_told(u[:, -RESPONSE_SIZE:])

    def log_likelihood(self, u: Floats, answers: Answers) -> Floats:
        """Return log P(answers | u) (n,): the log density of the posterior, up to a constant."""
        found, step = np.empty(len(u)), max(RESPONSE.numbers_at_once // self.size, 1)
        for start in range(0, len(u), step):
            # Column by column: a sampler asks for thousands of particles with a few numbers each.
            some = np.asfortranarray(u[start : start + step])
            found[start : start + step] = log_likelihood(
                answers.codes, self.prices(some), answers.preferred, self.responses(some)
            )
        return found
