"""Metrics that somebody may hold, each with its probability: what an interview leaves open."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evenhand.typing import Floats


@dataclass(frozen=True, eq=False)
class MetricSample:
    """Weights a (n, q), B (n, pairs, q) and λ (n,) of n metrics, and how much each counts, (n,), in all 1."""

    misclassification: Floats
    violation: Floats
    trade_off: Floats
    weight: Floats

    @property
    def prices(self) -> Floats:
        """((1 − λ)a, λB) of each metric, (n, q(1 + pairs)): its cost is their product with the linear features."""
        gaps = self.trade_off[:, None, None] * self.violation
        mistakes = (1 - self.trade_off)[:, None] * self.misclassification
        return np.concatenate([mistakes, gaps.reshape(len(gaps), -1)], axis=1)
