"""The likelihood of an answer: a logistic comparison with ties (Rao & Kupper 1967) and lapses (Wichmann & Hill 2001).

With Δ = cost(second) − cost(first), what the first saves, s(x) = 1 / (1 + e⁻ˣ), a *sensitivity* κ > 0, a *threshold*
δ > 0 and a *lapse* rate ε, an attentive respondent answers

    P(first)   = ε·ℓ₁ + (1 − ε)·s(κΔ − δ)
    P(second)  = ε·ℓ₂ + (1 − ε)·s(−κΔ − δ)
    P(neither) = ε·ℓ₃ + (1 − ε)·(1 − s(κΔ − δ) − s(−κΔ − δ))

where ℓ (`LAPSES`) is how answers are distributed in a lapse. Without lapses this is the model of Rao and Kupper with
worths e^(−κ·cost) and tie parameter θ = e^δ. The *response* (logit ε, log κ, log δ) is learned along with the weights.
Of a respondent who does not attend see `attention`.

References
----------
P. V. Rao, L. L. Kupper (1967): Ties in paired-comparison experiments: a generalization of the Bradley–Terry model.
Journal of the American Statistical Association 62, 194–204.

F. A. Wichmann, N. J. Hill (2001): The psychometric function: I. Fitting, sampling, and goodness of fit.
Perception & Psychophysics 63, 1293–1313.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.question import SKIP, Answer
from evenhand.elicitation.thresholds import RESPONSE
from evenhand.typing import Floats

Probabilities = NDArray[np.floating[Any]]
"""In double precision, or in single where speed counts more than the eighth digit."""

FIRST, SECOND, NEITHER = 0, 1, 2
"""The codes of answers."""
LAPSES = np.array(RESPONSE.lapses)
"""ℓ: how often each answer is given in a lapse."""
RESPONSE_SIZE = 3
"""How many numbers a response is: logit ε, log κ, log δ."""


def code_of(answer: Answer) -> int | None:
    """Return the code of an answer, or None if the question was skipped."""
    return None if answer is SKIP else NEITHER if answer is None else FIRST if answer else SECOND


@dataclass(frozen=True)
class ResponsePrior:
    """The prior of a response: independent normal distributions of logit ε, log κ and log δ."""

    mean: tuple[float, float, float] = RESPONSE.prior_mean
    deviation: tuple[float, float, float] = RESPONSE.prior_deviation
    inattentive: float = RESPONSE.inattentive
    """The prior probability of an inattentive respondent."""

    @classmethod
    def known(cls, error: float) -> ResponsePrior:
        """Return the prior of an attentive respondent whose share of wrong answers is known."""
        least = RESPONSE.min_probability
        lapse = min(max(2 * error, least), 1 - least)  # half of the lapses name the right one
        usual = cls()
        mean, deviation = (log(lapse / (1 - lapse)), *usual.mean[1:]), (0.0, *usual.deviation[1:])
        return cls(mean, deviation, inattentive=0.0)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw the responses (n, 3) of attentive respondents."""
        return self.responses(rng.standard_normal((n, RESPONSE_SIZE)))

    def responses(self, latent: Floats) -> Floats:
        """Return the responses (n, 3) of standard normal numbers (n, 3)."""
        return np.asarray(np.array(self.mean) + np.array(self.deviation) * latent)


def expit(x: Floats) -> Floats:
    """Return s(x) = 1 / (1 + e⁻ˣ); SciPy is imported on first use, since its import is slow."""
    from scipy.special import expit as fast_expit  # noqa: PLC0415

    return np.asarray(fast_expit(x))


def lapse_rate(responses: Floats) -> Floats:
    """Return the lapse rates ε (n,) of responses (n, 3)."""
    return expit(responses[:, 0])


def probabilities(saving: Floats, responses: Floats) -> Floats:
    """Return P(first), P(second) and P(neither), (3, n, questions), for savings Δ (n, questions)."""
    lapse, sensitivity, threshold = _parameters(responses)
    felt = sensitivity * saving
    first, second = expit(felt - threshold), expit(-felt - threshold)
    attentive = np.stack([first, second, 1 - first - second])
    return _floored(lapse * LAPSES[:, None, None] + (1 - lapse) * attentive)


def probabilities_in_single_precision(saving: NDArray[np.float32], responses: Floats) -> NDArray[np.float32]:
    """Return `probabilities` in single precision, with one exponential for each saving: to compare many questions."""
    lapse, sensitivity, threshold = (column.astype(np.float32) for column in _parameters(responses))
    most = RESPONSE.max_exponent
    e = np.exp(np.clip(-sensitivity * saving, -most, most))
    d = np.exp(np.minimum(threshold, most))
    answers = np.empty((3, *saving.shape), dtype=np.float32)
    np.divide(1, 1 + d * e, out=answers[FIRST])
    np.divide(e, e + d, out=answers[SECOND])
    np.subtract(1 - answers[FIRST], answers[SECOND], out=answers[NEITHER])
    answers *= 1 - lapse
    answers += lapse * LAPSES.astype(np.float32)[:, None, None]
    return np.maximum(answers, np.float32(RESPONSE.min_probability), out=answers)


def log_likelihood(answers: NDArray[np.intp], saved: Floats, responses: Floats) -> Floats:
    """Return log P(answers) (n,) of all answers (questions,) together.

    `saved` (n, questions) is what the preferred model saves: Δ, or −Δ where the answer is `SECOND`.
    """
    lapse, sensitivity, threshold = _parameters(responses)
    felt = sensitivity * saved
    attentive = expit(felt - threshold)
    undecided = answers == NEITHER
    if undecided.any():
        attentive[:, undecided] = 1 - attentive[:, undecided] - expit(-felt[:, undecided] - threshold)
    attentive *= 1 - lapse
    attentive += lapse * LAPSES[answers]
    return _log_of_products(_floored(attentive))


def _log_of_products(factors: Floats) -> Floats:
    """Return the logarithm (n,) of the product of each row (n, factors), none of them below 1e-18.

    Logarithms dominate the cost of a likelihood, and the product of a few factors needs only one.
    """
    starts = np.arange(0, factors.shape[1], RESPONSE.factors_per_log)
    return np.asarray(np.log(np.multiply.reduceat(factors, starts, axis=1)).sum(axis=1))


def _parameters(responses: Floats) -> tuple[Floats, Floats, Floats]:
    """Return ε, κ and δ, each (n, 1)."""
    return (
        expit(responses[:, :1]),
        np.exp(np.minimum(responses[:, 1:2], RESPONSE.max_log_sensitivity)),
        np.exp(responses[:, 2:3]),
    )


def _floored(answers: Floats) -> Floats:
    """Keep probabilities above zero where 1 − first − second has lost all digits."""
    return np.maximum(answers, RESPONSE.min_probability, out=answers)
