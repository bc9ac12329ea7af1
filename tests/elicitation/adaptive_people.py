"""Who is asked in the tests of the adaptive method, and about which models."""

from __future__ import annotations

import numpy as np

from evenhand import (
    Elicited,
    FairMetric,
    GroupRates,
    Setting,
)

SETTING = Setting.random(2, 2, 0)


TRUTH = FairMetric.random(SETTING, 0)


def models(setting: Setting, n: int, seed: int) -> dict[str, GroupRates]:
    """Made-up classifiers of different skill, leaning and gaps between groups."""
    rng = np.random.default_rng(seed)
    k, m = len(setting.classes), len(setting.groups)
    logits = rng.normal(0, 0.7, size=(n, 1, 1, k)) + rng.normal(0, 0.3, size=(n, m, k, k))
    logits += np.eye(k) * rng.uniform(0.5, 2.5, size=(n, 1, 1, 1))
    rates = np.exp(logits)
    rates /= rates.sum(axis=-1, keepdims=True)
    return {f"model {place}": GroupRates(setting=setting, matrix=one) for place, one in enumerate(rates)}


def within(elicited: Elicited, truth: FairMetric, error: float) -> bool:
    return max(elicited.metric.distance(truth)) <= error
