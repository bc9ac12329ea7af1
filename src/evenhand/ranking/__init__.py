"""From a metric and candidates to an order, and how well two orders agree."""

from evenhand.ranking.agreement import kendall_tau, ndcg, places, weighted_kendall_tau
from evenhand.ranking.compare import MetricComparison, compare_metrics
from evenhand.ranking.rank import RankedModel, Ranking, rank

__all__ = [
    "MetricComparison",
    "RankedModel",
    "Ranking",
    "compare_metrics",
    "kendall_tau",
    "ndcg",
    "places",
    "rank",
    "weighted_kendall_tau",
]
