"""The JSON API: its names, its replies, and one shape for all errors."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from fastapi.testclient import TestClient
from pydantic import BaseModel
from sqlalchemy import text
from tests.support.quick import SETTING, QuickRunner, study
from tests.web.api.described import DescribedClient

from evenhand.checks.documents import Format
from evenhand.elicitation.codec import FINDING_FORMAT
from evenhand.metric.fair_metric import METRIC_FORMAT
from evenhand.study.question_codec import QUESTION_FORMAT
from evenhand.study.store import Store
from evenhand.web.api import schema
from evenhand.web.app import create_app

QUESTIONS = 3


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(f"sqlite:///{tmp_path}/store.db", runner=QuickRunner(QUESTIONS)) as store:
        store.put_study(study())
        yield store


@pytest.fixture
def client(store: Store) -> TestClient:
    return DescribedClient(create_app(store), raise_server_exceptions=False)


@pytest.fixture
def interview(client: TestClient) -> str:
    begun = client.post("/api/studies/loans/interviews")
    assert begun.status_code == 201
    assert begun.json()["address"] == f"/i/{begun.json()['token']}"
    return f"/api/interviews/{begun.json()['token']}"


def error(response: Any, status: int, code: str) -> dict[str, str]:
    """Check the one shape of errors, and return what it says."""
    assert (response.status_code, response.headers["content-type"]) == (status, "application/json"), response.text
    told: dict[str, str] = response.json()["error"]
    assert set(told) == {"code", "message", "hint"}
    assert told["code"] == code
    assert told["message"]
    assert told["hint"]
    return told


def test_an_interview_by_the_api_from_question_to_result(client: TestClient, interview: str) -> None:
    state = client.get(interview).json()
    assert (state["answered"], state["done"], state["about_left"], state["result"]) == (0, False, QUESTIONS, None)
    for n in range(1, QUESTIONS + 1):
        question = state["question"]
        assert (question["n"], question["out_of"], question["decimals"]) == (n, 100, {"people": 0, "differences": 0})
        for side in ("first", "second"):
            assert np.array_equal(np.shape(question[side]), SETTING.tau.shape)
        reply = client.put(f"{interview}/answers/{n}", json={"choice": "first", "why": "fair"})
        assert reply.status_code == 200
        state = reply.json()
        assert client.get(interview).json() == state
    assert (state["answered"], state["done"], state["about_left"], state["question"]) == (QUESTIONS, True, 0, None)
    assert state["result"]["choice"]["best"] in study().candidates
    assert state["result"]["metric"]["format"] == "evenhand.metric"
    assert state["answers"][0] | {"time": ""} == {"n": 1, "choice": "first", "why": "fair", "time": ""}


def test_answers_can_be_undone(client: TestClient, interview: str) -> None:
    before = client.get(interview).json()
    client.put(f"{interview}/answers/1", json={"choice": "second"})
    for _ in range(2):
        undone = client.delete(f"{interview}/answers/1")
        assert undone.status_code == 200
        assert undone.json() | {"revision": 0} == before | {"revision": 0}
    error(client.delete(f"{interview}/answers/2"), 409, "out_of_order")


def test_another_answer_is_refused_with_what_is_stored(client: TestClient, interview: str) -> None:
    client.put(f"{interview}/answers/1", json={"choice": "second"})
    refused = client.put(f"{interview}/answers/1", json={"choice": "first"})
    assert "“second”" in error(refused, 409, "answer_conflict")["message"]
    assert refused.json()["stored"]["choice"] == "second"


def test_an_answer_on_a_page_that_is_out_of_date_is_refused(client: TestClient, interview: str) -> None:
    revision = client.get(interview).json()["revision"]
    client.put(f"{interview}/answers/1", json={"choice": "second", "revision": revision})
    client.delete(f"{interview}/answers/1")
    late = client.put(f"{interview}/answers/1", json={"choice": "second", "revision": revision})
    assert "out of date" in error(late, 409, "out_of_order")["message"]
    client.put(f"{interview}/answers/1", json={"choice": "first"})
    late = client.delete(f"{interview}/answers/1", params={"revision": revision})
    assert "out of date" in error(late, 409, "out_of_order")["message"]
    error(client.delete(f"{interview}/answers/1?revision=x"), 422, "invalid")
    assert [given["choice"] for given in client.get(interview).json()["answers"]] == ["first"]


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/interviews/unknown", 404, "unknown_interview"),
        ("PUT", "/api/interviews/unknown/answers/1", 404, "unknown_interview"),
        ("DELETE", "/api/interviews/unknown/answers/1", 404, "unknown_interview"),
        ("GET", "/api/interviews/%00", 404, "unknown_interview"),
        ("GET", "/api/interviews/%ff", 404, "unknown_interview"),
        ("GET", "/api/interviews/..%2f..%2fetc", 404, "not_found"),
        ("POST", "/api/studies/none/interviews", 404, "unknown_study"),
        ("POST", "/api/studies/%00/interviews", 404, "unknown_study"),
        ("GET", "/api/studies/loans/interviews", 405, "method_not_allowed"),
        ("POST", "/api/interviews/x", 405, "method_not_allowed"),
        ("GET", "/api/", 404, "not_found"),
        ("GET", "/api/nothing", 404, "not_found"),
    ],
)
def test_what_is_not_there_is_an_error_of_the_one_shape(
    client: TestClient, method: str, path: str, status: int, code: str
) -> None:
    body = {"choice": "first"} if method == "PUT" else None
    error(client.request(method, path, json=body), status, code)


@pytest.mark.parametrize(
    ("n", "body", "status", "code"),
    [
        ("0", b'{"choice": "first"}', 422, "invalid"),
        ("-1", b'{"choice": "first"}', 422, "invalid"),
        ("one", b'{"choice": "first"}', 422, "invalid"),
        ("1.5", b'{"choice": "first"}', 422, "invalid"),
        ("9" * 400, b'{"choice": "first"}', 422, "invalid"),
        ("2", b'{"choice": "first"}', 409, "out_of_order"),
        ("1", b'{"choice": "both"}', 422, "invalid"),
        ("1", b'{"choice": null}', 422, "invalid"),
        ("1", b'{"choice": true}', 422, "invalid"),
        ("1", b'{"choice": ["first"]}', 422, "invalid"),
        ("1", b'{"choice": "first", "extra": 1}', 422, "invalid"),
        ("1", b'{"choice": "first", "why": 7}', 422, "invalid"),
        ("1", b'{"choice": "first", "why": "\\u0000"}', 422, "invalid"),
        ("1", b'{"choice": "first", "why": "\\ud800"}', 422, "invalid"),
        ("1", b'{"choice": "first", "revision": "3"}', 422, "invalid"),
        ("1", b'{"choice": "first", "why": "' + b"x" * 2001 + b'"}', 422, "invalid"),
        ("1", b"{}", 422, "invalid"),
        ("1", b"[]", 422, "invalid"),
        ("1", b"null", 422, "invalid"),
        ("1", b"", 422, "invalid"),
        ("1", b'{"choice": ', 400, "not_json"),
        ("1", b"\xff\xfe", 400, "not_json"),
        ("1", b"[" * 60_000, 400, "not_json"),
        ("1", b'{"choice": "first", "why": ' + b"[" * 500 + b"]" * 500 + b"}", 422, "invalid"),
        ("1", b'{"choice": ' + b'{"a":' * 5000 + b"1" + b"}" * 5000 + b"}", 400, "not_json"),
        ("1", b'{"choice": "first", "why": "' + b"x" * 70_000 + b'"}', 413, "too_large"),
    ],
    ids=range(26),
)
def test_what_is_no_answer_is_refused_and_changes_nothing(
    client: TestClient, interview: str, n: str, body: bytes, status: int, code: str
) -> None:
    before = client.get(interview).json()
    headers = {"content-type": "application/json"}
    error(client.put(f"{interview}/answers/{n}", content=body, headers=headers), status, code)
    assert client.get(interview).json() == before


def test_healthz_answers_when_the_store_can_be_written(client: TestClient, store: Store, tmp_path: Path) -> None:
    assert client.get("/healthz").status_code == 200
    file = tmp_path / "store.db"
    file.rename(tmp_path / "away.db")
    response = client.get("/healthz")
    error(response, 503, "not_saved")
    assert response.headers["retry-after"]
    (tmp_path / "away.db").rename(file)
    assert client.get("/healthz").json() == {"status": "ok"}


def test_healthz_is_not_well_on_a_disk_that_has_no_room_for_an_answer(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: used._replace(free=4096))
    assert "the disk is full" in error(client.get("/healthz"), 503, "not_saved")["message"]


def test_an_answer_that_could_not_be_saved_is_told_and_can_be_sent_again(
    client: TestClient, interview: str, tmp_path: Path
) -> None:
    file = tmp_path / "store.db"
    file.rename(tmp_path / "away.db")
    told = error(client.put(f"{interview}/answers/1", json={"choice": "first"}), 503, "not_saved")
    assert "could not be saved" in told["message"]
    assert "Send it again" in told["hint"]
    error(client.get(interview), 503, "store_unreachable")
    (tmp_path / "away.db").rename(file)
    assert client.put(f"{interview}/answers/1", json={"choice": "first"}).json()["answered"] == 1


def test_a_damaged_interview_is_told_and_not_guessed(client: TestClient, store: Store, interview: str) -> None:
    client.put(f"{interview}/answers/1", json={"choice": "first"})
    with store.database.writing() as connection:
        connection.execute(text("UPDATE log SET n = 7 WHERE kind = 'answered'"))
    error(client.get(interview), 500, "damaged")


def test_what_nobody_foresaw_is_an_error_of_the_one_shape_too(
    client: TestClient, interview: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr(Store, "interview", fail)
    response = client.get(interview)
    assert "secret" not in error(response, 500, "unexpected")["message"]
    assert "secret detail" in caplog.text
    assert response.headers["content-security-policy"]


def test_the_api_describes_itself_and_no_page(client: TestClient) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    assert {path for path in paths if not path.startswith("/api/studies") or "interviews" in path} == {
        "/api/studies/{slug}/interviews",
        "/api/interviews/{token}/answers/{n}",
        "/api/interviews/{token}",
        "/healthz",
    }


def test_what_the_real_method_finds_is_described_too(tmp_path: Path) -> None:
    with Store(f"sqlite:///{tmp_path}/real.db") as store:
        store.put_study(study(models=4, max_questions=3))
        client = DescribedClient(create_app(store))
        state = client.post("/api/studies/loans/interviews").json()
        address = f"/api/interviews/{state['token']}"
        while not state["done"]:
            state = client.put(f"{address}/answers/{state['question']['n']}", json={"choice": "first"}).json()
    for part in ("uncertainty", "choice", "reliability"):
        assert state["result"][part] is not None


@pytest.mark.parametrize(
    ("model", "form"),
    [
        (schema.QuestionDocument, QUESTION_FORMAT),
        (schema.FindingDocument, FINDING_FORMAT),
        (schema.MetricDocument, METRIC_FORMAT),
    ],
)
def test_a_document_that_is_sent_is_the_one_that_is_stored(model: type[BaseModel], form: Format) -> None:
    assert tuple(model.model_fields) == ("format", "version", *form.fields)
    assert get_args(model.model_fields["format"].annotation) == (form.name,)
    assert get_args(model.model_fields["version"].annotation) == (form.version,)
