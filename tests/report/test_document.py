"""A report is one page that needs nothing else, and says what it cannot say."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from importlib.metadata import version

import numpy as np
import pytest
from tests.elicitation.test_misfit import PEOPLE, SETTING, answered, parity
from tests.ranking.test_rank import models

from evenhand import SKIP, EvenhandError, FairMetric, GroupRates, Question, Setting, SimulatedOracle, elicit
from evenhand.report.document import report

METRIC = FairMetric.random(SETTING, 0)
EVIL = "</style><script>alert(1)</script>"


class Page(HTMLParser):
    """Collects what a page loads, what it runs, and what a person reads."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.addresses: set[str] = set()
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.addresses |= {value or "" for name, value in attrs if name in {"src", "href", "xlink:href", "srcset"}}

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_report_on_an_adaptive_interview_has_everything() -> None:
    candidates = models(SETTING, 4, 0, people=200)
    elicited = elicit(
        SimulatedOracle(METRIC),
        SETTING,
        method="adaptive",
        candidates=candidates,
        stop="budget",
        max_questions=30,
        random_state=0,
    )
    made = report(elicited, candidates=candidates, title=f"Loans {EVIL}", respondent="a clinician", when="in May")
    page = Page(made.html())
    assert "script" not in page.tags
    assert page.addresses == set()
    assert f"Loans {EVIL}" in page.text
    assert set(made.charts) == {"weights", "ranking", "nearest"}
    for words in (
        "the trade-off is about",
        "how well they are known",
        "Each line is where the value lies with 90% probability",
        "The candidates, the best first",
        "95% by sampling",
        "p(1st)",
        "The nearest metric with a name is",
        "Among these models, it is ",
        "of 30 answers could be predicted",
        "came again",
        "The answers make “model ",
        "All 30 answers",
        "(predicted with ",
        "It does not certify,",
        *elicited.warnings,
    ):
        assert words in page.text, words


def test_a_bare_metric_has_a_report_too() -> None:
    page = Page(report(METRIC).html())
    assert "The metric in words" in page.text
    assert "What this cannot say" in page.text
    assert "The answers behind it" not in page.text
    assert "The candidates" not in page.text
    assert not re.search(r"\b(None|nan)\b", page.text)


def test_answers_that_follow_another_rule_are_said_to() -> None:
    history = answered(parity)
    candidates = {"a": GroupRates(setting=SETTING, matrix=np.full((2, 2, 2), 0.5), sizes=PEOPLE)}
    page = Page(report(METRIC, history=history, candidates=candidates).html())
    assert "The answers follow another rule" in page.text
    assert "the rule “the smaller the gap in how often each class is predicted" in page.text
    assert "(it agrees with 40 of 40 answers)" in page.text
    for words in ("The metric in words", "The weights", "in this metric’s order", "Recommended"):
        assert words not in page.text, words
    assert "What each model does to each group" in page.text


def test_a_report_opens_with_the_recommendation_how_sure_it_is_who_was_asked_when_and_which_version() -> None:
    candidates = models(SETTING, 4, 0, people=200)
    elicited = elicit(SimulatedOracle(METRIC), candidates=candidates, random_state=0)
    text = " ".join(
        Page(report(elicited, candidates=candidates, respondent="a clinician", when="in May").html()).text.split()
    )
    assert elicited.choice is not None
    assert elicited.ended is not None
    opening = (
        f"Favoured, on a small test set: {elicited.best}",
        *elicited.choice.sentences(),
        elicited.ended,
        "Who was asked a clinician",
        "When in May",
        f"Questions {elicited.questions}, by the method “adaptive”",
        f"Written by evenhand {version('evenhand')}",
        "What each model does to each group",
        "The metric in words",
        "The candidates, in this metric’s order",
    )
    places = [text.index(words) for words in opening]
    assert places == sorted(places)


def test_what_each_model_does_to_each_group_is_told_beside_what_takes_no_model() -> None:
    candidates = models(SETTING, 2, 0)
    (one, other) = report(METRIC, candidates=candidates).rates_tables
    assert one.heading == "Of 100 who are “no”, wrongly predicted “yes”"
    assert one.heads == ("women", "men", "gap")
    assert [(name, quiet) for name, _, quiet in other.rows[2:]] == [
        ("“no” for everybody", True),
        ("“yes” for everybody", True),
        ("a coin", True),
    ]
    assert [numbers for _, numbers, _ in other.rows[2:]] == [("100", "100", "0"), ("0", "0", "0"), ("50", "50", "0")]


def test_a_report_says_which_models_do_not_beat_what_takes_no_model() -> None:
    wrong = GroupRates(setting=SETTING, matrix=np.array([[[0.2, 0.8], [0.8, 0.2]]] * 2))
    page = Page(report(METRIC, candidates={"bad": wrong}).html())
    assert "No model clearly costs less than" in page.text
    assert "which takes no model" in page.text


def test_undecided_and_skipped_answers_are_shown_as_such_and_long_interviews_are_cut_openly() -> None:
    (question, _), *_ = answered(parity)
    page = Page(report(METRIC, history=[(question, None), (question, SKIP), (question, True)]).html())
    for words in ("1. can’t tell", "2. skipped", "3. A preferred"):
        assert words in page.text
    page = Page(report(METRIC, history=[(question, False)] * 130).html())
    assert "All 130 answers (the first 100 are shown)" in page.text
    assert "100. B preferred" in page.text
    assert "101." not in page.text


def test_hostile_names_stay_names() -> None:
    setting = Setting([EVIL, "\x1b[2J"], ["a", EVIL], [[0.5, 0.5]] * 2)
    candidates = {EVIL: GroupRates.uniform(setting), "b": GroupRates.uniform(setting)}
    html = report(FairMetric.random(setting, 0), candidates=candidates, history=[(question_in(setting), True)]).html()
    assert "script" not in Page(html).tags
    assert "\x1b" not in html


def question_in(setting: Setting) -> Question:
    return Question(GroupRates.uniform(setting).vector, GroupRates.trivial(setting, setting.classes[0]).vector)


def test_what_cannot_be_reported_is_refused_before_it_is_drawn() -> None:
    with pytest.raises(EvenhandError, match="a report is about a FairMetric or what elicit returned"):
        report("metric.json")  # type: ignore[arg-type]
    with pytest.raises(EvenhandError, match="mistakes must map"):
        report(METRIC, mistakes={"x": "y"})
    with pytest.raises(EvenhandError, match="candidate 'a' was not measured"):
        report(METRIC, candidates={"a": GroupRates.uniform(Setting.random(2, 3, 0))})
    for candidates in ([GroupRates.uniform(METRIC.setting)], "a", 3):
        with pytest.raises(EvenhandError, match="candidates must map at least one name to GroupRates"):
            report(METRIC, candidates=candidates)  # type: ignore[arg-type]
    with pytest.raises(EvenhandError, match="an entry must be a Question and its answer"):
        report(METRIC, history=[1])  # type: ignore[list-item]
    with pytest.raises(EvenhandError, match="history must be a Sequence"):
        report(METRIC, history=3)  # type: ignore[arg-type]
    with pytest.raises(EvenhandError, match="path must be a str or PathLike"):
        report(METRIC).save(None)  # type: ignore[arg-type]
