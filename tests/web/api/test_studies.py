"""The owner's part of the API: only the token opens it, and each name does what the owner's pages do."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from fastapi.testclient import TestClient
from tests.support.quick import QuickRunner, study
from tests.web.api.described import DescribedClient
from tests.web.api.test_interviews import error

from evenhand.study.demo.example_file import NAME, example_file
from evenhand.study.exchange import EXPORT_FORMAT, export_study, import_study
from evenhand.study.people import PEOPLE_FORMAT, People
from evenhand.study.store import Store
from evenhand.study.study import STUDY_FORMAT, Study
from evenhand.web.api.owner_schema import ExportDocument, PeopleDocument, StudyDocument
from evenhand.web.app import create_app
from evenhand.web.drafts import Drafts
from evenhand.web.owner import Owner

TOKEN = "a-token-of-twenty-characters"  # noqa: S105  # of these tests


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(f"sqlite:///{tmp_path}/store.db", runner=QuickRunner(3)) as store:
        yield store


@pytest.fixture
def stranger(store: Store, tmp_path: Path) -> TestClient:
    app = create_app(store, owner=Owner.of(TOKEN), drafts=Drafts(tmp_path / "drafts"))
    return DescribedClient(app, raise_server_exceptions=False)


@pytest.fixture
def owner(stranger: TestClient) -> TestClient:
    return DescribedClient(stranger.app, headers={"authorization": f"Bearer {TOKEN}"}, raise_server_exceptions=False)


def document(slug: str = "loans") -> dict[str, Any]:
    return study(slug).to_document()


@pytest.fixture
def loans(owner: TestClient) -> str:
    assert owner.post("/api/studies", json=document()).status_code == 201
    return "/api/studies/loans"


def finished(client: TestClient, token: str) -> None:
    for n in range(1, 4):
        assert client.put(f"/api/interviews/{token}/answers/{n}", json={"choice": "first"}).status_code == 200


def test_from_a_study_to_the_answers_of_invited_people(owner: TestClient, stranger: TestClient) -> None:
    made = owner.post("/api/studies", json=document())
    assert (made.status_code, made.json()) == (201, {"slug": "loans", "address": "/loans", "changed": True})
    assert owner.post("/api/studies", json=document()).json()["changed"] is False
    assert owner.get("/api/studies/loans").json() == document()
    invited = owner.post("/api/studies/loans/invitations", json={"count": 3, "label": "board"})
    assert invited.status_code == 201
    links = invited.json()["invitations"]
    assert [one["label"] for one in links] == ["board 1", "board 2", "board 3"]
    for one in links[:2]:
        assert stranger.get(one["address"]).status_code == 200
        assert stranger.post(one["address"], follow_redirects=False).headers["location"] == one["address"]
        finished(stranger, one["address"].removeprefix("/i/"))
    listed = owner.get("/api/studies/loans/invitations").json()["invitations"]
    assert [(one["id"], one["state"], one["answers"]) for one in listed] == [
        (links[0]["id"], "finished", 3),
        (links[1]["id"], "finished", 3),
        (links[2]["id"], "unopened", 0),
    ]
    assert not any(one["address"].removeprefix("/i/") in json.dumps(listed) for one in links)
    assert owner.delete(f"/api/studies/loans/invitations/{links[2]['id']}").status_code == 204
    assert stranger.post(links[2]["address"]).status_code == 410
    [progress] = owner.get("/api/studies").json()["studies"]
    assert {name: progress[name] for name in ("slug", "invited", "begun", "finished", "answers", "anyone")} == {
        "slug": "loans",
        "invited": 2,
        "begun": 2,
        "finished": 2,
        "answers": 6,
        "anyone": False,
    }


def test_the_export_is_what_import_reads_and_names_nobody(
    owner: TestClient, store: Store, loans: str, tmp_path: Path
) -> None:
    [link] = owner.post(f"{loans}/invitations", json={"label": "Ada Lovelace"}).json()["invitations"]
    owner.post(link["address"])
    finished(owner, link["address"].removeprefix("/i/"))
    reply = owner.get(f"{loans}/export")
    assert reply.text == export_study(store, "loans")
    assert "Ada" not in reply.text
    assert link["id"] not in reply.text
    assert reply.headers["content-disposition"] == 'attachment; filename="evenhand-loans.json"'
    with Store(f"sqlite:///{tmp_path}/other.db") as other:
        assert import_study(other, reply.text).answers == 3


def test_a_study_is_closed_and_opened_and_admits_anyone_or_invited_people(
    owner: TestClient, stranger: TestClient, loans: str
) -> None:
    def begin(client: TestClient) -> int:
        return client.post(f"{loans}/interviews").status_code

    assert begin(stranger) == begin(owner) == 201
    owner.post(f"{loans}/invitations", json={})
    assert (begin(stranger), begin(owner)) == (403, 201)
    assert owner.patch(loans, json={"anyone": True}).json()["anyone"] is True
    assert begin(stranger) == 201
    closed = owner.patch(loans, json={"closed": True}).json()
    assert (closed["closed"], closed["anyone"], closed["begun"]) == (True, True, 4)
    assert begin(stranger) == begin(owner) == 409
    assert owner.patch(loans, json={"anyone": False}).json()["closed"] is True
    assert owner.patch(loans, json={}).json()["anyone"] is False
    assert owner.patch(loans, json={"closed": False}).json()["closed"] is False
    assert begin(stranger) == 403
    error(owner.patch(loans, json={"closed": "yes"}), 422, "invalid")
    error(owner.patch("/api/studies/nowhere", json={}), 404, "unknown_study")


def test_an_open_link_admits_so_many(owner: TestClient, stranger: TestClient, loans: str) -> None:
    link = owner.post(f"{loans}/open-link", json={"places": 2, "label": "class", "expires": "2999-01-01T00:00:00Z"})
    assert link.status_code == 201
    codes = [stranger.post(link.json()["address"], follow_redirects=False).status_code for _ in range(3)]
    assert codes == [303, 303, 409]
    [listed] = owner.get(f"{loans}/invitations").json()["invitations"]
    assert (listed["personal"], listed["begun"], listed["expires"][:4]) == (False, 2, "2999")


def test_the_result_puts_people_side_by_side_and_names_nobody(owner: TestClient, store: Store, loans: str) -> None:
    assert owner.get(f"{loans}/result").json()["people"] == []
    for link in owner.post(f"{loans}/invitations", json={"count": 2, "label": "Ada"}).json()["invitations"]:
        owner.post(link["address"])
        finished(owner, link["address"].removeprefix("/i/"))
    reply = owner.get(f"{loans}/result")
    assert reply.json() == json.loads(json.dumps(People.of(store, "loans").to_document()))
    assert [person["number"] for part in ("people", "left_out") for person in reply.json()[part]] == [1, 2]
    assert "Ada" not in reply.text


def test_a_study_that_keeps_names_says_so_and_its_result_has_labels(
    owner: TestClient, stranger: TestClient, loans: str
) -> None:
    assert owner.get(loans).json()["names_kept"] is False
    assert owner.post("/api/studies", json=document() | {"names_kept": True}).json()["changed"]
    assert owner.get(loans).json()["names_kept"] is True
    [link] = owner.post(f"{loans}/invitations", json={"label": "Ada"}).json()["invitations"]
    stranger.post(link["address"], data={"names_told": "yes"})
    for token in (link["address"].removeprefix("/i/"), owner.post(f"{loans}/interviews").json()["token"]):
        finished(stranger, token)
    result = owner.get(f"{loans}/result").json()
    assert sorted(str(one["label"]) for one in (*result["people"], *result["left_out"])) == ["Ada", "None"]
    assert "Ada" not in owner.get(f"{loans}/export").text


def test_a_person_withdraws(owner: TestClient, stranger: TestClient, loans: str) -> None:
    token = stranger.post(f"{loans}/interviews").json()["token"]
    stranger.put(f"/api/interviews/{token}/answers/1", json={"choice": "first", "why": "personal"})
    for _ in range(2):
        gone = stranger.delete(f"/api/interviews/{token}")
        assert (gone.status_code, gone.content) == (204, b"")
    error(stranger.get(f"/api/interviews/{token}"), 410, "withdrawn")
    error(stranger.put(f"/api/interviews/{token}/answers/2", json={"choice": "first"}), 410, "withdrawn")
    error(stranger.delete(f"/api/interviews/{token}/answers/1"), 410, "withdrawn")
    error(stranger.delete("/api/interviews/unknown"), 404, "unknown_interview")
    assert "personal" not in owner.get(f"{loans}/export").text


CLOSED_TO_OTHERS = [
    ("GET", "/api/studies"),
    ("POST", "/api/studies"),
    ("POST", "/api/studies/draft"),
    ("GET", "/api/studies/loans"),
    ("PATCH", "/api/studies/loans"),
    ("GET", "/api/studies/loans/invitations"),
    ("POST", "/api/studies/loans/invitations"),
    ("DELETE", "/api/studies/loans/invitations/1"),
    ("POST", "/api/studies/loans/open-link"),
    ("GET", "/api/studies/loans/result"),
    ("GET", "/api/studies/loans/export"),
]


@pytest.mark.parametrize(("method", "path"), CLOSED_TO_OTHERS)
@pytest.mark.parametrize(
    "authorization", [None, "", "Bearer", f"Bearer {TOKEN}x", f"Basic {TOKEN}", f"Bearer {TOKEN[:-1]}"]
)
def test_without_the_token_nothing_of_the_owner_is_told_or_changed(
    stranger: TestClient, store: Store, loans: str, method: str, path: str, authorization: str | None
) -> None:
    headers = {} if authorization is None else {"authorization": authorization}
    refused = stranger.request(method, path, headers=headers, json=document("stolen") if method == "POST" else None)
    error(refused, 401, "not_signed_in")
    assert refused.headers["www-authenticate"] == "Bearer"
    assert "loans" not in refused.text
    assert list(store.studies()) == ["loans"]


def test_every_address_of_the_owner_is_among_those_that_are_tested(owner: TestClient) -> None:
    paths = owner.get("/api/openapi.json").json()["paths"]
    described = {
        (method.upper(), path.replace("{slug}", "loans").replace("{invitation}", "1"))
        for path, operations in paths.items()
        if path.startswith("/api/studies") and not path.endswith("/interviews")
        for method in operations
    }
    assert described == set(CLOSED_TO_OTHERS)


def test_the_cookie_of_the_owner_opens_no_address_of_the_api(stranger: TestClient, loans: str) -> None:
    stranger.cookies.set("evenhand-owner", Owner.of(TOKEN).cookie())
    error(stranger.get("/api/studies"), 401, "not_signed_in")


def test_a_wrong_token_can_be_tried_only_so_often(stranger: TestClient, owner: TestClient) -> None:
    wrong = {"authorization": "Bearer wrong"}
    statuses = [stranger.get("/api/studies", headers=wrong).status_code for _ in range(12)]
    assert statuses == [401] * 10 + [429] * 2
    refused = owner.get("/api/studies")
    error(refused, 429, "too_many_tries")
    assert 1 <= int(refused.headers["retry-after"]) <= 60


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"slug": "No Slug"}, "slug must be"),
        ({"slug": "api"}, "taken by the web app"),
        ({"slug": "../etc"}, "slug must be"),
        ({"title": ""}, "title is empty"),
        ({"title": "nul \x00"}, "cannot be shown"),
        ({"title": "\u202eevil"}, "cannot be shown"),
        ({"population": [[1, 2]]}, "population"),
        ({"candidates": []}, ""),
        ({"method": {"name": "nothing"}}, "nothing"),
        ({"more": 1}, "more"),
        ({"names_kept": "yes"}, "names_kept"),
        ({"version": 2}, "version"),
        ({"setting": {"classes": ["a"], "groups": ["b"], "prevalence": [[1]]}}, ""),
    ],
)
def test_what_is_no_study_is_refused_in_words_and_not_kept(
    owner: TestClient, store: Store, change: dict[str, Any], words: str
) -> None:
    refused = owner.post("/api/studies", json=document() | change)
    assert words in error(refused, 422, "invalid")["message"]
    assert not store.studies()


def drafted(owner: TestClient, content: str | None = None, name: str = NAME, **fields: Any) -> Any:
    chosen = {"label": "repaid", "group": "sex", "model": "model_*"} | fields
    return owner.post("/api/studies/draft", files={"file": (name, content or example_file())}, data=chosen)


def test_a_file_becomes_a_study_that_can_be_published(owner: TestClient, store: Store, tmp_path: Path) -> None:
    made = drafted(owner)
    assert made.status_code == 200
    table = pl.read_csv(io.StringIO(example_file()))
    same = Study.from_table(table, label="repaid", prediction="model_*", group="sex", slug="loans-example")
    assert made.json() == same.to_document()
    assert not store.studies()
    assert list((tmp_path / "drafts").iterdir()) == []
    assert owner.post("/api/studies", json=made.json() | {"title": "Who gets a loan?"}).status_code == 201
    assert list(store.studies()) == ["loans-example"]
    both = drafted(owner, group=["sex", "age"], model=["model_plain", "model_cautious"]).json()
    assert both["setting"]["groups"][0] == "f & 30 or over"
    assert [one["name"] for one in both["candidates"]] == ["model_plain", "model_cautious"]


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"label": "paid"}, "loans-example.csv: the table has no column 'paid', given as label"),
        ({"model": "model_plain"}, "a study needs at least two models to choose from"),
        ({"model": []}, "model"),
        ({"name": "loans.docx"}, "'loans.docx' is not a file that can be read"),
        ({"name": "../../loans.csv", "content": "a\n1\n"}, "loans.csv has fewer columns than a study needs ('a')"),
        ({"content": example_file().replace("f,30", "\0,30")}, "has a byte that is zero"),
    ],
)
def test_a_file_that_is_no_study_is_refused_in_words_and_not_kept(
    owner: TestClient, tmp_path: Path, sent: dict[str, Any], told: str
) -> None:
    refused = error(drafted(owner, **sent), 422, "invalid")["message"]
    assert told in refused
    assert str(tmp_path) not in refused
    assert list((tmp_path / "drafts").glob("*")) == []


def test_a_broken_form_is_not_called_json(owner: TestClient) -> None:
    headers = {"content-type": "multipart/form-data; boundary=b"}
    refused = error(owner.post("/api/studies/draft", content=b"x", headers=headers), 400, "bad_request")
    assert refused["message"] == "What was sent cannot be read."


def test_markup_and_formulas_are_names_like_others(owner: TestClient) -> None:
    hostile = document() | {"title": "<script>alert(1)</script>=1+1"}
    assert owner.post("/api/studies", json=hostile).status_code == 201
    assert owner.get("/api/studies").json()["studies"][0]["title"] == hostile["title"]


NO_INVITATIONS: list[Any] = [
    *({"count": 0}, {"count": 1001}, {"count": "3"}, {"count": True}, {"label": ""}, {"label": 3}, {"more": 1}),
    *({"expires": "yesterday"}, {"expires": "2020-01-01T00:00:00Z"}, {"expires": "2999-01-01T00:00:00"}, [], None),
    *({"expires": "9999-12-31T23:59:59-23:00"}, {"expires": "0001-01-01T00:00:00+14:00"}),
]


@pytest.mark.parametrize("body", NO_INVITATIONS)
def test_what_is_no_invitation_is_refused(owner: TestClient, loans: str, body: Any) -> None:
    refused = error(owner.post(f"{loans}/invitations", json=body), 422, "invalid")
    assert "answer" not in refused["hint"]
    assert not owner.get(f"{loans}/invitations").json()["invitations"]


def test_what_is_not_there_is_an_error_of_the_one_shape(owner: TestClient, loans: str) -> None:
    for path in ("", "/invitations", "/result", "/export"):
        error(owner.get(f"/api/studies/nowhere{path}"), 404, "unknown_study")
    for path in ("/invitations", "/open-link"):
        error(
            owner.post(f"/api/studies/nowhere{path}", json={"places": 1} if "open" in path else {}),
            404,
            "unknown_study",
        )
    for identity in ("1", "%00", "..%2f", "' OR 1=1", "x" * 500):
        assert owner.delete(f"{loans}/invitations/{identity}").status_code == 404
    error(owner.put(loans, json={}), 405, "method_not_allowed")


def test_documents_are_described_as_they_are_stored() -> None:
    assert tuple(StudyDocument.model_fields) == ("format", "version", *STUDY_FORMAT.fields)
    assert tuple(PeopleDocument.model_fields) == ("format", "version", *PEOPLE_FORMAT.fields)
    assert tuple(ExportDocument.model_fields) == ("format", "version", *EXPORT_FORMAT.fields)
    assert StudyDocument(**study().to_document()).model_dump() == study().to_document()
    assert Study.from_json(StudyDocument(**study().to_document()).model_dump_json()).to_json() == study().to_json()
