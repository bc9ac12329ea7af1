"""Whether answers look like those of the people that the model describes."""

from __future__ import annotations

from math import exp, log

import numpy as np

from evenhand.elicitation.inference.model import AnswerModel, Answers
from evenhand.elicitation.thresholds import RESPONSE, SAMPLER
from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats


def misfit(predicted: Floats, answers: Answers, probability: Floats, rng: np.random.Generator) -> float:
    """Return the posterior-predictive p-value of the answers: how often answers drawn from it are as unlikely.

    It is P(log P(y′ | particle) ≤ log P(y | particle)), where y are the answers and y′ are drawn by the same particle
    from `predicted`, the probabilities (3, n, questions) of its answers.
    """
    scores = np.log(predicted)
    observed = np.take_along_axis(scores, answers.codes[None, None, :], axis=0)[0].sum(axis=1)
    drawn = (rng.random(predicted.shape[1:]) > np.cumsum(predicted, axis=0)[:2]).sum(axis=0)
    replicated = np.take_along_axis(scores, drawn[None], axis=0)[0].sum(axis=1)
    return float(probability @ (replicated <= observed + ROUNDING))


def swapped(model: AnswerModel, answers: Answers, log_evidence: float, rng: np.random.Generator) -> float:
    """Return how many times as likely the answers would be with their sides swapped.

    The marginal likelihood of the swapped answers is estimated by draws from the prior: where it is far above that of
    the answers, enough of them fit.
    """
    fit = model.log_likelihood(model.draw(SAMPLER.prior_draws, rng), answers.with_sides_swapped())
    most = float(fit.max())
    log_odds = most + log(float(np.exp(fit - most).mean())) - log_evidence
    return exp(min(log_odds, RESPONSE.max_log_odds))
