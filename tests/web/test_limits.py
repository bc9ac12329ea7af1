"""Strangers cannot fill the disk or the memory: how often, how much and how many."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from tests.support.quick import QuickRunner, study
from tests.web.api.test_studies import TOKEN

from evenhand.study import session
from evenhand.study.refusals import NotSavedError, OutOfOrderError
from evenhand.study.store import Store
from evenhand.web.app import create_app
from evenhand.web.guard import LARGEST_FORM
from evenhand.web.owner import Owner
from evenhand.web.tries import Tries

BEARER = {"authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(f"sqlite:///{tmp_path}/store.db", runner=QuickRunner(3)) as store:
        store.put_study(study())
        yield store


@pytest.fixture
def client(store: Store) -> TestClient:
    return TestClient(create_app(store, owner=Owner.of(TOKEN)), follow_redirects=False)


@pytest.mark.parametrize("path", ["/loans", "/api/studies/loans/interviews", "/i/{secret}"])
def test_interviews_are_begun_only_so_often_from_one_place(client: TestClient, store: Store, path: str) -> None:
    client.app.state.begins = Tries(3, "Very many interviews were begun.")  # type: ignore[attr-defined]
    address = path.format(secret=store.invite_openly("loans", 100).secret)
    statuses = [client.post(address).status_code for _ in range(5)]
    assert statuses[:3] == [statuses[0]] * 3
    assert statuses[3:] == [429, 429]
    refused = client.post(address)
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert "Very many interviews were begun" in refused.text
    assert store.overview()[0].begun == 3
    assert client.post("/api/studies/loans/interviews", headers=BEARER).status_code == 201, "the owner may go on"
    elsewhere = client.post("/loans", headers={"x-forwarded-for": "198.51.100.7"})
    assert elsewhere.status_code == 429, "who is no proxy on this machine is not believed"


def test_nobody_answers_and_undoes_for_ever(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "MOST_MOVES", 6)
    token = store.begin("loans")
    for _ in range(3):
        store.answer(token, 1, "first")
        store.undo(token, 1)
    for n in (1, 2, 3):
        store.answer(token, n, "first")
    with pytest.raises(OutOfOrderError, match="nothing more can be undone"):
        store.undo(token, 3)
    assert store.interview(token).finding is not None


def test_on_a_disk_that_is_nearly_full_nobody_begins_and_everybody_can_finish(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = store.begin("loans")
    used = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: used._replace(free=50 * 1024 * 1024))
    with pytest.raises(NotSavedError, match="nearly full"):
        store.begin("loans")
    for n in (1, 2, 3):
        store.answer(token, n, "first")
    assert store.interview(token).finding is not None


def test_a_study_of_many_models_is_taken_from_the_owner_only(client: TestClient, store: Store) -> None:
    large = study("large", models=900).to_json()
    assert 64 * 1024 < len(large) < LARGEST_FORM
    headers = {"content-type": "application/json"}
    assert client.post("/api/studies", content=large, headers=headers).status_code == 401
    assert client.post("/api/studies", content=large, headers=headers | BEARER).status_code == 201
    too_large = client.post("/api/studies", content=b" " * (LARGEST_FORM + 1), headers=headers | BEARER)
    assert (too_large.status_code, too_large.json()["error"]["code"]) == (413, "too_large")
    for _ in range(12):
        refused = client.post("/api/studies", content=large, headers=headers | {"authorization": "Bearer wrong"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "too_many_tries")
    assert int(refused.headers["retry-after"]) <= 60
    assert list(store.studies()) == ["loans", "large"]


@pytest.mark.parametrize("bomb", [b"[" * 500_000, b'{"slug":' * 50_000 + b"1" + b"}" * 50_000, b'{"slug": 1e999999}'])
def test_a_json_bomb_is_an_error_in_words(client: TestClient, bomb: bytes) -> None:
    refused = client.post("/api/studies", content=bomb, headers=BEARER | {"content-type": "application/json"})
    assert refused.status_code in {400, 422}
    assert refused.json()["error"]["message"]


def test_nothing_that_runs_code_when_it_is_read_is_ever_read() -> None:
    """No pickle, and nothing built on it, in any module."""
    runs_code = {"pickle", "cPickle", "_pickle", "marshal", "shelve", "dill", "cloudpickle", "jsonpickle"}
    found = set()
    for path in Path(str(files("evenhand"))).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [node.func.id] if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else []
            if isinstance(node, ast.Call):
                unsafe = [
                    one for one in node.keywords if one.arg == "allow_pickle" and ast.unparse(one.value) != "False"
                ]
                names += [one.arg or "" for one in unsafe]
            found |= {(path.name, name) for name in names if name.split(".")[0] in runs_code | {"eval", "exec"}}
            found |= {(path.name, name) for name in names if name == "allow_pickle"}
    assert not found
