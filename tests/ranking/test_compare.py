"""Two metrics side by side: where they differ, and which models they order differently."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.test_toy_family import WorstOff

from evenhand import EvenhandError, FairMetric, Finding, GroupRates, Setting, compare_metrics, rank
from evenhand.elicitation import Intervals, Uncertainty, Verdict
from evenhand.rates.models import made_up_models

SETTING = Setting(["repays", "defaults"], ["women", "men"], [[0.5, 0.4], [0.5, 0.6]])


def models(n: int, seed: int) -> dict[str, GroupRates]:
    profiles = made_up_models(SETTING, n, np.random.default_rng(seed))
    return {f"model {place}": GroupRates.from_vector(SETTING, profile) for place, profile in enumerate(profiles)}


def known(metric: FairMetric, within: float) -> Finding:
    def around(weights: object) -> np.ndarray:
        return np.clip(np.stack([np.asarray(weights) - within, np.asarray(weights) + within], axis=-1), 0, 1)

    ends = Intervals(around(metric.misclassification), around(metric.violation), around(metric.trade_off))
    return Finding(metric=metric, uncertainty=Uncertainty(level=0.9, intervals=ends))


@given(st.integers(0, 999), st.integers(0, 999), st.integers(2, 8))
def test_the_pairs_are_those_whose_order_differs(mine: int, yours: int, n: int) -> None:
    one, other = FairMetric.random(SETTING, mine), FairMetric.random(SETTING, yours)
    candidates = models(n, mine)
    found = compare_metrics(one, other, candidates)
    orders = [rank(by, candidates).names for by in (one, other)]
    expected = {
        (first, second)
        for first, second in combinations(orders[0], 2)
        if orders[1].index(first) > orders[1].index(second)
    }
    assert {(pair.mine, pair.yours) for pair in found.pairs} == expected
    assert found.differs == pytest.approx(len(expected) / (n * (n - 1) / 2))
    assert found.best == (orders[0][0], orders[1][0])
    for pair in found.pairs:
        assert pair.by_mine == pytest.approx(one.cost(candidates[pair.yours]) - one.cost(candidates[pair.mine]))
        assert pair.by_yours == pytest.approx(other.cost(candidates[pair.mine]) - other.cost(candidates[pair.yours]))
    back = compare_metrics(other, one, candidates)
    assert {(pair.yours, pair.mine) for pair in back.pairs} == expected
    text = str(found)
    assert ("Both prefer" in text) == (orders[0][0] == orders[1][0])


@given(st.integers(0, 99))
def test_a_metric_agrees_with_itself(seed: int) -> None:
    metric = FairMetric.random(SETTING, seed)
    for candidates in (models(5, seed), None):
        found = compare_metrics(metric, metric, candidates)
        assert (found.differs, found.pairs) == (0, ())
        assert {one.mine - one.yours for one in found.weights} == {0}


def test_weights_differ_where_their_intervals_have_nothing_in_common() -> None:
    one = FairMetric(SETTING, misclassification=[0.6, 0.8], violation=[[0.8, 0.6]], trade_off=0.2)
    other = FairMetric(SETTING, misclassification=[0.8, 0.6], violation=[[0.8, 0.6]], trade_off=0.5)
    found = compare_metrics(known(one, 0.12), known(other, 0.12))
    assert [weight.differ for weight in found.weights] == [False, False, False, False, True]
    closer = compare_metrics(known(one, 0.05), other)  # one without intervals is taken as exact
    assert [weight.differ for weight in closer.weights] == [True, True, False, False, True]
    exact = compare_metrics(one, other)
    assert {weight.differ for weight in exact.weights} == {None}
    assert "differ by 0.300" in str(exact)
    assert "may agree" in str(found)
    assert 0 < found.differs < 1
    assert "of made-up pairs of models" in repr(found)


def test_models_that_look_alike_are_called_the_same_in_every_line() -> None:
    one, other = FairMetric.random(SETTING, 1), FairMetric.random(SETTING, 2)
    plain = models(6, 1)
    alike = {" " * place + "model": rates for place, rates in enumerate(plain.values())}
    said = [line for line in str(compare_metrics(one, other, alike)).splitlines() if "is better than" in line]
    known = [line for line in str(compare_metrics(one, other, plain)).splitlines() if "is better than" in line]
    assert len(said) > 2
    called: dict[str, str] = {}
    for line, before in zip(said, known, strict=True):
        for name, number in zip(re.findall(r"model \d", before), re.findall(r"\d: model", line), strict=True):
            assert called.setdefault(name, number) == number
    assert len(set(called.values())) == len(called)


def test_metrics_of_two_families_are_compared_by_their_models_alone() -> None:
    one = FairMetric.random(SETTING, 0)
    other = FairMetric(
        SETTING, misclassification=[0.6, 0.8], violation=[[0.6, 0.8]], trade_off=0.5, family=WorstOff.name
    )
    found = compare_metrics(one, other, models(6, 0))
    assert found.weights == ()
    assert "of different families" in str(found)
    assert found.to_frame("polars").shape == (0, 5)


def test_what_cannot_be_compared_says_why_and_doubts_are_repeated() -> None:
    metric = FairMetric.random(SETTING, 0)
    with pytest.raises(EvenhandError, match="yours must be a FairMetric or what elicit returned, but received 3"):
        compare_metrics(metric, 3)  # type: ignore[arg-type]
    for no_models in (5, [GroupRates.uniform(SETTING)], {"A": 1}):
        with pytest.raises(EvenhandError, match="candidate"):
            compare_metrics(metric, metric, no_models)  # type: ignore[arg-type]
    elsewhere = FairMetric.random(Setting.random(2, 2, 0), 0)
    with pytest.raises(EvenhandError, match=r"not about the same classes and groups \(classes: 'repays'"):
        compare_metrics(metric, elsewhere)
    with pytest.raises(EvenhandError, match="was not measured in the metric's classes and groups"):
        compare_metrics(metric, metric, {name: GroupRates.uniform(elsewhere.setting) for name in "ab"})
    doubted = Finding(metric=metric, verdict=Verdict(kind="too few answers", reason="Only 2 answers.", advice="Ask."))
    assert "Yours: Only 2 answers." in str(compare_metrics(metric, doubted))
