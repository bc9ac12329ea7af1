"""The metric in words: the costliest mistake, and what a gap is worth."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.elicitation import Finding, Intervals, Uncertainty
from evenhand.metric import FairMetric
from evenhand.study.demo.demo import demo_study
from evenhand.web.views.weight_rows import Weights, sentences

STUDY = demo_study()


def _finding(a: list[float], b: list[float], trade_off: float) -> Finding:
    return Finding(
        metric=FairMetric.from_weights(STUDY.setting, misclassification=a, violation=[b], trade_off=trade_off)
    )


def test_the_costliest_mistake_is_named_with_how_much_more_it_costs() -> None:
    first, _ = sentences(STUDY, _finding([1, 2], [1, 1], 0.5))
    assert first == (
        "It costs you most when those who will get much worse are missed: about 2.0 times as much as when those who "
        "will stay stable are called in without need."
    )


def test_mistakes_that_cost_about_the_same_are_said_to() -> None:
    first, _ = sentences(STUDY, _finding([1, 1.05], [1, 1], 0.5))
    assert first.startswith("Two mistakes cost you about the same")


def test_a_gap_is_priced_in_mistakes() -> None:
    finding = _finding([0.6, 0.8], [0.0, 1.0], 0.5)
    _, second = sentences(STUDY, finding)
    assert "10 of 100 wide" in second
    assert "as bad to you as 12 of 100 more" in second  # 10 · 0.5 · 1 / (0.5 · 0.8)


@pytest.mark.parametrize(("trade_off", "words"), [(0.0, "hardly count"), (1.0, "more than any number")])
def test_metrics_of_one_part_only_have_their_own_sentence(trade_off: float, words: str) -> None:
    _, second = sentences(STUDY, _finding([1, 1], [1, 1], trade_off))
    assert words in second


def test_every_weight_is_shown_with_its_interval() -> None:
    finding = _finding([0.6, 0.8], [0.6, 0.8], 0.3)
    intervals = Intervals(
        np.array([[0.1, 0.6], [0.7, 1.0]]), np.array([[[0.2, 0.8], [0.3, 0.9]]]), np.array([0.2, 0.4])
    )
    weights = Weights.of(STUDY, Finding(metric=finding.metric, uncertainty=Uncertainty(level=0.9, intervals=intervals)))
    assert [(weight.low, weight.high) for weight in weights.mistakes] == [(0.1, 0.6), (0.7, 1.0)]
    assert [(weight.low, weight.high) for weight in weights.gaps] == [(0.2, 0.8), (0.3, 0.9)]
    assert weights.trade_off.value == pytest.approx(0.3)
    assert (weights.trade_off.low, weights.trade_off.high) == (0.2, 0.4)
    assert weights.mistakes[1].words == "those who will get much worse are missed"
