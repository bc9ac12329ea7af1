"""What an interview asked and found comes back from its document exactly, and from no other."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand import EvenhandError, FairMetric, Question, Setting
from evenhand.elicitation.codec import finding_document, read_finding
from evenhand.elicitation.finding import (
    VERDICTS,
    Choice,
    Finding,
    Intervals,
    OtherRule,
    Reliability,
    Uncertainty,
    Verdict,
)
from evenhand.elicitation.question import SKIP
from evenhand.metric.ratios import Ratio, Ratios
from evenhand.study.question_codec import question_document, read_question
from evenhand.study.shown_question import ShownQuestion

probabilities = st.floats(0, 1)
maybe = st.none() | probabilities
texts = st.text(
    st.characters(
        exclude_categories=("Cc", "Cs"), exclude_characters="\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    )
)
names = texts.filter(bool)
seeds = st.integers(0, 2**32 - 1)


def ratio(ones: int, others: int) -> st.SearchStrategy[Ratio]:
    return st.builds(
        Ratio,
        one=st.integers(0, ones - 1),
        other=st.integers(0, others - 1),
        share=probabilities,
        low=probabilities,
        high=probabilities,
        probability=probabilities,
    )


def ratios(metric: FairMetric) -> st.SearchStrategy[Ratios]:
    def some(ones: int, others: int) -> st.SearchStrategy[tuple[Ratio, ...]]:
        return st.lists(ratio(ones, others), max_size=2).map(tuple)

    mistakes, violation = metric.misclassification.size, metric.violation.size
    return st.builds(
        Ratios,
        mistakes=some(mistakes, mistakes),
        violation=some(violation, violation),
        in_mistakes=some(violation, mistakes),
        trade_off=ratio(1, 1),
    )


@st.composite
def findings(draw: st.DrawFn) -> Finding:
    setting = Setting.random(draw(st.integers(2, 3)), draw(st.integers(2, 3)), draw(seeds))
    rng = np.random.default_rng(draw(seeds))
    metric = FairMetric.random(setting, rng)
    ends = Intervals(
        *(
            np.sort(rng.random((*np.shape(w), 2)))
            for w in (metric.misclassification, metric.violation, metric.trade_off)
        )
    )
    return Finding(
        metric=metric,
        verdict=draw(st.builds(Verdict, kind=st.sampled_from(VERDICTS), reason=texts, advice=texts)),
        warnings=tuple(draw(st.lists(texts, max_size=2))),
        stopped_because=draw(st.none() | st.sampled_from(["best", "budget"])),
        uncertainty=draw(
            st.none()
            | st.builds(Uncertainty, level=probabilities, intervals=st.just(ends), ratios=st.none() | ratios(metric))
        ),
        choice=draw(st.none() | choices()),
        reliability=draw(
            st.none()
            | st.builds(
                Reliability,
                attending=probabilities,
                lapse_rate=probabilities,
                lapse_interval=st.tuples(probabilities, probabilities).map(lambda ends: (min(ends), max(ends))),
                predictive=st.lists(probabilities, max_size=3).map(tuple),
                misfit=st.floats(0, 1e9),
                other_rule=st.none() | st.builds(OtherRule, names, st.none() | st.integers(0, 9), st.integers(0, 9)),
                consistency=maybe,
                repeats=st.integers(0, 9),
            )
        ),
    )


@st.composite
def choices(draw: st.DrawFn) -> Choice:
    candidates = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    some = st.sampled_from([candidates, []])
    return Choice(
        best=draw(st.sampled_from(candidates)),
        best_certainty=draw(maybe),
        probabilities={name: draw(probabilities) for name in draw(some)},
        ranking=tuple(draw(some.flatmap(st.permutations))),
        ranking_certainty=draw(maybe),
    )


@st.composite
def questions(draw: st.DrawFn) -> ShownQuestion:
    setting = Setting.random(draw(st.integers(2, 3)), draw(st.integers(2, 3)), draw(seeds))
    q = len(setting.mistakes)
    profiles = np.random.default_rng(draw(seeds)).dirichlet(np.ones(3), size=(2, *setting.tau.shape))[..., 0]
    profiles /= max(1, q / 2)
    left, undecided = draw(st.none() | st.integers(1, 99)), draw(st.booleans())
    question = Question(profiles[0], profiles[1], draw(texts), undecided=undecided, left=left)
    return ShownQuestion.of(question, draw(st.integers(1, 99)), setting, swapped=draw(st.booleans()))


def through_json(document: dict[str, Any]) -> Any:
    return json.loads(json.dumps(document, allow_nan=False))


@given(findings())
def test_a_finding_comes_back_exactly(finding: Finding) -> None:
    read = read_finding(through_json(finding_document(finding)), finding.metric.setting)
    for name in ("metric", "verdict", "warnings", "stopped_because", "choice", "reliability"):
        assert getattr(read, name) == getattr(finding, name)
    if finding.uncertainty is None:
        assert read.uncertainty is None
    else:
        assert read.uncertainty is not None
        assert read.uncertainty.level == finding.uncertainty.level
        assert read.uncertainty.ratios == finding.uncertainty.ratios
        for name in ("misclassification", "violation", "trade_off"):
            assert np.array_equal(*(getattr(one.uncertainty.intervals, name) for one in (read, finding)))  # type: ignore[union-attr]
    assert finding_document(read) == finding_document(finding)


@given(questions())
def test_a_shown_question_comes_back_exactly(question: ShownQuestion) -> None:
    read = read_question(through_json(question_document(question)), question.setting)
    assert question_document(read) == question_document(question)
    assert (read.a, read.b) == (question.a, question.b)
    assert read.question.same_models(question.question)


@given(questions())
def test_sides_that_were_swapped_are_what_the_method_asked_once_more(question: ShownQuestion) -> None:
    first = question.question.first
    assert np.array_equal(first, question.second if question.swapped else question.first)
    assert question.as_asked(True) is (not question.swapped)
    assert question.as_asked(False) is question.swapped
    assert question.as_asked(None) is None
    assert question.as_asked(SKIP) is SKIP


def document_of(one: Finding | ShownQuestion) -> dict[str, Any]:
    return finding_document(one) if isinstance(one, Finding) else question_document(one)


def again(one: Finding | ShownQuestion, document: Any) -> Finding | ShownQuestion:
    if isinstance(one, Finding):
        return read_finding(document, one.metric.setting)
    return read_question(document, one.setting)


def fields(document: Any) -> list[tuple[str, ...]]:
    """Return where each field of a document is, but for those of the metric, which has a format of its own."""
    here = [(name,) for name in document if name not in {"format", "version"}]
    parts = ("verdict", "uncertainty", "choice", "reliability", "decimals", "intervals")
    return here + [(name, *inner) for name in parts if document.get(name) for inner in fields(document[name])]


def holding(document: Any, place: tuple[str, ...]) -> Any:
    for name in place[:-1]:
        document = document[name]
    return document


@given(findings() | questions(), st.data())
def test_a_document_that_lacks_a_field_or_has_another_is_refused(
    one: Finding | ShownQuestion, data: st.DataObject
) -> None:
    document = through_json(document_of(one))
    place = data.draw(st.sampled_from(fields(document)))
    if place[-2:-1] == ("probabilities",):
        return
    value = holding(document, place).pop(place[-1])
    if data.draw(st.booleans()):
        holding(document, place)[f"{place[-1]}_later"] = value
    with pytest.raises(EvenhandError, match=place[-1]):
        again(one, document)


@given(findings() | questions(), st.data())
def test_whatever_stands_in_a_field_is_read_or_refused_in_words(
    one: Finding | ShownQuestion, data: st.DataObject
) -> None:
    document = through_json(document_of(one))
    place = data.draw(st.sampled_from(fields(document)))
    odd: list[Any] = [None, True, -2, 7, 16, 10**400, "", "x", "\ud800", "\u202e", [], [[None]], ["x", 3], {"a": 1}]
    holding(document, place)[place[-1]] = data.draw(st.sampled_from(odd))
    try:
        through_json(document_of(again(one, document)))
    except EvenhandError:
        return
