"""What a question is worth: how much its answer is expected to tell, in bits, about what we want to know."""

from __future__ import annotations

import numpy as np

from evenhand.rates.vector import Floats


def entropy(probabilities: Floats, axis: int) -> Floats:
    """Return Shannon's entropy in bits along an axis."""
    safe = np.maximum(probabilities, 1e-300)
    return np.asarray(-(safe * np.log2(safe)).sum(axis=axis))


def about_everything(answers: Floats, clicker: float, clicks: Floats) -> Floats:
    """Return the information (questions,) about weights, habits, and whether anybody attends.

    `answers` (3, n, questions) are the probabilities of the answers by n equally likely particles.
    """
    attending = entropy(answers, axis=0).mean(axis=0)
    mixed = clicker * clicks[:, None] + (1 - clicker) * answers.mean(axis=1)
    noise = clicker * entropy(clicks, axis=0) + (1 - clicker) * attending
    return np.asarray(entropy(mixed, axis=0) - noise)


def about_attending(answers: Floats, clicker: float, clicks: Floats) -> Floats:
    """Return the information (questions,) about whether anybody attends: an answer that can be foreseen has most."""
    attending = answers.mean(axis=1)
    mixed = clicker * clicks[:, None] + (1 - clicker) * attending
    noise = clicker * entropy(clicks, axis=0) + (1 - clicker) * entropy(attending, axis=0)
    return np.asarray(entropy(mixed, axis=0) - noise)


def about_outcome(answers: Floats, outcome: Floats, clicker: float, clicks: Floats) -> Floats:
    """Return the information (questions,) about which outcome is true, nobody attending being one more outcome.

    `outcome` (n, outcomes) says with ones and zeros which outcome each particle stands for.
    """
    share = (1 - clicker) / len(outcome)
    joint = share * np.einsum("anq,no->aoq", answers, outcome, optimize=True)
    joint = np.concatenate([joint, np.broadcast_to(clicker * clicks[:, None, None], (3, 1, joint.shape[2]))], axis=1)
    of_outcome = np.append(share * outcome.sum(axis=0), clicker)
    together = entropy(joint.reshape(-1, joint.shape[2]), axis=0)
    return np.asarray(entropy(joint.sum(axis=1), axis=0) + entropy(of_outcome, axis=0) - together)
