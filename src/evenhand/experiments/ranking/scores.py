"""Scores how well rankings by estimated metrics agree with rankings by the true metrics."""

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
"""The measures of agreement. The paper does not define the relevance in NDCG. In the first NDCG it is 1 − true cost; in
the stricter NDCG by place it is the place in the true order, from 1 for the best to 0 for the worst. The paper says
"Kendall-tau" and cites Shieh, whose τ is weighted; so we measure both."""


@dataclass(frozen=True, eq=False)
class Scores:
    """The agreement by each measure for n metrics, (n,), and the number of questions behind the estimates."""

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
        """Return a summary as plain values."""
        return {"questions": self.questions, **{measure: summary(getattr(self, measure)) for measure in MEASURES}}


def summary(values: Floats) -> dict[str, float]:
    """Return mean, median, standard deviation, and the 5th and 95th percentiles."""
    low, median, high = np.quantile(values, [0.05, 0.5, 0.95])
    return {
        "mean": float(np.mean(values)),
        "median": float(median),
        "std": float(np.std(values)),
        "p5": float(low),
        "p95": float(high),
    }
