"""Checks of attention: questions whose answer can be predicted, so that it tells whether anybody reads them.

A question that divides the posterior in halves tells much about the weights, and nothing about attention: with a lapse
rate ε, what an answer tells about both adds up to the constant 1 − H(ε). So attention costs questions of its own. They
are pairs of which one is better by whatever weights are still possible, and repeats of earlier questions.
"""

from __future__ import annotations

import numpy as np

from evenhand.elicitation.inference.attention import Attention
from evenhand.elicitation.thresholds import QUESTIONS, WARNINGS
from evenhand.typing import Floats


def check_due(asked: int, attention: Attention, *, first_check: int) -> bool:
    """Return whether the next question is a check: every second one while attention is in doubt, and more later on.

    So many questions come before the first check.
    """
    if asked < first_check or attention.bayes_factor >= QUESTIONS.clear_attention:
        return False
    if asked < QUESTIONS.checks_every_second:
        return asked % 2 == 1
    return asked % 3 > 0


def first_check(max_questions: int, *, about_candidates: bool) -> int:
    """Return how many questions come before the first check.

    With candidates the first questions are about these alone. Most interviews are settled by them but for attention,
    and then every question is a check (`Interviewer.checks`). Where they are not, the rest of the budget is enough to
    show who attends.
    """
    if not about_candidates:
        return 0
    return max(QUESTIONS.before_checks, int(QUESTIONS.share_before_checks * max_questions))


def looks_random(attention: Attention, *, about_candidates: bool) -> bool:
    """Return whether answers that do not make attention clear look like random ones."""
    if attention.counted < WARNINGS.few_answers:
        return False
    many, agreement = WARNINGS.many_answers, WARNINGS.agreement
    if about_candidates:
        many, agreement = WARNINGS.many_about_candidates, WARNINGS.agreement_about_candidates
    return attention.agreement < (agreement if attention.counted >= many else WARNINGS.disagreement)


def mixed_pairs(firsts: Floats, seconds: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return the first of each pair (n, m, q) with the second of another: most of these are easy to tell apart."""
    return firsts, seconds[rng.permutation(len(seconds))]
