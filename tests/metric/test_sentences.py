"""A metric in plain sentences: the ratios are the metric's own, and extreme metrics are not divided by zero."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.metric.test_weight_table import HOSTILE

from evenhand import EvenhandError, FairMetric, Setting
from evenhand.display.names import capitalised
from evenhand.metric import error_rate_balance
from evenhand.metric.families import Gaps
from evenhand.metric.ratios import Ratio, Ratios
from evenhand.metric.sentences import said, sentences
from evenhand.wording.vocabulary import Words

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
    for words in (
        "Predicting “b” for “a” counts 2 times as much as predicting “c” for “a”.",
        "Predicting “b” for “a” counts 4 times as much as predicting “a” for “b”.",
        "Predicting “b” for “a” counts 40 times as much as predicting “c” for “b”.",
        "Predicting “b” for “a” counts, while predicting “a” for “c” counts for next to nothing.",
        "Predicting “b” for “a” counts, while predicting “b” for “c” counts for next to nothing.",
    ):
        assert words in text


def test_the_domains_own_words_are_used() -> None:
    text = metric([2.3, 1], [1, 1]).describe(mistakes={("repays", "defaults"): "a false refusal"})
    assert "A false refusal counts 2.3 times as much as predicting “repays” for “defaults”." in text
    assert "between women and men in a false refusal counts" in text


@pytest.mark.parametrize(
    ("one", "wanted"),
    [
        (metric([1, 1], [1, 0], trade_off=0.0), "almost wholly in mistakes, not in gaps between groups"),
        (metric([1, 1], [1, 0], trade_off=1.0), "almost wholly in gaps between groups, not in mistakes"),
        (metric([1, 1], [1, 0]), "All kinds of mistake count about alike"),
        (metric([1, 0], [0, 1]), "counts, while predicting “repays” for “defaults” counts for next to nothing"),
        (metric([1, 0], [0, 1]), "counts as much as 1 point more of predicting “defaults” for “repays”"),
        (metric([1, 0], [0, 1]), "The other one counts less, or not at all"),
        (metric([1, 1], [1, 1], trade_off=0.5), "Every weight of gaps between groups is about the same: one point"),
        (error_rate_balance(SETTING), "it would decide 0 of 100 comparisons"),
        (error_rate_balance(SETTING), "is about the same: one point counts, while mistakes hardly do."),
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
    assert 4 <= len(lines) <= 20
    assert all(line.endswith(".") and line[0].isupper() for line in lines)
    assert not re.search(r"\b(nan|inf|None)\b", " ".join(lines))


WORDS = Words.spoken(SETTING, {("repays", "defaults"): "a refusal", ("defaults", "repays"): "a default"})
SCALE = "on a scale from 0 (only mistakes) to 1 (only gaps between groups)"
ENDS = "between 1.4 and 4.0"
PHRASES = [f"a gap of one point between women and men in {mistake}" for mistake in ("a refusal", "a default")]


def known(share: float, low: float, high: float, probability: float) -> Ratios:
    """Return ratios of which all are known as well."""
    ratio = Ratio(0, 1, share, low, high, probability)
    prices = tuple(replace(ratio, one=place, other=place) for place in (0, 1))
    return Ratios(mistakes=(ratio,), violation=(ratio,), in_mistakes=prices, trade_off=replace(ratio, other=0))


def test_what_is_known_is_said_with_its_range() -> None:
    one = metric([3, 1], [3, 1], trade_off=0.75)
    assert sentences(one, WORDS, known(0.7, 0.585, 0.798, 0.99)) == [
        f"Gaps between groups count more than mistakes: the trade-off is about 0.70, between 0.58 and 0.80, {SCALE}.",
        "A refusal counts about 2.3 times as much as a default, between 1.4 and 4.0 times.",
        f"{capitalised(PHRASES[0])} counts about 2.3 times as much as {PHRASES[1]}, between 1.4 and 4.0 times.",
        *(
            f"{capitalised(gap)} counts as much as about 2.3 points more of that mistake for everybody, {ENDS}."
            for gap in PHRASES
        ),
    ]


def test_which_counts_more_is_said_only_if_the_whole_range_says_so() -> None:
    told = sentences(metric([3, 1], [3, 1], trade_off=0.5), WORDS, known(0.63, 0.43, 0.73, 0.96))
    assert "The answers do not tell which of a refusal and a default counts more." in told
    assert not [one for one in told if one.startswith("A refusal counts about")]


def test_where_mistakes_hardly_count_no_price_in_mistakes_is_named() -> None:
    """What counts little beside them is not told from what does not count at all."""
    almost_all = replace(known(0.7, 0.585, 0.798, 0.99), trade_off=Ratio(0, 0, 0.993, 0.9899, 0.997, 1.0))
    about_all, *others = said(metric([3, 1], [3, 1], trade_off=0.993), WORDS, almost_all)
    assert about_all.text == "The cost lies almost wholly in gaps between groups, not in mistakes as such."
    assert [(one.low, one.high) for one in about_all.states] == [(0.9899, 1.0)], "it says so much at least"
    assert not [one.text for one in others if "more of that mistake" in one.text]


def test_that_all_mistakes_count_about_alike_is_said_with_its_range() -> None:
    alike = replace(known(0.51, 0.46, 0.55, 0.7), trade_off=Ratio(0, 0, 0.5, 0.4, 0.6, 0.5))
    said = sentences(metric([1, 1], [3, 1], trade_off=0.5), WORDS, alike)
    assert "All kinds of mistake count about alike: between 0.81 and 1.2 times as much as a refusal." in said


def test_with_three_classes_the_range_holds_for_every_mistake_beside_the_one_that_counts_most() -> None:
    setting = Setting(["a", "b", "c"], ["women", "men"], [[0.5] * 3] * 2)
    one = FairMetric.from_weights(setting, misclassification=[1] * 6, violation=[[1] * 6], trade_off=0.5)
    exact = Ratios.exact(one)
    doubted = [replace(ratio, low=0.5 - 0.01 * at, high=0.5 + 0.008 * at) for at, ratio in enumerate(exact.mistakes, 1)]
    said = sentences(one, Words.spoken(setting), replace(exact, mistakes=tuple(doubted)))
    most = Words.spoken(setting).mistakes[doubted[0].one]
    # The widest share of the first is from 0.45 to 0.54, so that the other counts 0.46/0.54 to 0.55/0.45 times as much.
    assert f"All kinds of mistake count about alike: between 0.85 and 1.3 times as much as {most}." in said


def test_where_the_range_is_wide_only_its_nearer_end_is_said() -> None:
    both_count = Ratio(0, 0, 0.75, 0.7, 0.79, 1.0)
    wide = replace(known(0.9, 0.6, 0.99, 0.99), trade_off=both_count)
    said = sentences(metric([3, 1], [3, 1], trade_off=0.75), WORDS, wide)
    assert said[1] == "A refusal counts at least 1.5 times as much as a default."
    assert said[3].endswith("counts at least as much as 1.5 points more of that mistake for everybody.")
    wider = replace(known(0.9, 0.5, 0.99, 0.96), trade_off=both_count)
    said = sentences(metric([3, 1], [3, 1], trade_off=0.75), WORDS, wider)
    assert said[1] == "A refusal counts more than a default."


@pytest.mark.parametrize(
    ("low", "high", "mistakes", "gaps"),
    [
        (0.3, 0.7, True, True),
        (0.05, 0.92, False, False),
        (0.05, 0.7, True, False),
        (0.3, 0.92, False, True),
        (0.94, 0.96, True, True),  # little for mistakes, but that is known
        (0.04, 0.06, True, True),
    ],
)
def test_kinds_of_mistake_and_of_gaps_are_compared_only_where_it_is_clear_that_they_count(
    low: float, high: float, mistakes: bool, gaps: bool
) -> None:
    """Otherwise it is not the answers but what was believed before them that says which one counts more."""
    trade_off = Ratio(0, 0, (low + high) / 2, low, high, float(low > 0.5))
    ratios = replace(known(0.7, 0.585, 0.798, 0.99), trade_off=trade_off)
    said = sentences(metric([3, 1], [3, 1], trade_off=0.5), WORDS, ratios)
    for told, (one, other) in ((mistakes, ("a refusal", "a default")), (gaps, PHRASES)):
        compared = f"{capitalised(one)} counts about 2.3 times as much as {other}, {ENDS} times."
        unknown = f"The answers do not tell which of {one} and {other} counts more."
        assert (compared in said, unknown in said) == (told, not told)
    if not (mistakes and gaps):
        assert not ratios.known


@pytest.mark.parametrize(("chosen", "ending"), [(True, "; none of this was needed to choose."), (False, ".")])
def test_what_is_not_known_is_said_to_be_unknown(chosen: bool, ending: str) -> None:
    said = sentences(metric([3, 1], [3, 1], trade_off=0.75), WORDS, known(0.7, 0.2, 0.95, 0.8), chosen=chosen)
    assert said == [
        "The answers do not tell which of mistakes and gaps between groups count more.",
        "The answers do not tell which of a refusal and a default counts more.",
        f"The answers do not tell which of {PHRASES[0]} and {PHRASES[1]} counts more{ending}",
    ]


def test_a_sentence_keeps_what_it_states_and_one_about_what_is_unknown_states_nothing() -> None:
    one = metric([3, 1], [3, 1], trade_off=0.75)
    ranges = [stated for sentence in said(one, WORDS, known(0.7, 0.585, 0.798, 0.99)) for stated in sentence.states]
    assert {(stated.low, stated.high) for stated in ranges} == {(0.585, 0.798)}
    assert [stated.order for stated in ranges] == ["more"] * 3 + [None] * 2
    unknown = said(one, WORDS, known(0.7, 0.2, 0.95, 0.8))
    assert [sentence.states for sentence in unknown] == [()] * 3


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


def test_a_phrase_is_made_once_however_many_groups_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[int, int]] = []
    phrase = Gaps.phrase

    def counted(form: Gaps, row: int, column: int, words: Words) -> str:
        made.append((row, column))
        return phrase(form, row, column, words)

    monkeypatch.setattr(Gaps, "phrase", counted)
    one = FairMetric.random(Setting.random(2, 12, random_state=0), 0)
    one.describe()
    assert len(made) <= one.violation.size
