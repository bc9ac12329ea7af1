"""Weights a, B and λ as one cost: `FairMetric`, the named metrics it generalises, and batches of them."""

from evenhand.metric.batch import MetricBatch
from evenhand.metric.fair_metric import Distance, FairMetric
from evenhand.metric.named import (
    balance_for_the_negative_class,
    cost_sensitive_error,
    equal_opportunity,
    error_rate_balance,
    weighted_equalized_odds,
)
from evenhand.metric.nearest import Near, nearest
from evenhand.metric.sample import MetricSample

__all__ = [
    "Distance",
    "FairMetric",
    "MetricBatch",
    "MetricSample",
    "Near",
    "balance_for_the_negative_class",
    "cost_sensitive_error",
    "equal_opportunity",
    "error_rate_balance",
    "nearest",
    "weighted_equalized_odds",
]
