"""Magnified comparisons: the same people prefer the same side."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand import FairMetric, Setting
from evenhand.elicitation.adaptive.magnify import magnified
from evenhand.metric.families import Gaps
from evenhand.region import common_sphere


@given(k=st.integers(2, 4), m=st.integers(2, 4), seed=st.integers(0, 10_000))
def test_rates_and_gaps_differ_by_a_multiple(k: int, m: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    setting = Setting.random(k, m, seed)
    base = rng.uniform(0.1, 0.3, size=(m, k * k - k))
    first, second = (base + rng.normal(0, 0.02, size=(20, m, k * k - k)) for _ in range(2))
    sphere = common_sphere(k)
    large_first, large_second = magnified(first, second, setting.tau, sphere)
    small = Gaps().features(first, setting) - Gaps().features(second, setting)
    large = Gaps().features(large_first, setting) - Gaps().features(large_second, setting)
    factor = np.linalg.norm(large, axis=1) / np.linalg.norm(small, axis=1)
    assert large == pytest.approx(factor[:, None] * small, abs=1e-9)
    for profile in (large_first, large_second):
        assert (np.linalg.norm(profile - sphere.center, axis=-1) <= sphere.radius + 1e-9).all()
    metric = FairMetric.random(setting, seed)
    saves = metric.cost_of_profiles(second) - metric.cost_of_profiles(first)
    clear = np.abs(saves) > 1e-9
    assert ((metric.cost_of_profiles(large_second) - metric.cost_of_profiles(large_first) > 0) == (saves > 0))[
        clear
    ].all()


def test_what_two_models_have_in_common_is_left_out() -> None:
    """Both refuse one group far more often; they differ by a point, which then fills the sphere."""
    setting = Setting(["repays", "defaults"], ["women", "men"], [[0.5, 0.5], [0.5, 0.5]])
    first = np.array([[[0.40, 0.2], [0.10, 0.2]]])
    second = np.array([[[0.41, 0.2], [0.10, 0.2]]])
    large_first, large_second = magnified(first, second, setting.tau, common_sphere(2))
    assert np.abs(large_first - large_second).max() == pytest.approx(0.2, abs=0.1)
