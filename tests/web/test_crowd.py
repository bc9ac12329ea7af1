"""Many at once: there is an end to every queue, and each who is turned away is told what to do."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from math import ceil
from pathlib import Path

import httpx2
import pytest
from fastapi.testclient import TestClient
from tests.support.quick import QuickRunner, study
from tests.web.served import Served, serving

from evenhand.study.limits import MOST_BEGINNINGS, SECONDS_OF_BEGINNINGS
from evenhand.study.store import Store
from evenhand.web import app as whole
from evenhand.web.app import create_app
from evenhand.web.owner import Owner
from evenhand.web.server import server_of
from evenhand.web.tries import TooManyTriesError, Tries
from evenhand.web.turnstile import SECONDS, Pace


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(f"sqlite:///{tmp_path}/store.db", runner=QuickRunner(1000)) as store:
        store.put_study(study())
        yield store


@pytest.fixture
def server(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr("evenhand.web.turnstile.MOST", 3)
    with serving(store) as server:
        yield server


def test_where_too_many_wait_the_next_gets_a_kind_page_at_once(
    server: Served, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, go_on, inside = store.begin("loans"), threading.Event(), threading.Semaphore(0)
    interview = Store.interview

    def slow(self: Store, token: str) -> object:
        inside.release()
        go_on.wait(20)
        return interview(self, token)

    monkeypatch.setattr(Store, "interview", slow)
    with ThreadPoolExecutor(3) as pool, httpx2.Client(base_url=server.address) as client:
        waiting = [pool.submit(httpx2.get, f"{server.address}/i/{token}", timeout=30) for _ in range(3)]
        for _ in waiting:
            assert inside.acquire(timeout=10)
        began = time.monotonic()
        looked = client.get(f"/i/{token}")
        sent = client.post(f"/i/{token}/answers/1", data={"choice": "first"})
        told = client.put(f"/api/interviews/{token}/answers/1", json={"choice": "first"})
        assert client.get("/static/evenhand.css").status_code == 200, "what the page looks like"
        assert time.monotonic() - began < 2
        go_on.set()
        assert [each.result().status_code for each in waiting] == [200] * 3
        monkeypatch.undo()
        assert client.get(f"/i/{token}").status_code == 200
    assert [reply.status_code for reply in (looked, sent, told)] == [503] * 3
    assert all(int(reply.headers["retry-after"]) > 0 for reply in (looked, sent, told))
    assert "Many people are answering just now." in looked.text
    assert "What you sent before is kept." in looked.text  # an answer, perhaps, whose redirect led here
    assert "What you sent last was not saved." in sent.text
    assert f'href="/i/{token}"' in sent.text
    assert told.json()["error"]["code"] == "busy"
    assert ("refresh" in looked.headers, "refresh" in sent.headers) == (True, False)  # what was sent is not sent again
    assert not store.interview(token).answers


def test_so_many_are_let_in_as_are_worked_through_in_time() -> None:
    pace, now = Pace(), 100.0
    assert pace.places == 250

    def work(seconds: float, requests: int) -> None:
        nonlocal now
        for _ in range(requests):
            now += seconds
            pace.ended(now)

    pace.begun(now)
    work(0.1, 300)
    assert pace.places == pytest.approx(SECONDS / 0.1, abs=1)
    work(0.001, 300)
    assert pace.places == 250
    before = pace.places
    now += 3600
    pace.begun(now)  # nobody came for an hour: that says nothing
    work(0.001, 1)
    assert pace.places == before
    work(30.0, 200)
    assert pace.places >= 10  # whatever happens, some are let in


def test_the_more_are_told_to_come_back_the_later_they_are_told_to() -> None:
    pace = Pace()
    pace.seconds = 0.1
    told = [pace.refused(0.0) for _ in range(1000)]
    assert told[:30] == [3] * 30
    assert told == sorted(told)
    assert told[200] == 20
    assert told[-1] == 30
    assert pace.refused(60.0) == 3, "all of them have been back"


def test_while_another_program_holds_the_store_everybody_hears_of_it_in_time(store: Store, tmp_path: Path) -> None:
    token = store.begin("loans")
    with serving(store) as server, closing(sqlite3.connect(tmp_path / "store.db", isolation_level=None)) as other:

        def one(n: int) -> tuple[int, float]:
            began = time.monotonic()
            if n % 2:
                reply = httpx2.get(f"{server.address}/i/{token}", timeout=60)
            else:
                reply = httpx2.post(f"{server.address}/i/{token}/answers/1", data={"choice": "first"}, timeout=60)
            return reply.status_code, time.monotonic() - began

        other.execute("BEGIN EXCLUSIVE")
        with ThreadPoolExecutor(30) as pool:
            replies = list(pool.map(one, range(30)))
        other.execute("ROLLBACK")
        assert {status for status, _ in replies} == {503}
        assert max(seconds for _, seconds in replies) < 8  # 5, and what a busy machine adds
        assert httpx2.get(f"{server.address}/i/{token}").status_code == 200


def test_five_hundred_begins_in_a_row_are_not_all_accepted_and_a_lecture_hall_is() -> None:
    for processes in (1, 2, 4):
        hall = [Tries(ceil(MOST_BEGINNINGS / processes), seconds=SECONDS_OF_BEGINNINGS) for _ in range(processes)]
        for n in range(300):
            hall[n % processes].count("one address")
        refused = []
        for n in range(300, 500):
            try:
                hall[n % processes].count("one address")
            except TooManyTriesError as error:
                refused.append(error.seconds)
        assert len(refused) == 100
        assert 0 < min(refused) <= max(refused) <= SECONDS_OF_BEGINNINGS


@pytest.mark.parametrize("address", ["/loans", "/api/studies/loans/interviews"])
def test_one_address_cannot_begin_interviews_without_end(
    store: Store, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole, "MOST_BEGINNINGS", 20)
    client = TestClient(create_app(store), base_url="http://localhost", follow_redirects=False)
    replies = [client.post(address) for _ in range(20 + 2)]
    good = 303 if address == "/loans" else 201
    assert [reply.status_code for reply in replies] == [good] * 20 + [429] * 2
    assert 0 < int(replies[-1].headers["retry-after"]) <= 60
    assert "Very many interviews were begun from where you are." in replies[-1].text
    assert client.get("/loans").status_code == 200


def test_head_is_get_without_a_body(store: Store) -> None:
    client = TestClient(create_app(store), base_url="http://localhost")
    token = store.begin("loans")
    for path in ("/loans", f"/i/{token}", "/healthz", f"/api/interviews/{token}", "/static/evenhand.css", "/no/such"):
        looked, whole_reply = client.head(path), client.get(path)
        assert looked.status_code == whole_reply.status_code
        assert looked.headers["content-length"] == whole_reply.headers["content-length"]
        assert looked.content == b""


def test_a_405_names_every_method_of_the_address(store: Store) -> None:
    client = TestClient(create_app(store, owner=Owner.of("a-token-of-twenty-characters")), base_url="http://localhost")
    for path, methods in {
        "/loans": "GET, HEAD, POST",
        "/api/studies": "GET, HEAD, POST",
        "/api/studies/loans": "GET, HEAD, PATCH",
        "/api/studies/loans/interviews": "POST",
        "/api/interviews/x": "DELETE, GET, HEAD",
        "/static/evenhand.css": "GET, HEAD",
    }.items():
        for method in ("PUT", "OPTIONS", "TRACE"):
            reply = client.request(method, path)
            assert (reply.status_code, reply.headers["allow"]) == (405, methods), path


def test_broken_forms_leave_no_line_in_the_log(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    app = create_app(store)
    server_of(app)
    client = TestClient(app, base_url="http://localhost")
    kind = {"content-type": "multipart/form-data; boundary=zz"}
    for path in ("/i/x/answers/1", "/-/sign-in"):
        assert client.post(path, content=b"xyz", headers=kind).status_code == 400
    assert caplog.text == ""


@pytest.mark.parametrize(
    "body", [b"{", b"\xff\xfe{}", b"[" * 50_000, b'{"choice": "\xc3("}'], ids=["cut", "bytes", "deep", "not UTF-8"]
)
def test_a_body_that_cannot_be_read_is_said_to_be_no_json(store: Store, body: bytes) -> None:
    token = store.begin("loans")
    client = TestClient(create_app(store), base_url="http://localhost")
    reply = client.put(f"/api/interviews/{token}/answers/1", content=body, headers={"content-type": "application/json"})
    assert (reply.status_code, reply.json()["error"]["code"]) == (400, "not_json")
    assert reply.json()["error"]["message"] == "The body is not JSON that can be read."
    form = client.post(
        f"/i/{token}/answers/1",
        content=b"--x\r\nbroken",
        headers={"content-type": "multipart/form-data; boundary=" + "y" * 80},
    )
    assert form.status_code in {400, 422}
    assert "is not what this address takes" not in form.text
