"""The pages as documents: where addresses lead, that names cannot become markup, and what the files hold."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from xml.etree import ElementTree as ET

import httpx2
import pytest
from tests.web.served import Served
from tests.web.studies import study_of

from evenhand.metric import FairMetric
from evenhand.metric.sentences import CAVEAT
from evenhand.rates import GroupRates
from evenhand.report.reliability import HEADINGS, steadiness
from evenhand.study.demo.demo import demo_study
from evenhand.study.log.tables import head_of
from evenhand.study.refusals import UnreachableError
from evenhand.study.study import CONSENT, Study
from evenhand.wording.phrases import Phrases

HOSTILE = "<script>alert('x')</script>\"&"


@pytest.fixture(scope="module")
def client(served: Served) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=served.address, timeout=60) as client:
        yield client


def hostile_study() -> Study:
    """A study whose words are hostile."""
    study = study_of(2, 3)
    words = Phrases(
        groups={group: f"{HOSTILE} {group}" for group in study.setting.groups},
        classes=dict.fromkeys(study.setting.classes, f"who {HOSTILE}"),
        mistakes=dict.fromkeys(study.setting.mistakes, f"are {HOSTILE}"),
    )
    candidates = dict(zip((HOSTILE, "=1+1", *"cdef"), study.candidates.values(), strict=True))
    return replace(
        study,
        slug="hostile",
        title=HOSTILE,
        introduction=HOSTILE,
        consent=HOSTILE,
        words=words,
        candidates=candidates,
    )


@pytest.fixture(scope="module")
def finished(client: httpx2.Client, served: Served) -> str:
    """The address of an interview by which something may be decided."""
    study = replace(hostile_study(), slug="decided", options={})
    served.store.put_study(study)
    truth = FairMetric.random(study.setting, 0)
    address: str = client.post("/decided").headers["location"]
    token = address.removeprefix("/i/")
    while (question := served.store.interview(token).question) is not None:
        better = "first" if truth.cost(question.a) < truth.cost(question.b) else "second"
        served.store.answer(token, question.n, better)
    finding = served.store.interview(token).finding
    assert finding is not None
    assert finding.verdict.decided
    return address


@pytest.fixture(scope="module")
def undecided(client: httpx2.Client, served: Served) -> str:
    """The address of an interview that is done, but by which nothing should be decided."""
    study = hostile_study()
    served.store.put_study(study)
    address: str = client.post("/hostile").headers["location"]
    for n in range(1, (study.method.most_questions or 0) + 1):
        reply = client.post(f"{address}/answers/{n}", data={"choice": "first", "why": HOSTILE})
        assert (reply.status_code, reply.headers["location"]) == (303, address)
    return address


def test_the_front_page_leads_to_the_only_study_and_lists_several(
    client: httpx2.Client, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 'href="/demo"' in client.get("/").text
    assert 'href="/g2-c2"' in client.get("/").text
    for studies, status in (({}, 200), ({"demo": demo_study()}, 303)):
        monkeypatch.setattr(type(served.store), "studies", lambda _, studies=studies: studies)
        assert client.get("/").status_code == status
    assert client.get("/").headers["location"] == "/demo"


def test_to_look_at_a_study_changes_nothing_and_the_button_begins(client: httpx2.Client, served: Served) -> None:
    def rows() -> int:
        with served.store.database.reading() as connection:
            return head_of(connection).place

    before = rows()
    page = client.get("/g2-c2").text
    for said in ("Who gets which care?", "Which mistakes are worse?", *CONSENT.split("\n\n"), "By beginning you agree"):
        assert said in unescape(page)
    assert re.search(r'<form method="post" action="/g2-c2"[^>]*>[^/]*/p>\s*<button class="begin">Begin</button>', page)
    client.head("/g2-c2")
    assert rows() == before
    begun = client.post("/g2-c2")
    assert begun.status_code == 303
    assert client.get(begun.headers["location"]).status_code == 200
    assert rows() > before
    assert client.post("/nothing-here").status_code == 404


def test_names_cannot_become_markup_and_nothing_is_inline(
    client: httpx2.Client, served: Served, finished: str, undecided: str
) -> None:
    token = undecided.removeprefix("/i/")
    store = served.store
    pages = [
        client.get(finished).text,
        client.get(undecided).text,
        client.get("/hostile").text,
        client.get(client.post("/hostile").headers["location"]).text,
    ]
    pages.append(client.post(f"{undecided}/answers/1", data={"choice": "second"}).text)
    assert store.interview(token).answers[0].why == HOSTILE
    for page in pages:
        assert "<script>alert" not in page
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?! src=\"/static/)", page)
    assert "&lt;script&gt;alert" in pages[0]


def test_an_answer_that_is_none_is_refused_in_words(client: httpx2.Client, served: Served) -> None:
    store = served.store
    address = client.post("/g2-c2").headers["location"]
    for data in ({"choice": "maybe"}, {}, {"choice": "first", "revision": "x"}):
        reply = client.post(f"{address}/answers/1", data=data)
        assert reply.status_code == 422
        assert "<h1>" in reply.text
    assert client.post(f"{address}/answers/2", data={"choice": "first"}).status_code == 409
    assert client.get(f"{address}/result.json").status_code == 409
    assert store.interview(address.removeprefix("/i/")).answers == ()


def test_the_address_that_something_was_sent_to_leads_back_to_the_interview(client: httpx2.Client) -> None:
    address = client.post("/g2-c2").headers["location"]
    for sent in (f"{address}/answers/1", f"{address}/undo/1"):
        reply = client.get(sent)
        assert (reply.status_code, reply.headers["location"]) == (303, address)


def test_an_interview_that_cannot_be_shown_just_now_can_be_tried_again(
    client: httpx2.Client, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise UnreachableError("the database does not answer as it should")

    address = client.post("/g2-c2").headers["location"]
    monkeypatch.setattr(type(served.store), "interview", away)
    reply = client.get(address)
    assert reply.status_code == 503
    assert f'href="{address}">To your interview</a>' in reply.text


def test_undo_on_a_page_that_is_out_of_date_withdraws_no_later_answer(client: httpx2.Client, served: Served) -> None:
    address = client.post("/g2-c2").headers["location"]
    token = address.removeprefix("/i/")
    client.post(f"{address}/answers/1", data={"choice": "first"})
    seen = re.findall(r'name="revision" value="(\d+)"', client.get(address).text)
    client.post(f"{address}/undo/1", data={"revision": seen[0]})
    client.post(f"{address}/answers/1", data={"choice": "second"})
    late = client.post(f"{address}/undo/1", data={"revision": seen[0]})
    assert late.status_code == 409
    assert "out of date" in late.text
    assert [given.choice for given in served.store.interview(token).answers] == ["second"]


def test_skipped_questions_about_models_without_fault_still_have_a_result(
    client: httpx2.Client, served: Served
) -> None:
    study = study_of(2, 2)
    perfect = GroupRates.from_vector(study.setting, [[0.0, 0.0], [0.0, 0.0]])
    served.store.put_study(replace(study, slug="perfect", candidates={"one": perfect, "other": perfect}))
    address = client.post("/perfect").headers["location"]
    for n in range(1, (study.method.most_questions or 0) + 1):
        assert client.post(f"{address}/answers/{n}", data={"choice": "skip"}).status_code == 303
    page = client.get(address)
    assert page.status_code == 200
    assert "No question was answered" in page.text
    assert "After your" not in page.text
    assert "favour" not in page.text


def test_where_nothing_should_be_decided_the_page_leads_with_that_and_shows_no_favourite(
    client: httpx2.Client, served: Served, undecided: str
) -> None:
    interview = served.store.interview(undecided.removeprefix("/i/"))
    finding = interview.finding
    assert finding is not None
    assert not finding.verdict.decided
    page = unescape(client.get(undecided).text)
    heading = page.index(HEADINGS[finding.verdict.kind])
    assert heading < page.index(finding.verdict.reason) < page.index(finding.verdict.advice)
    for words in ("favour", "What counts for you", "best for you", "trade-off", "nearest metric", 'class="name"'):
        assert words not in page, words
    for kind, status in (("json", 200), ("csv", 409), ("svg", 409), ("png", 409)):
        assert client.get(f"{undecided}/result.{kind}").status_code == status
        assert (f"result.{kind}" in page) == (status == 200)


def test_the_same_probability_is_the_same_number_wherever_it_is_shown(client: httpx2.Client, finished: str) -> None:
    page = client.get(finished).text
    above = re.findall(r"as good as the best with (\d+)% probability", page)[-1]
    above = re.findall(r"Allowing for the small test set: (\d+)%", page)[-1:] or [above]
    (below,) = re.findall(r'class="best">.*?as good as the best with</span>(\d+)%', page, re.DOTALL)
    (above,) = above
    assert above == below


def test_a_result_page_says_the_sentences_of_the_other_places(
    client: httpx2.Client, served: Served, finished: str
) -> None:
    finding = served.store.interview(finished.removeprefix("/i/")).finding
    assert finding is not None
    page = " ".join(unescape(client.get(finished).text).split())
    for sentence in (*steadiness(finding.reliability), *finding.warnings, CAVEAT):
        assert sentence in page


def test_unknown_addresses_have_a_page(client: httpx2.Client, served: Served) -> None:
    for address in (
        "/no-such-study",
        "/i/no-such-token",
        "/i/no-such-token/result.json",
        "/i/a/b/c",
        "/static/none.css",
    ):
        reply = client.get(address)
        assert reply.status_code == 404
        assert "<h1>" in reply.text


def test_the_json_file_holds_the_metric_and_every_answer(client: httpx2.Client, served: Served, finished: str) -> None:
    document = json.loads(client.get(f"{finished}/result.json").text)
    store = served.store
    interview = store.interview(finished.removeprefix("/i/"))
    assert interview.finding is not None
    assert FairMetric.from_json(json.dumps(document["finding"]["metric"])) == interview.finding.metric
    assert document["finding"]["choice"]["best"] == interview.finding.best
    assert [answer["choice"] for answer in document["answers"]] == [given.choice for given in interview.answers]
    assert document["answers"][0]["question"]["first"] == interview.answers[0].asked.first.tolist()


def test_the_csv_file_is_the_ranking_and_no_name_is_a_formula(
    client: httpx2.Client, served: Served, finished: str
) -> None:
    rows = list(csv.DictReader(io.StringIO(client.get(f"{finished}/result.csv").text)))
    assert [row["place"] for row in rows] == list("123456")
    assert {row["model"] for row in rows} == {HOSTILE, "'=1+1", *"cdef"}
    for row in rows:
        assert float(row["cost"]) == pytest.approx(
            float(row["cost_of_mistakes"]) + float(row["cost_of_violation"]), abs=2e-6
        )


def test_the_pictures_are_pictures(client: httpx2.Client, served: Served, finished: str) -> None:
    svg = client.get(f"{finished}/result.svg")
    assert ET.fromstring(svg.text).tag.endswith("svg")  # noqa: S314  # our own
    assert svg.headers["content-disposition"] == 'attachment; filename="evenhand-decided.svg"'
    assert client.get(f"{finished}/result.png").content.startswith(b"\x89PNG")
    assert client.get(f"{finished}/result.pdf").status_code == 422
