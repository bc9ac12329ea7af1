"""How well orders of models by estimated metrics agree with the orders by the true ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from evenhand.ranking import kendall_tau, ndcg, places, weighted_kendall_tau
from evenhand.typing import Floats

MEASURES = {
    "ndcg": "NDCG",
    "ndcg_by_place": "NDCG by place",
    "kendall": "Kendall's τ-b",
    "weighted_kendall": "weighted τ",
}
"""What is measured of each order. Relevance is 1 − true cost for the first NDCG; for the stricter one it is the place
in the true order, 1 for the best and 0 for the worst. The paper does not define relevance. It says "Kendall-tau" and
cites Shieh, whose τ is weighted; so both are measured."""


@dataclass(frozen=True, eq=False)
class Scores:
    """The agreement for each of n metrics, (n,) for each measure, and the questions that it took to get there."""

    questions: int
    ndcg: Floats
    ndcg_by_place: Floats
    kendall: Floats
    weighted_kendall: Floats

    @classmethod
    def of(cls, true: Floats, estimated: Floats, questions: int) -> Scores:
        """Compare true and estimated costs (n, models), row by row."""
        rows = list(zip(true, estimated, strict=True))
        return cls(
            questions,
            np.array([ndcg(one, other) for one, other in rows]),
            np.array([ndcg(places(one), other) for one, other in rows]),
            np.array([kendall_tau(one, other) for one, other in rows]),
            np.array([weighted_kendall_tau(one, other) for one, other in rows]),
        )

    def mean(self, measure: str) -> float:
        """Return the mean of one measure over all metrics."""
        return float(getattr(self, measure).mean())

    def as_json(self) -> dict[str, Any]:
        """Return all of it summed up, as plain values."""
        return {"questions": self.questions, **{measure: summary(getattr(self, measure)) for measure in MEASURES}}


def summary(values: Floats) -> dict[str, float]:
    """Return mean, median and spread: the standard deviation, and what one in twenty lies below or above."""
    low, median, high = np.quantile(values, [0.05, 0.5, 0.95])
    return {
        "mean": float(np.mean(values)),
        "median": float(median),
        "std": float(np.std(values)),
        "p5": float(low),
        "p95": float(high),
    }
