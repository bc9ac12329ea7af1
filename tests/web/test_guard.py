"""What comes from another site, under another name, or in too large a piece does not get in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from tests.support.quick import QuickRunner, study

from evenhand.study.store import Store
from evenhand.web.app import create_app
from evenhand.web.guard import LARGEST_BODY
from evenhand.web.server import LOOPBACK

BEGIN = "/api/studies/loans/interviews"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(f"sqlite:///{tmp_path}/store.db", runner=QuickRunner(3)) as store:
        store.put_study(study())
        yield store


@pytest.fixture
def client(store: Store) -> TestClient:
    return TestClient(create_app(store), base_url="http://study.example:8000")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"sec-fetch-site": "same-origin", "origin": "http://study.example:8000"},
        {"sec-fetch-site": "none"},
        {"origin": "http://study.example:8000"},
    ],
)
def test_the_study_s_own_pages_and_programs_may_write(client: TestClient, headers: dict[str, str]) -> None:
    assert client.post(BEGIN, headers=headers).status_code == 201


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site", "origin": "http://study.example:8000"},
        {"origin": "http://evil.example"},
        {"origin": "http://study.example"},
        {"origin": "http://study.example:8000.evil.example"},
        {"origin": "null"},
        {"origin": "http://["},
        {"origin": ""},
    ],
)
def test_pages_of_other_sites_may_not(client: TestClient, store: Store, headers: dict[str, str]) -> None:
    refused = client.post(BEGIN, headers=headers)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "cross_site")
    assert client.get("/healthz", headers=headers).status_code == 200


@pytest.mark.parametrize("into", ["image", "iframe", "empty", "script"])
def test_a_study_opens_by_a_link_from_anywhere_but_not_inside_another_site_s_page(
    client: TestClient, into: str
) -> None:
    def opened(site: str, into: str) -> int:
        headers = {"sec-fetch-site": site, "sec-fetch-dest": into}
        return client.get("/loans", headers=headers, follow_redirects=False).status_code

    assert opened("cross-site", "document") == 200
    assert opened("same-origin", into) == 200
    assert opened("cross-site", into) == 403


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "", "localhost.evil.example:8000", "[::2]", "[::1", "["]
)
def test_on_a_loopback_address_only_loopback_names_are_answered(store: Store, host: str) -> None:
    client = TestClient(create_app(store, hosts=LOOPBACK))
    refused = client.get("/healthz", headers={"host": host})
    assert (refused.status_code, refused.json()["error"]["code"]) == (421, "wrong_host")


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "LOCALHOST:1", "[::1]:8000"])
def test_loopback_names_are_answered(store: Store, host: str) -> None:
    client = TestClient(create_app(store, hosts=LOOPBACK))
    assert client.get("/healthz", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("path", ["/healthz", "/nothing"])
def test_a_name_that_is_nonsense_harms_nobody(store: Store, path: str) -> None:
    client = TestClient(create_app(store))
    assert client.get(path, headers={"host": "["}).status_code in {200, 404}


def test_a_body_in_pieces_is_measured_too(client: TestClient) -> None:
    pieces = (b"x" * 1024 for _ in range(LARGEST_BODY // 1024 + 2))
    refused = client.post(BEGIN, content=pieces)
    assert (refused.status_code, refused.json()["error"]["code"]) == (413, "too_large")
    assert client.post(BEGIN, content=(b" " * 1024 for _ in range(3))).status_code == 201


@pytest.mark.parametrize("path", ["/healthz", "/api/nothing", "/nothing", "/static/nothing"])
def test_every_response_has_the_headers_that_protect_it(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert ("cache-control" in headers) == (not path.startswith("/static/"))


def test_errors_outside_the_api_are_pages_that_show_no_markup_of_others(client: TestClient) -> None:
    response = client.get("/<script>alert(1)</script>")
    assert response.status_code == 404
    assert response.headers["content-type"].startswith("text/html")
    assert "<script>alert" not in response.text
