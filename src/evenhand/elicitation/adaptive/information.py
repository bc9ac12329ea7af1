"""What a question is worth: how much its answer is expected to tell, in bits, about what we want to know."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Chances = NDArray[np.floating[Any]]
"""Probabilities in double precision, or in single where speed counts more than the eighth digit."""


def entropy(probabilities: Chances, axis: int) -> Chances:
    """Return Shannon's entropy in bits along an axis."""
    safe = np.maximum(probabilities, np.finfo(probabilities.dtype).tiny)
    return np.asarray(-(safe * np.log2(safe)).sum(axis=axis))


def about_everything(answers: Chances, clicker: float, clicks: Chances) -> Chances:
    """Return the information (questions,) about weights, habits, and whether anybody attends.

    `answers` (3, n, questions) are the probabilities of the answers by n equally likely particles.
    """
    attending = entropy(answers, axis=0).mean(axis=0)
    mixed = clicker * clicks[:, None] + (1 - clicker) * answers.mean(axis=1)
    noise = clicker * entropy(clicks, axis=0) + (1 - clicker) * attending
    return np.asarray(entropy(mixed, axis=0) - noise)


def about_attending(answers: Chances, clicker: float, clicks: Chances) -> Chances:
    """Return the information (questions,) about whether anybody attends: an answer that can be foreseen has most."""
    attending = answers.mean(axis=1)
    mixed = clicker * clicks[:, None] + (1 - clicker) * attending
    noise = clicker * entropy(clicks, axis=0) + (1 - clicker) * entropy(attending, axis=0)
    return np.asarray(entropy(mixed, axis=0) - noise)


def about_outcome(answers: Chances, outcome: Chances, clicker: float, clicks: Chances) -> Chances:
    """Return the information (questions,) about which outcome is true, nobody attending being one more outcome.

    `outcome` (n, outcomes) says with ones and zeros which outcome each particle stands for.
    """
    share = (1 - clicker) / len(outcome)
    joint = share * (outcome.T.astype(answers.dtype) @ answers)
    joint = np.concatenate([joint, np.broadcast_to(clicker * clicks[:, None, None], (3, 1, joint.shape[2]))], axis=1)
    of_outcome = np.append(share * outcome.sum(axis=0), clicker)
    together = entropy(joint.reshape(-1, joint.shape[2]), axis=0)
    return np.asarray(entropy(joint.sum(axis=1), axis=0) + entropy(of_outcome, axis=0) - together)


def about_order(answers: Chances, ahead: NDArray[np.bool_]) -> Chances:
    """Return how much better (questions,) those who may be the person will agree on an order once they have answered.

    `ahead` (n, pairs) says how each particle orders some pairs. Kendall's τ of two particles is the share of pairs that
    they order alike less the share that they do not; this is how much it is expected to grow, on average over any two.
    """
    order = np.where(ahead, 1, -1).astype(answers.dtype)
    agreement = order @ order.T / ahead.shape[1]
    afterwards = np.einsum("anq,anq->aq", answers, agreement @ answers) / answers.sum(axis=1)
    return np.asarray(afterwards.sum(axis=0) / len(ahead) - agreement.mean())
