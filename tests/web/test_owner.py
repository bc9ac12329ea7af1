"""The owner signs in with a token, and everybody else stays outside of the owner's pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from fastapi import Depends, FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from httpx2 import Response
from tests.support.quick import QuickRunner, study
from tests.web.owner import TOKEN

from evenhand.errors import EvenhandError
from evenhand.study.store import Store
from evenhand.study.study import is_slug
from evenhand.web.app import PAGES, create_app
from evenhand.web.gate import authorised
from evenhand.web.owner import SIGNED_IN_FOR, Owner, owner_token
from evenhand.web.tries import TooManyTriesError, Tries


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(f"sqlite:///{tmp_path}/store.db", runner=QuickRunner(3)) as store:
        store.put_study(study())
        yield store


@pytest.fixture
def app(store: Store) -> FastAPI:
    app = create_app(store, owner=Owner.of(TOKEN))
    app.add_api_route("/api/for-the-owner", lambda: "in", dependencies=[Depends(authorised)])
    return app


def client_of(app: FastAPI, host: str = "study.example:8000") -> TestClient:
    return TestClient(app, base_url=f"http://{host}", follow_redirects=False)


@pytest.fixture
def client(app: FastAPI) -> TestClient:
    return client_of(app)


def sign_in(client: TestClient, token: str = TOKEN) -> Response:
    return client.post("/-/sign-in", data={"token": token})


def test_the_link_is_exchanged_for_a_cookie_and_the_token_leaves_the_address(client: TestClient) -> None:
    exchanged = client.get(f"/-/?token={TOKEN}")
    assert (exchanged.status_code, exchanged.headers["location"]) == (303, "/-/")
    cookie = exchanged.headers["set-cookie"]
    assert TOKEN not in cookie
    assert {"HttpOnly", "SameSite=lax", "Path=/-/"} <= set(cookie.split("; "))
    home = client.get("/-/")
    assert home.status_code == 200
    assert "Who is refused a loan?" in home.text
    assert TOKEN not in home.text


def test_a_wrong_link_leads_to_the_form_without_the_token(client: TestClient) -> None:
    refused = client.get("/-/?token=of-yesterday")
    assert (refused.status_code, refused.headers["location"]) == (303, "/-/sign-in?link=wrong")
    assert "set-cookie" not in refused.headers
    assert "This link does not sign in." in client.get(refused.headers["location"]).text


def test_the_form_signs_in_and_out(client: TestClient) -> None:
    assert sign_in(client, "wrong").status_code == 401
    assert client.get("/-/").status_code == 401
    assert sign_in(client, f" {TOKEN}\n").status_code == 303
    assert client.get("/-/").status_code == 200
    assert client.get("/-/sign-in").headers["location"] == "/-/"
    assert client.post("/-/sign-out").headers["location"] == "/-/sign-in"
    assert client.get("/-/").status_code == 401


def owner_s_addresses() -> list[tuple[str, str]]:
    """Every address under /-/ but those that sign in or out, with each of its methods."""
    found = [("GET", "/-/not-there"), ("POST", "/-/not-there"), ("HEAD", "/-/"), ("GET", "/-/?other=1")]
    for pages in PAGES:
        for route in pages.router.routes:
            assert isinstance(route, APIRoute)
            path = re.sub(r"{[^}]*}", "x", route.path)
            if path.startswith("/-/") and path not in {"/-/sign-in", "/-/sign-out"}:
                found += [(method, path) for method in sorted(route.methods or ())]
    return found


@pytest.mark.parametrize(("method", "path"), owner_s_addresses())
def test_every_page_of_the_owner_is_closed_to_everybody_else(client: TestClient, method: str, path: str) -> None:
    refused = client.request(method, path)
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"] == "Bearer"
    assert "loan" not in refused.text


@pytest.mark.parametrize("path", ["/-/new", "/api/studies/draft", "/api/studies"])
def test_a_stranger_s_file_is_not_even_read(client: TestClient, path: str) -> None:
    def file() -> Iterator[bytes]:
        yield pytest.fail("the body of a stranger was read")

    headers = {"content-type": "multipart/form-data; boundary=x"}
    assert client.post(path, content=file(), headers=headers).status_code == 401


def test_what_is_a_person_s_needs_no_sign_in(client: TestClient, store: Store) -> None:
    token = store.begin("loans")
    assert client.get(f"/i/{token}").status_code == 200
    assert client.get("/loans").status_code == 200


def test_no_study_can_be_where_the_owner_s_pages_are() -> None:
    assert not any(is_slug(name) for name in ("-", "-/", "-new", "-/new"))


def test_the_api_takes_the_token_as_a_bearer_and_no_cookie(client: TestClient) -> None:
    path = "/api/for-the-owner"
    assert client.get(path, headers={"authorization": f"Bearer {TOKEN}"}).json() == "in"
    sign_in(client)
    for headers in ({}, {"authorization": TOKEN}, {"authorization": f"Basic {TOKEN}"}, {"authorization": "Bearer"}):
        refused = client.get(path, headers=headers)
        assert (refused.status_code, refused.json()["error"]["code"]) == (401, "not_signed_in")
        assert refused.headers["www-authenticate"] == "Bearer"


def test_another_process_with_the_same_token_accepts_the_cookie(store: Store, client: TestClient) -> None:
    sign_in(client)
    other = client_of(create_app(store, owner=Owner.of(TOKEN)))
    other.cookies = client.cookies
    assert other.get("/-/").status_code == 200
    stranger = client_of(create_app(store))
    stranger.cookies = client.cookies
    assert stranger.get("/-/").status_code == 401


def test_a_cookie_is_new_at_every_sign_in_and_none_is_taken_from_the_client(client: TestClient) -> None:
    first = sign_in(client).cookies["evenhand-owner-8000"]
    client.cookies.clear()
    client.cookies.set("evenhand-owner-8000", "chosen-by-somebody-else")
    second = sign_in(client).headers["set-cookie"]
    assert first not in second
    assert "chosen-by-somebody-else" not in second


@pytest.mark.parametrize(
    "change",
    [
        lambda _: "",
        lambda cookie: cookie[:-1] + ("0" if cookie[-1] != "0" else "1"),
        lambda cookie: "9" + cookie,
        lambda cookie: cookie.replace(".", ".0", 1),
        lambda _: TOKEN,
    ],
)
def test_an_edited_cookie_opens_nothing(change: object) -> None:
    owner = Owner.of(TOKEN)
    assert callable(change)
    assert owner.is_cookie(owner.cookie())
    assert not owner.is_cookie(change(owner.cookie()))


def test_a_cookie_ends() -> None:
    owner = Owner.of(TOKEN)
    with patch("evenhand.web.owner.time.time", lambda: 1_000_000.0):
        cookie = owner.cookie()
    with patch("evenhand.web.owner.time.time", lambda: 1_000_000.0 + SIGNED_IN_FOR - 1):
        assert owner.is_cookie(cookie)
    for at in (1_000_000.0 + SIGNED_IN_FOR, 999_000.0):
        with patch("evenhand.web.owner.time.time", lambda at=at: at):
            assert not owner.is_cookie(cookie)


def test_two_servers_on_one_machine_have_cookies_of_their_own(app: FastAPI) -> None:
    names = [sign_in(client_of(app, f"127.0.0.1:{port}")).headers["set-cookie"].partition("=")[0] for port in (1, 2)]
    assert names == ["evenhand-owner-1", "evenhand-owner-2"]


def test_behind_tls_the_cookie_never_goes_without_it(client: TestClient) -> None:
    signed_in = client.post("/-/sign-in", data={"token": TOKEN}, headers={"x-forwarded-proto": "https"})
    assert "Secure" in signed_in.headers["set-cookie"].split("; ")
    assert "Secure" not in sign_in(client).headers["set-cookie"].split("; ")


@pytest.mark.parametrize("way", ["form", "link", "bearer"])
def test_guesses_are_bounded_and_then_even_the_right_token_has_to_wait(client: TestClient, way: str) -> None:
    def send(token: str) -> Response:
        if way == "form":
            return sign_in(client, token)
        if way == "link":
            return client.get(f"/-/?token={token}")
        return client.get("/api/for-the-owner", headers={"authorization": f"Bearer {token}"})

    replies = [send(f"guess-{n}") for n in range(10)]
    assert not any("evenhand-owner" in reply.headers.get("set-cookie", "") for reply in replies)
    refused = send(TOKEN)
    assert refused.status_code == 429
    assert 0 < int(refused.headers["retry-after"]) <= 60
    with patch("evenhand.web.tries.SECONDS", 0):  # a minute later
        assert send(TOKEN).status_code in {200, 303}


def test_one_client_s_guesses_lock_nobody_else_out(client: TestClient) -> None:
    def send(token: str, sender: str) -> int:
        return client.post("/-/sign-in", data={"token": token}, headers={"x-forwarded-for": sender}).status_code

    with patch("evenhand.web.tries._address", wraps=_loopback_first):
        for n in range(10):
            assert send(f"guess-{n}", "203.0.113.7") == 401
        assert send(TOKEN, "203.0.113.7") == 429
        assert send(TOKEN, "10.0.0.1, 198.51.100.4") == 303
        both = [("x-forwarded-for", "198.51.100.5"), ("x-forwarded-for", "203.0.113.7")]  # the proxy's own comes last
        assert client.post("/-/sign-in", data={"token": TOKEN}, headers=both).status_code == 429


def _loopback_first(text: str) -> object:
    """Take the client of the tests, which has no address, for a proxy on this machine."""
    import ipaddress  # noqa: PLC0415

    return ipaddress.ip_address("127.0.0.1" if text == "testclient" else text)


def test_the_numbers_of_tries_do_not_grow_without_end() -> None:
    tries = Tries(2, clients=3)
    for client in range(100):
        for _ in range(5):
            tries.failed(str(client))
    assert list(tries.failures()) == ["97", "98", "99"]
    assert set(tries.failures().values()) == {2}
    with pytest.raises(TooManyTriesError):
        tries.check("99")
    tries.check("0")


@pytest.mark.parametrize("headers", [{"sec-fetch-site": "cross-site"}, {"origin": "http://evil.example"}])
def test_other_sites_cannot_act_for_the_owner(client: TestClient, headers: dict[str, str]) -> None:
    sign_in(client)
    assert client.post("/-/sign-out", headers=headers).status_code == 403
    assert client.get("/-/").status_code == 200


@pytest.mark.parametrize("token", ["", "short", "x" * 19, "x" * 201, "with blanks in it, and long", "ünicode" * 5])
def test_a_token_of_one_s_own_must_be_long_and_plain_and_is_not_repeated(token: str) -> None:
    with pytest.raises(
        EvenhandError, match=r"EVENHAND_OWNER_TOKEN has \d+ characters, but must have 20 to 200"
    ) as told:
        owner_token({"EVENHAND_OWNER_TOKEN": token})
    assert not token or token not in str(told.value)


def test_otherwise_every_start_has_a_token_of_its_own() -> None:
    assert owner_token({"EVENHAND_OWNER_TOKEN": TOKEN}) == TOKEN
    assert len({owner_token({}) for _ in range(3)}) == 3
    assert len(owner_token({})) == 32  # 192 bits


def test_nothing_in_memory_shows_the_token() -> None:
    owner = Owner.of(TOKEN)
    assert TOKEN not in repr(owner)
    assert TOKEN not in repr(vars(owner))
