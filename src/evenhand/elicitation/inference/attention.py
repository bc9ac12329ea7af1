"""Whether somebody attends: evidence that nobody who looks at the page alone can gather, by whatever rule.

An *inattentive* respondent answers by something other than the two models: at random, always the left one, left and
right in turn. The sides of every question are drawn by a fresh fair coin once the pair has been chosen
(`Interviewer.question`). So whichever side such a respondent names, it holds either model with probability 1/2,
whatever was asked and answered before. "Can't tell" tells nothing about attention: somebody may not see a difference,
or not look for one.

A decided answer that was predicted with probability p, given that it is decided and all answers before, multiplies the
odds of attention by 2p: p of an attentive respondent over 1/2 of an inattentive one. For an inattentive respondent the
factor of the next answer is 2p or 2(1 − p), each with probability 1/2, and so 1 on average. The *Bayes factor* B, the
product of all factors, is therefore a martingale with B = 1 at the start. By the inequality of Ville (1939),

    P(B ≥ c after any number of answers) ≤ 1 / c.

If something is settled only where B ≥ 10, at most one inattentive respondent in ten ever gets anything settled. It
makes no difference how good the predictions are, and so none how good the sample is that they come from.

References
----------
J. Ville (1939): Étude critique de la notion de collectif. Gauthier-Villars, Paris.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import exp

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.inference.likelihood import FIRST, NEITHER, SECOND, Probabilities
from evenhand.elicitation.thresholds import RESPONSE
from evenhand.typing import Floats


def inattentive_answers(attentive: Probabilities) -> Probabilities:
    """Return the probabilities (3, …) of an inattentive respondent's answers, from those of an attentive one.

    "Can't tell" is as likely as from the other, and the rest is shared equally by first and second.
    """
    decided = (1 - attentive[NEITHER]) / 2
    return np.stack([decided, decided, attentive[NEITHER]])


@dataclass(frozen=True, eq=False)
class Attention:
    """What the answers so far say about attention.

    Attributes
    ----------
    predicted
        The probability (n,) of each answer of an attentive respondent, given that it is decided and all answers before;
        1 of "can't tell".
    counts
        Which answers (n,) tell about attention: those that are decided, to questions whose sides were drawn.
    """

    predicted: Floats = field(default_factory=lambda: np.empty(0))
    counts: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, dtype=bool))

    @cached_property
    def log_bayes_factor(self) -> float:
        """The logarithm of `bayes_factor`."""
        return float(np.log(2 * self.predicted[self.counts]).sum())

    @property
    def bayes_factor(self) -> float:
        """How many times as likely the answers are from an attentive respondent as from an inattentive one."""
        return exp(min(self.log_bayes_factor, RESPONSE.max_log_odds))

    @property
    def counted(self) -> int:
        """How many answers tell about attention."""
        return int(self.counts.sum())

    @property
    def agreement(self) -> float:
        """How far the answers agree with what was predicted: about standard normal of an inattentive respondent.

        It is Σ(±u) / √Σu², where u = |2p − 1| says how surely an answer was predicted, and the sign whether it came
        so. To an inattentive respondent each sign is the toss of a fair coin, whatever was asked.
        """
        signed = 2 * self.predicted[self.counts] - 1
        size = float(np.sqrt(np.square(signed).sum()))
        return float(signed.sum()) / size if size > 0 else 0.0

    def after(self, answer: int, attentive: Probabilities, *, sides_drawn: bool = True) -> Attention:
        """Return what is known after one more answer, predicted with probabilities (3,) of an attentive respondent."""
        decided = answer != NEITHER
        predicted = attentive[answer] / (attentive[FIRST] + attentive[SECOND]) if decided else 1.0
        return Attention(np.append(self.predicted, predicted), np.append(self.counts, decided and sides_drawn))

    def inattentive(self, before: float) -> float:
        """Return the probability of an inattentive respondent, from that before the first answer."""
        return before / (before + (1 - before) * self.bayes_factor)
