"""A separate decision rule for each group, on an estimator's class probabilities, for any number of classes.

Fairlearn's reductions and post-processing support two classes. Here a person of group g gets the class j with the
largest probability × w[g, j], and w minimises mistakes and gaps together on the training data.
"""

from __future__ import annotations

import numpy as np

from evenhand.experiments.ranking.split import Codes
from evenhand.rates.profile import gaps, off_diagonal
from evenhand.rates.ties import comparable
from evenhand.typing import Floats

_STEPS = np.exp(np.linspace(-1.2, 1.2, 13))
_SWEEPS = 3


def decide(probabilities: Floats, group: Codes, weights: Floats) -> Codes:
    """Return the class (n,) that the rule of each person's group gives; weights are (groups, classes)."""
    return np.asarray(np.argmax(probabilities * weights[group], axis=1))


def tune(probabilities: Floats, label: Codes, group: Codes, *, penalty: float) -> Floats:
    """Return the weights (groups, classes) that minimise the share of mistakes + penalty × the mean gap.

    By coordinate descent: each weight in turn is multiplied by the best of a few factors, in several sweeps.
    """
    k, m = probabilities.shape[1], int(group.max()) + 1
    weights = np.ones((m, k))

    def loss() -> float:
        counts = np.zeros((m, k, k))
        np.add.at(counts, (group, label, decide(probabilities, group, weights)), 1.0)
        rates = off_diagonal(counts / counts.sum(axis=2, keepdims=True))
        mistakes = 1 - np.einsum("gii->", counts) / len(label)
        return float(mistakes + penalty * gaps(rates).mean())

    for _ in range(_SWEEPS):
        for place in np.ndindex(m, k):
            before = weights[place]
            losses = np.empty(len(_STEPS))
            for number, step in enumerate(_STEPS):
                weights[place] = before * step
                losses[number] = loss()
            losses = comparable(losses)
            best = int(losses.argmin())
            weights[place] = before * (_STEPS[best] if losses[best] < losses[len(_STEPS) // 2] else 1.0)
    return weights
