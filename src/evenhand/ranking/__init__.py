"""From a metric and candidates to an order, and how well two orders agree."""

from evenhand.ranking.agreement import kendall_tau, ndcg, places, weighted_kendall_tau
from evenhand.ranking.rank import RankedModel, Ranking, rank

__all__ = ["RankedModel", "Ranking", "kendall_tau", "ndcg", "places", "rank", "weighted_kendall_tau"]
