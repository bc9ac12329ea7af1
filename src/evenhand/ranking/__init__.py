"""From a metric and candidates to an order, and how well two orders agree."""

from evenhand.ranking.agreement import kendall_tau, ndcg

__all__ = ["kendall_tau", "ndcg"]
