"""How attentive people answer, before any answer: soft ones, whose noise grows as costs come close, and sharp ones.

A *response* is (logit ε, log κ, log δ), see `likelihood`. A *sharp* respondent tells any two costs apart and errs by
lapses only. A *soft* one errs where costs are close, as everybody does whose answers follow a logistic curve, and
rarely elsewhere. Few answers tell the two apart, and they leave very different doubt about the weights. So both are
components of one prior, and the sampler keeps particles of both (`sampler`).

Questions are chosen, and the best candidate is settled, with a small share of soft respondents: they cost questions.
What is *told* about weights and orders allows for a larger share, and an interview about them ends by what is told.
That takes no second sample: the weight of each particle is multiplied by the ratio of the two shares.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.thresholds import RESPONSE
from evenhand.typing import Floats

RESPONSE_SIZE = 3
"""How many numbers a response is: logit ε, log κ, log δ."""


@dataclass(frozen=True)
class ResponsePrior:
    """The prior of a response, as a map from three numbers that are uniform on (0, 1)."""

    soft: float = RESPONSE.soft
    """The share of soft respondents by which questions are chosen and the best candidate is settled."""
    soft_told: float = RESPONSE.soft_told
    """Their share by which intervals, ratios and orders are told."""
    lapse: float | None = None
    """The lapse rate, where it is known."""
    inattentive: float = RESPONSE.inattentive
    """The prior probability of an inattentive respondent."""

    @classmethod
    def known(cls, error: float) -> ResponsePrior:
        """Return the prior of an attentive respondent whose share of wrong answers is known: sharp, with lapses."""
        least = RESPONSE.min_probability
        lapse = min(max(2 * error, least), 1 - least)  # half of the lapses name the right one
        return cls(soft=0.0, soft_told=0.0, lapse=lapse, inattentive=0.0)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw the responses (n, 3) of attentive respondents."""
        return self.responses(rng.random((n, RESPONSE_SIZE)))

    def is_soft(self, u: Floats) -> NDArray[np.bool_]:
        """Return which of the responses with numbers u (n, 3) are soft."""
        return np.asarray(u[:, 1] < self.soft)

    @property
    def components(self) -> tuple[tuple[float, float], ...]:
        """The range of the second number of each component that has a share."""
        ranges = ((0.0, self.soft), (self.soft, 1.0))
        return tuple((low, high) for low, high in ranges if low < high)

    def log_told(self, u: Floats) -> Floats:
        """Return the logarithm (n,) of how much more each response counts in what is told."""
        of_soft, of_sharp = (
            log(told / asked) if asked else 0.0
            for told, asked in ((self.soft_told, self.soft), (1 - self.soft_told, 1 - self.soft))
        )
        return np.where(self.is_soft(u), of_soft, of_sharp)

    def responses(self, u: Floats) -> Floats:
        """Return the responses (n, 3) of numbers u (n, 3)."""
        from scipy.special import ndtr, ndtri  # noqa: PLC0415  # SciPy is imported on first use, since its import is slow

        soft, found = self.is_soft(u), np.empty((RESPONSE_SIZE, len(u)))
        z = ndtri(u[:, ::2].T)
        if self.lapse is None:
            (soft_mean, soft_deviation), (mean, deviation) = RESPONSE.soft_logit_lapse, RESPONSE.sharp_logit_lapse
            found[0] = np.where(soft, soft_mean, mean) + np.where(soft, soft_deviation, deviation) * z[0]
        else:
            found[0] = log(self.lapse / (1 - self.lapse))
        if self.soft < 1:
            low, high = RESPONSE.sharp_log_sensitivity
            found[1] = low + (high - low) * (u[:, 1] - self.soft) / (1 - self.soft)
        if soft.any():
            mean, deviation, *ends = RESPONSE.soft_log_sensitivity
            least, most = ndtr((np.array(ends) - mean) / deviation)
            found[1, soft] = mean + deviation * ndtri(least + (most - least) * u[soft, 1] / self.soft)
        mean, deviation = RESPONSE.log_threshold
        found[2] = mean + deviation * z[1]
        return found.T
