"""How much an answer is expected to tell: in bits, in variance of the weights, or in agreement on an order.

The mutual information of an answer Y and an unknown X is I(Y; X) = H(Y) − H(Y | X), with Shannon's entropy H. X is one
of three: all that is not known (which particle, and whether the respondent attends), attention alone, or an outcome,
such as which candidate is best. With probability π the respondent is inattentive and answers by q
(`inattentive_answers`); otherwise by p(y | particle), `answers` (3, n, questions), of n equally likely particles.

Information counts all digits alike: an answer that adds one to a weight that is known well is worth as much as one that
rules out a weight which is far from it and hardly likely. The variance of the weights counts what is wrong by much.
Questions that are expected to leave least of it are A-optimal (Chaloner & Verdinelli 1995).

How much an answer is *noise* is the mean of H(p) over particles. Each needs its own logarithms, which takes longer than
all else. A bound takes none: H(p) ≥ 2·(1 − Σ p²) bits (Harremoës & Topsøe 2001). It shows which questions are worth to
be looked at more closely.

References
----------
K. Chaloner, I. Verdinelli (1995): Bayesian experimental design: a review. Statistical Science 10, 273–304.

P. Harremoës, F. Topsøe (2001): Inequalities between entropy and index of coincidence derived from information diagrams.
IEEE Transactions on Information Theory 47, 2944–2960.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.inference.attention import inattentive_answers
from evenhand.elicitation.inference.likelihood import NEITHER, Probabilities
from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats


def entropy(probabilities: Probabilities, axis: int) -> Probabilities:
    """Return Shannon's entropy H = −Σ p log₂ p, in bits, along an axis."""
    safe = np.maximum(probabilities, np.finfo(probabilities.dtype).tiny)
    return np.asarray(-(safe * np.log2(safe)).sum(axis=axis))


def _mean(answers: Probabilities) -> Probabilities:
    """Return p̄ (3, questions), the mean over particles."""
    return np.asarray(np.full(answers.shape[1], 1 / answers.shape[1], dtype=answers.dtype) @ answers)


def mean_entropy(answers: Probabilities) -> Probabilities:
    """Return the mean of H(p) over particles."""
    return np.asarray(entropy(answers, axis=0).mean(axis=0))


def least_entropy(answers: Probabilities) -> Probabilities:
    """Return what the mean of H(p) over particles is at least: 2·(1 − mean Σ p²)."""
    flat = answers.reshape(-1, answers.shape[-1])
    return np.asarray(2 - 2 * np.einsum("nq,nq->q", flat, flat) / answers.shape[1])


def information_but_for_noise(answers: Probabilities, inattentive: float) -> Probabilities:
    """Return I(Y; particle, attention) + (1 − π)·mean H(p) (questions,) = H(πq + (1 − π)p̄) − πH(q)."""
    attentive = _mean(answers)
    guessed = inattentive_answers(attentive)
    mixed = inattentive * guessed + (1 - inattentive) * attentive
    return np.asarray(entropy(mixed, axis=0) - inattentive * entropy(guessed, axis=0))


def information_about_attention(answers: Probabilities, inattentive: float) -> Probabilities:
    """Return I(Y; attention) (questions,) = H(πq + (1 − π)p̄) − πH(q) − (1 − π)H(p̄).

    It is highest where all particles predict the same answer, and 0 where they divide as inattentive answers do.
    """
    attentive = _mean(answers)
    guessed = inattentive_answers(attentive)
    mixed = inattentive * guessed + (1 - inattentive) * attentive
    noise = inattentive * entropy(guessed, axis=0) + (1 - inattentive) * entropy(attentive, axis=0)
    return np.asarray(entropy(mixed, axis=0) - noise)


def information_about_outcome(answers: Probabilities, outcome: Probabilities, inattentive: float) -> Probabilities:
    """Return I(Y; outcome) (questions,) = H(Y) + H(outcome) − H(Y, outcome), inattention being one more outcome.

    `outcome` (n, outcomes) is 1 where a particle stands for an outcome, else 0.
    """
    share = (1 - inattentive) / len(outcome)
    joint = share * (outcome.T.astype(answers.dtype) @ answers)
    guessed = inattentive * inattentive_answers(_mean(answers))
    joint = np.concatenate([joint, guessed[:, None]], axis=1)
    of_outcome = np.append(share * outcome.sum(axis=0), inattentive)
    together = entropy(joint.reshape(-1, joint.shape[2]), axis=0)
    return np.asarray(entropy(joint.sum(axis=1), axis=0) + entropy(of_outcome, axis=0) - together)


def expected_variance_reduction(answers: Probabilities, weights: Floats, inattentive: float) -> Probabilities:
    """Return which share of the variance of weights (n, weights), all added up, answers are expected to take off.

    It is (1 − π)·Σ over answers y of p̄(y)·‖mean of the weights given y − their mean‖², by the law of total variance,
    over the variance before; (questions,), and 0 where there is none.
    """
    around = weights - weights.mean(axis=0)
    variance = float(np.square(around).sum()) / len(around)
    if variance <= ROUNDING**2:
        return np.zeros(answers.shape[-1], dtype=answers.dtype)
    moved = around.T.astype(answers.dtype) @ answers / len(around)  # p̄(y) times how far an answer moves the mean
    taken = np.square(moved).sum(axis=1) / np.maximum(_mean(answers), np.finfo(answers.dtype).tiny)
    return np.asarray((1 - inattentive) / variance * taken.sum(axis=0))


def agreement(ahead: NDArray[np.bool_]) -> Probabilities:
    """Return Kendall's τ (n, n) between the orders of particles; `ahead` (pairs, n) says how each orders some pairs."""
    order = np.where(ahead, 1, -1).astype(np.float32)  # sums of ones are exact in single precision
    return np.asarray((order.T @ order).astype(np.float64) / len(ahead))


def expected_agreement_gain(answers: Probabilities, agreement: Probabilities) -> Probabilities:
    """Return the expected gain (questions,) in Kendall's τ between the orders of two posterior draws.

    With `agreement` τᵢⱼ (n, n) of two particles, it is
    Σ over answers y of Σᵢⱼ p(y | i) p(y | j) τᵢⱼ / (n Σᵢ p(y | i)) − mean τᵢⱼ.
    """
    agreement = agreement.astype(answers.dtype)
    decided = agreement @ answers[:NEITHER]
    undecided = agreement.sum(axis=1)[:, None] - decided.sum(axis=0)  # the probabilities of all answers add up to 1
    afterwards = np.einsum("anq,anq->aq", answers, np.concatenate([decided, undecided[None]])) / answers.sum(axis=1)
    return np.asarray(afterwards.sum(axis=0) / len(agreement) - agreement.mean())
