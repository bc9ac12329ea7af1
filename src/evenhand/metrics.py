"""Metrics that people already know by name, as special cases of `FairMetric`.

Examples
--------
>>> import evenhand
>>> setting = evenhand.Setting(["repays", "defaults"], ["women", "men"], [[0.5, 0.4], [0.5, 0.6]])
>>> metric = evenhand.metrics.equal_opportunity(setting, positive="repays")
>>> metric.cost(evenhand.GroupRates.uniform(setting))
0.0
"""

from evenhand.metric.named import (
    balance_for_the_negative_class,
    cost_sensitive_error,
    equal_opportunity,
    error_rate_balance,
    weighted_equalized_odds,
)
from evenhand.metric.nearest import nearest

__all__ = [
    "balance_for_the_negative_class",
    "cost_sensitive_error",
    "equal_opportunity",
    "error_rate_balance",
    "nearest",
    "weighted_equalized_odds",
]
