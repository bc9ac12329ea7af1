"""Any weights that are not negative become a metric with the same preferences."""

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evenhand import EvenhandError, FairMetric, Setting
from evenhand.typing import Floats

SETTING = Setting(["yes", "no"], ["women", "men"], [[0.5, 0.4], [0.5, 0.6]])
weights = st.just(0.0) | st.floats(1e-3, 10)
seeds = st.integers(0, 2**32 - 1)
trade_offs = st.none() | st.floats(0, 1)


@st.composite
def raw(draw: st.DrawFn) -> tuple[Setting, Floats, Floats]:
    k, m = draw(st.integers(2, 3)), draw(st.integers(2, 3))
    q, pairs = k * k - k, m * (m - 1) // 2
    a = np.array(draw(st.lists(weights, min_size=q, max_size=q)))
    B = np.array(draw(st.lists(weights, min_size=q * pairs, max_size=q * pairs))).reshape(pairs, q)
    return Setting.random(k, m, draw(seeds)), a, B


def raw_cost(setting: Setting, a: Floats, B: Floats, trade_off: float | None, profiles: Floats) -> Floats:
    overall = (setting.tau * profiles).sum(axis=-2)
    first, second = np.triu_indices(len(setting.groups), 1)
    gaps = np.abs(profiles[:, first] - profiles[:, second])
    share = 0.5 if trade_off is None else trade_off
    cost: Floats = (1 - share) * overall @ a + share * (gaps * B).sum(axis=(-2, -1))
    return cost


@given(raw(), trade_offs, seeds)
def test_normalising_keeps_the_preferences(
    weighted: tuple[Setting, Floats, Floats], trade_off: float | None, seed: int
) -> None:
    """The costs are those of the raw weights in another unit, so their order is the same."""
    setting, a, B = weighted
    profiles = np.random.default_rng(seed).uniform(0, 1 / len(setting.classes), size=(20, *setting.tau.shape))
    expected = raw_cost(setting, a, B, trade_off, profiles)
    assume(expected.min() > 1e-9)
    metric = FairMetric.from_weights(setting, misclassification=a, violation=B, trade_off=trade_off)
    assert metric.cost_of_profiles(profiles) / metric.cost_of_profiles(profiles[0]) == pytest.approx(
        expected / expected[0], rel=1e-6
    )


@given(raw(), trade_offs, st.integers(-300, 300))
def test_the_scale_of_all_weights_does_not_matter(
    weighted: tuple[Setting, Floats, Floats], trade_off: float | None, exponent: int
) -> None:
    setting, a, B = weighted
    unit = 2.0**exponent
    assume((a.any() and trade_off != 1) or (B.any() and trade_off != 0))
    one = FairMetric.from_weights(setting, misclassification=a, violation=B, trade_off=trade_off)
    other = FairMetric.from_weights(setting, misclassification=a * unit, violation=B * unit, trade_off=trade_off)
    assert one.distance(other) == pytest.approx((0, 0, 0), abs=1e-12)


@given(seeds)
def test_a_normalised_metric_is_already_what_its_weights_make(seed: int) -> None:
    metric = FairMetric.random(Setting.random(3, 3, seed), seed)
    again = FairMetric.from_weights(
        metric.setting,
        misclassification=metric.misclassification,
        violation=metric.violation,
        trade_off=metric.trade_off,
    )
    assert metric.distance(again) == pytest.approx((0, 0, 0), abs=1e-12)


@pytest.mark.parametrize("unit", [5e-324, 1e-310, 1e-300, 1.0, 1e300, 1.7e308])
def test_weights_at_the_ends_of_the_floats_have_the_same_ratios(unit: float) -> None:
    metric = FairMetric.from_weights(SETTING, misclassification=[unit, 0], violation=[[0, unit]])
    assert metric.misclassification.tolist() == [1, 0]
    assert metric.violation.tolist() == [[0, 1]]
    assert metric.trade_off == 0.5
    many = Setting.random(4, 5, 0)
    metric = FairMetric.from_weights(many, misclassification=[unit] * 12, violation=[[unit] * 12] * 10)
    assert metric.trade_off == pytest.approx(10 / 11)


def test_a_part_that_is_negligible_has_no_say() -> None:
    metric = FairMetric.from_weights(SETTING, misclassification=[1e-300, 1e-300], violation=[[1e300, 0]])
    assert metric.trade_off == 1
    metric = FairMetric.from_weights(SETTING, misclassification=[1e300, 1e300], violation=[[1e-300, 0]])
    assert 0 <= metric.trade_off < 1e-300


def test_a_part_without_weight_is_set_equal_and_has_no_say() -> None:
    metric = FairMetric.from_weights(SETTING, misclassification=[0, 0], violation=[[3, 4]])
    assert metric.trade_off == 1
    assert metric.misclassification == pytest.approx([0.5**0.5] * 2)
    metric = FairMetric.from_weights(SETTING, misclassification=[3, 4], violation=[[0, 0]])
    assert metric.trade_off == 0
    assert metric.violation == pytest.approx(np.full((1, 2), 0.5**0.5))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"misclassification": [0, 0], "violation": [[0, 0]]}, "all weights are zero"),
        ({"misclassification": [0, 0], "violation": [[1, 0]], "trade_off": 0}, "all weights are zero"),
        ({"misclassification": [1, 0], "violation": [[0, 0]], "trade_off": 1}, "all weights are zero"),
        ({"misclassification": [1, -1], "violation": [[1, 0]]}, "no → yes is -1"),
        ({"misclassification": [1, 1], "violation": [[-5e-324, 0]]}, "between women and men in yes → no"),
        ({"misclassification": [1, np.inf], "violation": [[1, 0]]}, "is inf"),
        ({"misclassification": ["1", "1"], "violation": [[1, 0]]}, "must be numbers"),
        ({"misclassification": [1, None], "violation": [[1, 0]]}, "is nan"),
        ({"misclassification": [1, 1], "violation": [[1, 0]], "trade_off": 2}, "trade_off must be"),
        ({"misclassification": [1, 1], "violation": [[1, 0]], "trade_off": "all"}, "trade_off must be"),
        ({"misclassification": [1, 1], "violation": [[1, 0]], "width": "wide"}, "has no width, but received 'wide'"),
        ({"misclassification": [1, 1], "violation": [[1, 0]], "width": [1, 2]}, "has no width"),
        ({"misclassification": [1, 1], "violation": [[1, 0]], "width": 10**400}, "has no width"),
        ({"misclassification": [], "violation": [[1, 0]]}, r"shape \(0,\)"),
    ],
    ids=lambda value: "" if isinstance(value, dict) else value,
)
def test_weights_that_prefer_nothing_or_the_worse_are_refused(weights: dict[str, Any], message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        FairMetric.from_weights(SETTING, **weights)
