"""A metric in plain sentences: the ratios are the metric's own, and extreme metrics are not divided by zero."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.metric.test_weight_table import HOSTILE

from evenhand import EvenhandError, FairMetric, Setting
from evenhand.metric import error_rate_balance

SETTING = Setting(["repays", "defaults"], ["women", "men"], [[0.5, 0.5]] * 2)


def metric(a: Any, B: Any, **options: Any) -> FairMetric:
    return FairMetric.from_weights(SETTING, misclassification=a, violation=[B], **options)


def test_the_ratios_are_those_of_the_weights() -> None:
    text = metric([2.3, 1], [4.6, 0.5]).describe()
    assert "Predicting “defaults” for “repays” counts 2.3 times as much as predicting “repays” for “defaults”." in text
    assert (
        "A gap of one point between women and men in predicting “defaults” for “repays” counts as much as 2 points "
        "more of that mistake for everybody."
    ) in text
    assert "counts as much as 0.5 points more of that mistake" in text
    assert text.endswith("it does not certify that a model is fair.")


def test_with_three_classes_the_other_mistakes_are_compared_with_the_one_that_counts_most() -> None:
    setting = Setting(["a", "b", "c"], ["women", "men"], [[0.5] * 3] * 2)
    prices = {("a", "b"): 4.0, ("a", "c"): 2.0, ("b", "a"): 1.0, ("b", "c"): 0.1, ("c", "a"): 0.02, ("c", "b"): 0.01}
    assert tuple(prices) == setting.mistakes
    text = FairMetric.from_weights(
        setting, misclassification=list(prices.values()), violation=[[1] * 6], trade_off=0.5
    ).describe()
    assert (
        "The mistake that counts most is predicting “b” for “a”; compared with it: "
        "predicting “c” for “a” (0.5 times as much), predicting “a” for “b” (0.25 times as much), "
        "predicting “c” for “b” (0.025 times as much), predicting “a” for “c” (0.005 times as much), "
        "predicting “b” for “c” (next to nothing)."
    ) in text


def test_the_domains_own_words_are_used() -> None:
    text = metric([2.3, 1], [1, 1]).describe(mistakes={("repays", "defaults"): "a false refusal"})
    assert "A false refusal counts 2.3 times as much as predicting “repays” for “defaults”." in text
    assert "between women and men in a false refusal counts" in text


@pytest.mark.parametrize(
    ("one", "wanted"),
    [
        (metric([1, 1], [1, 0], trade_off=0.0), "almost wholly in mistakes, not in gaps between groups"),
        (metric([1, 1], [1, 0], trade_off=1.0), "almost wholly in gaps between groups, not in mistakes"),
        (metric([1, 1], [1, 0]), "All kinds of mistake count alike"),
        (metric([1, 0], [0, 1]), "counts, while predicting “repays” for “defaults” counts for next to nothing"),
        (metric([1, 0], [0, 1]), "counts as much as 1 point more of predicting “defaults” for “repays”"),
        (metric([1, 0], [0, 1]), "The other one counts less, or not at all"),
        (metric([1, 1], [1, 1], trade_off=0.5), "Every weight of gaps between groups is the same: one point"),
        (error_rate_balance(SETTING), "it would decide 0 of 100 comparisons"),
        (metric([1, 1], [1, 1], trade_off=0.5), "The nearest metric with a name is equalized odds + balanced error"),
    ],
    ids=str,
)
def test_special_metrics_have_sentences_of_their_own(one: FairMetric, wanted: str) -> None:
    assert wanted in one.describe()


@given(st.integers(2, 5), st.integers(2, 5), st.integers(0, 50), st.sampled_from([None, 0.0, 1e-9, 1.0]))
@settings(max_examples=15)
def test_any_metric_is_a_few_sentences(k: int, m: int, seed: int, trade_off: float | None) -> None:
    drawn = FairMetric.random(Setting.random(k, m, seed), seed)
    one = FairMetric(
        drawn.setting,
        misclassification=drawn.misclassification,
        violation=drawn.violation,
        trade_off=drawn.trade_off if trade_off is None else trade_off,
    )
    lines = one.describe().split("\n")
    assert 4 <= len(lines) <= 11
    assert all(line.endswith(".") and line[0].isupper() for line in lines)
    assert not re.search(r"\b(nan|inf|None)\b", " ".join(lines))


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: repr(name)[:20])
def test_a_name_stays_a_name(name: str) -> None:
    text = FairMetric.random(Setting([name, "other"], ["group", name], [[0.5, 0.5]] * 2), 0).describe()
    assert all(line.isprintable() for line in text.split("\n"))


@pytest.mark.parametrize(
    "words", [{("repays", "x"): "a"}, {"repays": "a"}, {("repays", "defaults"): 3}, ["a"]], ids=str
)
def test_words_for_what_is_no_mistake_are_refused(words: Any) -> None:
    with pytest.raises(EvenhandError, match="mistakes must"):
        METRIC.describe(mistakes=words)


METRIC = FairMetric.random(SETTING, 0)
