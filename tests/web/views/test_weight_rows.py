"""A metric in a study's own words: its weights as rows of a chart, and its sentences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evenhand.elicitation import Finding, Intervals, Uncertainty
from evenhand.metric import FairMetric
from evenhand.metric.sentences import sentences
from evenhand.study.demo.demo import demo_study
from evenhand.web.views.weight_rows import WeightRows

STUDY = demo_study()


def _finding(a: list[float], b: list[float], trade_off: float) -> Finding:
    return Finding(
        metric=FairMetric.from_weights(STUDY.setting, misclassification=a, violation=[b], trade_off=trade_off)
    )


def test_a_result_says_the_sentences_of_its_metric_in_the_studys_words() -> None:
    words = STUDY.words.in_order(STUDY.setting).quoted()
    first, second, _, *gaps = sentences(_finding([0.6, 0.8], [0.0, 1.0], 0.5).metric, words)
    assert first.startswith("Mistakes and gaps between groups count about alike: the trade-off is 0.50")
    assert second == (
        "“Those who will get much worse are missed” counts 1.3 times as much as “those who will stay stable are called "
        "in without need”."
    )
    assert gaps[0] == (
        "A gap of one point between people under 50 and people 50 and over in “those who will get much worse are "
        "missed” counts as much as 1.3 points more of that mistake for everybody."  # 0.5 · 1 / (0.5 · 0.8) = 1.25
    )


def test_every_weight_is_shown_with_its_interval() -> None:
    finding = _finding([0.6, 0.8], [0.6, 0.8], 0.3)
    intervals = Intervals(
        np.array([[0.1, 0.6], [0.7, 1.0]]), np.array([[[0.2, 0.8], [0.3, 0.9]]]), np.array([0.2, 0.4])
    )
    uncertainty = Uncertainty(level=0.9, intervals=intervals)
    weights = WeightRows.of(STUDY, replace(finding, uncertainty=uncertainty))
    assert [(weight.low, weight.high) for weight in weights.mistakes] == [(0.1, 0.6), (0.7, 1.0)]
    assert [(weight.low, weight.high) for weight in weights.violation] == [(0.2, 0.8), (0.3, 0.9)]
    assert weights.trade_off.value == pytest.approx(0.3)
    assert (weights.trade_off.low, weights.trade_off.high) == (0.2, 0.4)
    assert weights.mistakes[1].words == "those who will get much worse are missed"
