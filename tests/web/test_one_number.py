"""One number for one thing: page, report, JSON and terminal say the same of the same finding."""

from __future__ import annotations

import io
import json
import re
from html import unescape

import httpx2
import pytest
from rich.console import Console
from tests.web.served import Served

from evenhand import Elicited, FairMetric, rank
from evenhand.elicitation.finding import Finding
from evenhand.report.document import report
from evenhand.report.terminal.guide import result
from evenhand.study.demo.demo import demo_study
from evenhand.study.interview import Interview
from evenhand.wording.numerals import percent


@pytest.fixture(scope="module")
def interview(served: Served) -> Interview:
    """The demo, taken by somebody who minds missed people most."""
    study, store = demo_study(), served.store
    truth = FairMetric.from_weights(study.setting, misclassification=[0.5, 1], violation=[[0.4, 1]], trade_off=0.3)
    token = store.begin("demo")
    while (question := store.interview(token).question) is not None:
        store.answer(token, question.n, "first" if truth.cost(question.a) < truth.cost(question.b) else "second")
    return store.interview(token)


@pytest.fixture(scope="module")
def texts(served: Served, interview: Interview) -> dict[str, str]:
    """What each place says of it, as a person reads it."""
    finding = interview.finding
    assert finding is not None
    with httpx2.Client(base_url=served.address, timeout=60) as client:
        page = client.get(f"/i/{interview.token}").text
    console = Console(file=io.StringIO(), width=100)
    console.print(result(finding, len(interview.answers)))
    assert isinstance(console.file, io.StringIO)
    html = report(finding, candidates=interview.study.candidates).html()
    return {
        "page": squeezed(re.sub(r"<[^>]*>", "", page)),
        "report": squeezed(re.sub(r"<[^>]*>", "", html)),
        "terminal": squeezed(console.file.getvalue()),
    }


def squeezed(text: str) -> str:
    return " ".join(unescape(text).split())


def found(interview: Interview) -> Finding:
    assert interview.finding is not None
    assert interview.finding.verdict.decided
    return interview.finding


def test_how_sure_the_best_is_is_the_same_everywhere(interview: Interview, texts: dict[str, str]) -> None:
    choice = found(interview).choice
    assert choice is not None
    assert choice.best_certainty is not None
    assert choice.tested_certainty is not None
    for text in texts.values():
        assert set(re.findall(r"as good as the best (?:of the \d+ models )?with (\d+%) probability", text)) == {
            percent(choice.best_certainty)
        }
        assert set(re.findall(r"small test set: (\d+%)", text)) == {percent(choice.tested_certainty)}
    ranking = rank(found(interview), interview.study.candidates)
    for row in ranking:
        assert f"{row.cost:.3f}" in texts["page"]
        assert f"{row.cost:.4f}" in texts["report"]
        assert percent(choice.probabilities[row.name]) in texts["page"]


def test_why_it_ended_the_order_and_the_nearest_metric_are_the_same(
    interview: Interview, texts: dict[str, str]
) -> None:
    finding = found(interview)
    assert finding.ended is not None
    assert finding.choice is not None
    assert finding.order is not None
    nearest = finding.describe().splitlines()[-2]
    for place, text in texts.items():
        assert finding.ended in text, place
        if place != "terminal":
            assert finding.order in text, place
            assert nearest in text, place
    assert found(interview).ranking == rank(finding, interview.study.candidates).names


def test_the_trade_off_and_its_ends_are_the_same(interview: Interview, texts: dict[str, str]) -> None:
    finding = found(interview)
    low, high = finding.intervals.trade_off.tolist() if finding.intervals else (0.0, 1.0)
    value = finding.metric.trade_off
    assert f"{value:.2f} {low:.2f} to {high:.2f}" in texts["page"]
    assert f"{value:.2f} {low:.2f}–{high:.2f}" in texts["terminal"]
    assert finding.uncertainty is not None
    assert finding.uncertainty.ratios is not None
    assert (finding.uncertainty.ratios.trade_off.low, finding.uncertainty.ratios.trade_off.high) == (low, high)
    for text in texts.values():
        for said in re.findall(r"the trade-off is about [\d.]+, between [\d.]+ and [\d.]+", text):
            assert said == f"the trade-off is about {value:.2f}, between {low:.2f} and {high:.2f}"


def test_how_consistent_the_answers_were_is_the_same(interview: Interview, texts: dict[str, str]) -> None:
    reliability = found(interview).reliability
    assert reliability is not None
    predicted = f"{reliability.expected} of {len(reliability.predictive)} answers could be predicted"
    for text in texts.values():
        assert predicted in text


def test_the_json_of_the_page_is_the_finding(served: Served, interview: Interview) -> None:
    with httpx2.Client(base_url=served.address, timeout=60) as client:
        document = json.loads(client.get(f"/i/{interview.token}/result.json").text)["finding"]
    choice = found(interview).choice
    assert choice is not None
    assert document["choice"]["best_certainty"] == choice.best_certainty
    assert document["choice"]["probabilities"] == choice.probabilities
    assert document["choice"]["ranking"] == list(rank(found(interview), interview.study.candidates).names)
    assert document["stopped_because"] == found(interview).stopped_because == "best"
    said = str(Elicited(**vars(found(interview)), method="adaptive", history=()))
    assert len(re.findall(r"as good as the best of the 21 models with \d+% probability", said)) == 1
