"""Nearness to a metric with a name is measured in decisions."""

import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand import FairMetric, GroupRates, Setting
from evenhand.metric import cost_sensitive_error, equal_opportunity, error_rate_balance, nearest

SETTING = Setting(["no", "yes"], ["women", "men"], [[0.4, 0.5], [0.6, 0.5]])


@pytest.mark.parametrize(
    ("metric", "name"),
    [
        (cost_sensitive_error(SETTING), "balanced error"),
        (error_rate_balance(SETTING), "equalized odds"),
        (error_rate_balance(SETTING, trade_off=0.3), "equalized odds + balanced error"),
        (equal_opportunity(SETTING, positive="yes"), "equal opportunity for “yes”"),
    ],
    ids=["error", "odds", "both", "opportunity"],
)
def test_a_metric_with_a_name_is_found_and_never_decides_differently(metric: FairMetric, name: str) -> None:
    near = nearest(metric)
    assert (near[0].name, near[0].differs) == (name, 0.0)
    assert near[1].differs > 0.03


@given(st.integers(2, 4), st.integers(2, 4), st.integers(0, 100))
@settings(max_examples=12)
def test_shares_are_shares_in_order(k: int, m: int, seed: int) -> None:
    near = nearest(FairMetric.random(Setting.random(k, m, seed), seed))
    shares = [one.differs for one in near]
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] <= 1
    assert len(near) == 1 + 2 * (1 + k)


def test_among_candidates_their_own_pairs_are_counted() -> None:
    metric = cost_sensitive_error(SETTING)
    candidates = {
        "fair": GroupRates.from_vector(SETTING, [[0.4, 0.4], [0.4, 0.4]]),
        "right": GroupRates.from_vector(SETTING, [[0.1, 0.1], [0.3, 0.1]]),
    }
    differs = {one.name: one.differs for one in nearest(metric, candidates)}
    assert differs["balanced error"] == 0
    assert differs["equalized odds"] == 1
    assert differs["equal opportunity for “yes”"] == 1  # which cannot tell the two apart, while the metric can


def test_candidates_that_tell_no_metrics_apart_leave_the_nearest_first() -> None:
    good = GroupRates.from_vector(SETTING, [[0.1, 0.1], [0.1, 0.2]])
    bad = GroupRates.from_vector(SETTING, [[0.2, 0.2], [0.4, 0.5]])
    near = nearest(error_rate_balance(SETTING, trade_off=0.3), {"good": good, "bad": bad})
    assert {one.differs for one in near} == {0.0}
    assert near[0].name == "equalized odds + balanced error"


def test_very_many_gaps_take_no_memory_of_their_own() -> None:
    metric = FairMetric.random(Setting.random(2, 60, 0), 0)
    tracemalloc.start()
    try:
        nearest(metric)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 60e6  # all gaps of all made-up models at once take 230 MB
