"""The likelihood of an answer: a logistic comparison with ties (Rao & Kupper 1967) and lapses (Wichmann & Hill 2001).

With Δ = cost(second) − cost(first), what the first saves, s(x) = 1 / (1 + e⁻ˣ), a *sensitivity* κ > 0, a *threshold*
δ > 0 and a *lapse* rate ε, an attentive respondent answers

    P(first)   = ε·ℓ₁ + (1 − ε)·s(κΔ − δ)
    P(second)  = ε·ℓ₂ + (1 − ε)·s(−κΔ − δ)
    P(neither) = ε·ℓ₃ + (1 − ε)·(1 − s(κΔ − δ) − s(−κΔ − δ))

where ℓ (`LAPSES`) is how answers are distributed in a lapse. Without lapses this is the model of Rao and Kupper with
worths e^(−κ·cost) and tie parameter θ = e^δ. So "neither" has probability (θ² − 1) times those of first and second. The
*response* (logit ε, log κ, log δ) is learned along with the weights; `response` has its prior. Of a respondent who does
not attend see `attention`.

References
----------
P. V. Rao, L. L. Kupper (1967): Ties in paired-comparison experiments: a generalization of the Bradley–Terry model.
Journal of the American Statistical Association 62, 194–204.

F. A. Wichmann, N. J. Hill (2001): The psychometric function: I. Fitting, sampling, and goodness of fit.
Perception & Psychophysics 63, 1293–1313.
"""

from __future__ import annotations

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


def code_of(answer: Answer) -> int | None:
    """Return the code of an answer, or None if the question was skipped."""
    return None if answer is SKIP else NEITHER if answer is None else FIRST if answer else SECOND


def lapse_rate(responses: Floats) -> Floats:
    """Return the lapse rates ε (n,) of responses (n, 3)."""
    return np.asarray(1 / (1 + np.exp(-responses[:, 0])))


def probabilities(saving: Probabilities, responses: Floats) -> Probabilities:
    """Return P(first), P(second) and P(neither), (3, n, questions), for savings Δ (n, questions).

    They are as precise as the savings are. Each takes one exponential.
    """
    lapse, sensitivity, threshold = (column.astype(saving.dtype, copy=False) for column in _parameters(responses))
    most, attends = RESPONSE.max_exponent, 1 - lapse
    e = saving * -sensitivity
    np.exp(np.clip(e, -most, most, out=e), out=e)
    d = np.exp(threshold)
    answers = np.empty((3, *saving.shape), dtype=saving.dtype)
    first, second, neither = answers  # each is worked out in place: memory takes longer than arithmetic
    np.multiply(e, d, out=first)
    first += 1
    np.divide(attends, first, out=first)
    np.add(e, d, out=second)
    np.divide(e, second, out=second)
    np.multiply(first, second, out=neither)
    neither *= np.expm1(2 * threshold)
    second *= attends
    in_lapse = LAPSES.astype(saving.dtype) * lapse
    answers += in_lapse.T[:, :, None]
    if in_lapse.min() < RESPONSE.min_probability:  # else none can be below it
        np.maximum(answers, RESPONSE.min_probability, out=answers)
    return answers


def log_likelihood(codes: NDArray[np.intp], prices: Floats, preferred: Floats, responses: Floats) -> Floats:
    """Return log P(answers) (n,) of all answers (questions,) together.

    ⟨prices, preferred⟩ of prices (n, d) and features (questions, d) is what the preferred model saves: Δ, or −Δ where
    the answer is `SECOND`. In between, particles are along the last axis: there are more of them than answers.
    """
    lapse, sensitivity, threshold = (column[:, 0] for column in _parameters(responses))
    scaled, undecided = -sensitivity * prices.T, codes == NEITHER
    any_undecided, in_lapse = bool(undecided.any()), LAPSES[codes][:, None]
    if len(codes) and (in_lapse == in_lapse[0]).all():
        in_lapse = in_lapse[:1]  # one row for all answers
    log = np.empty(len(prices))
    step = max(RESPONSE.probabilities_at_once // max(len(codes), 1), 1)
    with np.errstate(over="ignore"):  # 1 / (1 + ∞) is right
        for start in range(0, len(prices), step):
            some = slice(start, start + step)
            factors = preferred @ scaled[:, some]
            if any_undecided:
                of_undecided = _neither(factors[undecided], threshold[some])
            factors += threshold[some]
            np.exp(factors, out=factors)
            factors += 1
            np.divide(1 - lapse[some], factors, out=factors)
            if any_undecided:
                factors[undecided] = (1 - lapse[some]) * of_undecided
            factors += np.maximum(in_lapse * lapse[some], RESPONSE.min_probability)
            log[some] = _log_of_products(factors)
    return log


def _neither(felt: Floats, threshold: Floats) -> Floats:
    """Return the probability that an attentive respondent cannot tell."""
    most = RESPONSE.max_exponent
    e, d = np.exp(np.clip(felt, -most, most)), np.exp(threshold)
    return np.asarray(np.expm1(2 * threshold) * e / ((1 + d * e) * (e + d)))


def _log_of_products(factors: Floats) -> Floats:
    """Return the logarithm (n,) of the product of each column (factors, n), none of them below 1e-18; overwrites them.

    Logarithms dominate the cost of a likelihood, and the product of a few factors needs only one. Rows are multiplied
    by rows, one half by the other: NumPy is far slower at products along an axis.
    """
    left = len(factors)
    for _ in range(RESPONSE.doublings_per_log):
        half = left // 2
        if half:
            factors[:half] *= factors[left - half : left]
        left -= half
    return np.asarray(np.log(factors[:left], out=factors[:left]).sum(axis=0))


def _parameters(responses: Floats) -> tuple[Floats, Floats, Floats]:
    """Return ε, κ and δ, each (n, 1)."""
    return (
        lapse_rate(responses)[:, None],
        np.exp(responses[:, 1:2]),
        np.minimum(np.exp(responses[:, 2:3]), RESPONSE.max_exponent),
    )
