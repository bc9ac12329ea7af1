"""Whether answers look like those of somebody who named the other model each time."""

from __future__ import annotations

from math import exp, log

import numpy as np

from evenhand.elicitation.inference.model import AnswerModel, Answers
from evenhand.elicitation.thresholds import RESPONSE, SAMPLER


def swapped(model: AnswerModel, answers: Answers, log_evidence: float, rng: np.random.Generator) -> float:
    """Return how many times as likely the answers would be with their sides swapped.

    The marginal likelihood of the swapped answers is estimated by draws from the prior: where it is far above that of
    the answers, enough of them fit.
    """
    fit = model.log_likelihood(model.draw(SAMPLER.prior_draws, rng), answers.with_sides_swapped())
    most = float(fit.max())
    log_odds = most + log(float(np.exp(fit - most).mean())) - log_evidence
    return exp(min(log_odds, RESPONSE.max_log_odds))
