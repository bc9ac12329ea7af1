"""No address of ours sends anybody to another site, and none is made of the Host header."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from tests.support.quick import QuickRunner, study
from tests.web.api.test_studies import TOKEN

from evenhand.study.store import Store
from evenhand.web.app import create_app
from evenhand.web.owner import Owner

PATHS = [
    "//evil.example",
    "//evil.example/%2f..",
    "/%2f%2fevil.example/",
    "/\\evil.example",
    "/%5cevil.example",
    "/i//evil.example",
    "/i/%2f%2fevil.example",
    "/i/%2f%2fevil.example/withdraw",
    "/i/%2f%2fevil.example/answers/1",
    "/i/https:%2f%2fevil.example/undo/1",
    "/i/%0d%0alocation:%20https:%2f%2fevil.example/answers/1",
    f"/-/?token={TOKEN}&next=//evil.example",
    "/-/?token=//evil.example",
    "/-?next=https://evil.example",
    "/-/sign-in?next=//evil.example",
    "/-/studies/%2f%2fevil.example/invitations",
    "/-/new/%2f%2fevil.example/columns",
    "/loans?next=//evil.example",
]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with Store(f"sqlite:///{tmp_path}/store.db", runner=QuickRunner(3)) as store:
        store.put_study(study())
        app = create_app(store, owner=Owner.of(TOKEN))
        yield TestClient(app, base_url="http://study.example", follow_redirects=False, raise_server_exceptions=False)


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("path", PATHS)
def test_every_redirect_stays_on_this_server(client: TestClient, method: str, path: str) -> None:
    client.get(f"/-/?token={TOKEN}")
    reply = client.request(method, path, headers={"x-forwarded-host": "evil.example"}, data={"choice": "first"})
    assert reply.status_code < 500
    leads = reply.headers.get("location", "/")
    assert leads.startswith("/")
    assert not leads.startswith(("//", "/\\"))
    assert set(reply.headers) & {"refresh", "content-location"} == set()


def test_no_address_is_made_of_the_host_header(client: TestClient) -> None:
    for method, path in (("POST", "/loans"), ("POST", "/api/studies/loans/interviews"), ("GET", "/loans")):
        reply = client.request(method, path, headers={"host": "evil.example"})
        assert "evil.example" not in reply.text + str(reply.headers)
