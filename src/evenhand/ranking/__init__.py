"""From a metric and candidates to an order, and how well two orders agree."""

from evenhand.ranking.agreement import kendall_tau, ndcg, places, weighted_kendall_tau
from evenhand.ranking.rank import Ranked, Ranking, arranged, rank

__all__ = ["Ranked", "Ranking", "arranged", "kendall_tau", "ndcg", "places", "rank", "weighted_kendall_tau"]
