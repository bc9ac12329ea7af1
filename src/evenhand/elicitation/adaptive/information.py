"""What a question is worth: how much its answer is expected to tell, in bits, about what we want to know."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.inference.likelihood import Probabilities


def entropy(probabilities: Probabilities, axis: int) -> Probabilities:
    """Return Shannon's entropy in bits along an axis."""
    safe = np.maximum(probabilities, np.finfo(probabilities.dtype).tiny)
    return np.asarray(-(safe * np.log2(safe)).sum(axis=axis))


def about_everything(answers: Probabilities, inattentive: float, inattentive_answers: Probabilities) -> Probabilities:
    """Return the information (questions,) about weights, responses, and whether anybody attends.

    `answers` (3, n, questions) are the probabilities of the answers by n equally likely particles.
    """
    attending = entropy(answers, axis=0).mean(axis=0)
    mixed = inattentive * inattentive_answers[:, None] + (1 - inattentive) * answers.mean(axis=1)
    noise = inattentive * entropy(inattentive_answers, axis=0) + (1 - inattentive) * attending
    return np.asarray(entropy(mixed, axis=0) - noise)


def about_attending(answers: Probabilities, inattentive: float, inattentive_answers: Probabilities) -> Probabilities:
    """Return the information (questions,) about whether anybody attends: an answer that can be foreseen has most."""
    attending = answers.mean(axis=1)
    mixed = inattentive * inattentive_answers[:, None] + (1 - inattentive) * attending
    noise = inattentive * entropy(inattentive_answers, axis=0) + (1 - inattentive) * entropy(attending, axis=0)
    return np.asarray(entropy(mixed, axis=0) - noise)


def about_outcome(
    answers: Probabilities, outcome: Probabilities, inattentive: float, inattentive_answers: Probabilities
) -> Probabilities:
    """Return the information (questions,) about which outcome is true, nobody attending being one more outcome.

    `outcome` (n, outcomes) says with ones and zeros which outcome each particle stands for.
    """
    share = (1 - inattentive) / len(outcome)
    joint = share * (outcome.T.astype(answers.dtype) @ answers)
    joint = np.concatenate(
        [joint, np.broadcast_to(inattentive * inattentive_answers[:, None, None], (3, 1, joint.shape[2]))], axis=1
    )
    of_outcome = np.append(share * outcome.sum(axis=0), inattentive)
    together = entropy(joint.reshape(-1, joint.shape[2]), axis=0)
    return np.asarray(entropy(joint.sum(axis=1), axis=0) + entropy(of_outcome, axis=0) - together)


def about_order(answers: Probabilities, ahead: NDArray[np.bool_]) -> Probabilities:
    """Return how much better (questions,) those who may be the person will agree on an order once they have answered.

    `ahead` (n, pairs) says how each particle orders some pairs. Kendall's τ of two particles is the share of pairs that
    they order alike less the share that they do not; this is how much it is expected to grow, on average over any two.
    """
    order = np.where(ahead, 1, -1).astype(answers.dtype)
    agreement = order @ order.T / ahead.shape[1]
    afterwards = np.einsum("anq,anq->aq", answers, agreement @ answers) / answers.sum(axis=1)
    return np.asarray(afterwards.sum(axis=0) / len(ahead) - agreement.mean())
