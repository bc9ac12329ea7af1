"""Metrics that a respondent may hold, each with its probability: what an interview leaves open."""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.by_value import ByValue
from evenhand.metric.families import Gaps
from evenhand.metric.weights import Weights
from evenhand.typing import Floats


@dataclass(frozen=True, eq=False)
class MetricSample(ByValue):
    """The weights of n metrics of a family, and the probability of each, (n,), in all 1."""

    weights: Weights
    probability: Floats
    family: str = Gaps.name
