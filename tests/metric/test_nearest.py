"""The nearest metric with a name is the one that decides most often alike."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.errors import EvenhandError
from evenhand.metric import FairMetric
from evenhand.metric.nearest import named_metrics, nearest
from evenhand.rates import GroupRates, Setting


def _candidates(setting: Setting, rng: np.random.Generator) -> dict[str, GroupRates]:
    k = len(setting.classes)
    shape = (len(setting.groups), k)
    return {str(n): GroupRates(setting=setting, matrix=rng.dirichlet(np.ones(k), size=shape)) for n in range(6)}


@given(st.integers(2, 4), st.integers(2, 4), st.integers(0, 10_000))
def test_a_metric_with_a_name_is_its_own_nearest(classes: int, groups: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    setting = Setting.random(classes, groups, rng)
    candidates = _candidates(setting, rng)
    named = list(named_metrics(setting, 0.5).values())
    metric = named[rng.integers(len(named))]
    assert nearest(metric, candidates)[0].differs == 0


def test_the_share_counts_pairs_of_models() -> None:
    setting = Setting(["no", "yes"], ["a", "b"], [[0.5, 0.5], [0.5, 0.5]])
    models = {
        "few mistakes, one gap": GroupRates.from_vector(setting, [[0.1, 0.0], [0.0, 0.0]]),
        "many mistakes, no gap": GroupRates.from_vector(setting, [[0.3, 0.3], [0.3, 0.3]]),
    }
    mistakes_only = FairMetric.from_weights(setting, misclassification=[1, 1], violation=[[1, 1]], trade_off=0.0)
    shares = {near.name: near.differs for near in nearest(mistakes_only, models)}
    assert shares["balanced error"] == 0
    assert shares["equalized odds"] == 1


def test_one_candidate_leaves_nothing_to_decide() -> None:
    setting = Setting.random(2, 2, 0)
    with pytest.raises(EvenhandError, match="between two models"):
        nearest(FairMetric.random(setting, 0), {"one": GroupRates.uniform(setting)})
