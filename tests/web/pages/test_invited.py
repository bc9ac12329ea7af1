"""Invited people: a link that begins by its button only, kind pages where it does not open, and withdrawal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import update
from tests.support.quick import QuickRunner, study
from tests.web.axe import violations
from tests.web.served import Served, serving
from tests.web.test_looks import PHONE, WIDE

from evenhand.study.log.schema import invitations
from evenhand.study.log.tables import head_of
from evenhand.study.store import Store
from evenhand.web.app import create_app


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(f"sqlite:///{tmp_path}/store.db", runner=QuickRunner(3)) as store:
        store.put_study(study())
        yield store


@pytest.fixture
def client(store: Store) -> TestClient:
    return TestClient(create_app(store), follow_redirects=False)


def heading(page: str) -> str:
    found = re.search(r"<h1[^>]*>(.*?)</h1>", page, re.DOTALL)
    assert found
    return unescape(found[1])


def test_to_open_the_link_changes_nothing_and_its_button_begins(client: TestClient, store: Store) -> None:
    def rows() -> int:
        with store.database.reading() as connection:
            return head_of(connection).place

    [one] = store.invite("loans")
    before = rows()
    for _ in range(3):
        client.head(f"/i/{one.secret}")
        page = client.get(f"/i/{one.secret}")
        assert page.status_code == 200
        assert "By beginning you agree" in page.text
        assert f'<form method="post" action="/i/{one.secret}"' in page.text
    assert rows() == before
    assert store.invitations("loans")[0].state == "unopened"
    begun = client.post(f"/i/{one.secret}")
    assert (begun.status_code, begun.headers["location"]) == (303, f"/i/{one.secret}")
    assert "Which model would you rather use?" in client.get(f"/i/{one.secret}").text
    client.post(f"/i/{one.secret}/answers/1", data={"choice": "first"})
    assert client.post(f"/i/{one.secret}").status_code == 303
    assert "Question 2" in client.get(f"/i/{one.secret}").text


TOLD = '<input type="hidden" name="names_told" value="yes">'


def test_people_are_told_before_they_begin_that_names_are_kept(client: TestClient, store: Store) -> None:
    [one] = store.invite("loans")
    early = client.get(f"/i/{one.secret}").text
    assert "Names are kept" not in early
    assert TOLD not in early
    store.put_study(replace(study(), names_kept=True))
    # The page that they had open does not say so: the button leads to the one that does.
    assert client.post(f"/i/{one.secret}").headers["location"] == f"/i/{one.secret}"
    assert store.invitations("loans")[0].state == "unopened"
    page = client.get(f"/i/{one.secret}").text
    assert page.index("see what they called your invitation") < page.index("<form")
    assert TOLD in page
    client.post(f"/i/{one.secret}", data={"names_told": "yes"})
    assert store.invitations("loans")[0].state == "begun"


def test_who_begins_without_an_invitation_of_their_own_is_told_that_no_name_is_kept(
    client: TestClient, store: Store
) -> None:
    store.put_study(replace(study(), names_kept=True))
    link = store.invite_openly("loans", 2)
    for address in ("/loans", f"/i/{link.secret}"):
        page = client.get(address).text
        assert "your result has a number only" in page
        assert "see what they called your invitation" not in page
        assert "Question 1" in client.get(client.post(address).headers["location"]).text


def test_only_who_can_begin_without_an_invitation_is_offered_to_take_it_again(client: TestClient, store: Store) -> None:
    store.invite("loans")
    token = store.begin("loans", by_owner=True)
    for n in (1, 2, 3):
        client.post(f"/i/{token}/answers/{n}", data={"choice": "first"})
    assert "Take it again" not in client.get(f"/i/{token}").text
    store.open_study("loans", anyone=True)
    assert '<a class="small" href="/loans">Take it again</a>' in client.get(f"/i/{token}").text


def test_an_open_link_leads_each_person_to_an_address_of_their_own(client: TestClient, store: Store) -> None:
    link = store.invite_openly("loans", 2)
    addresses = [client.post(f"/i/{link.secret}").headers["location"] for _ in range(2)]
    assert len({*addresses, f"/i/{link.secret}"}) == 3
    assert all("Question 1" in client.get(address).text for address in addresses)
    for full in (client.get(f"/i/{link.secret}"), client.post(f"/i/{link.secret}")):
        assert full.status_code == 409
        assert "have begun already" in heading(full.text)


def test_where_a_link_does_not_open_a_kind_page_says_why_and_that_answers_are_kept(
    client: TestClient, store: Store
) -> None:
    revoked, fresh, expired, left = store.invite("loans", 4, "board")
    for one in (revoked, expired, left):
        client.post(f"/i/{one.secret}")
        client.post(f"/i/{one.secret}/answers/1", data={"choice": "first"})
    store.revoke("loans", revoked.id)
    store.revoke("loans", fresh.id)
    with store.database.writing() as connection:
        past = update(invitations).where(invitations.c.id == expired.id)
        connection.execute(past.values(expires="2025-01-01T00:00:00.000+00:00"))
    for secret, said in ((revoked.secret, "taken back"), (fresh.secret, "taken back"), (expired.secret, "expired")):
        page = client.get(f"/i/{secret}")
        assert page.status_code == 410
        assert said in heading(page.text)
        assert "What was answered is kept." in page.text
        assert ("/withdraw" in page.text) == (secret != fresh.secret)
        more = f"/i/{secret}" if secret == fresh.secret else f"/i/{secret}/answers/2"
        assert client.post(more, data={"choice": "first"}).status_code == 410
    store.close_study("loans")
    page = client.get(f"/i/{left.secret}")
    assert (page.status_code, heading(page.text)) == (409, "This study is closed.")
    assert "/withdraw" in page.text
    for closed in (client.get("/loans"), client.post("/loans")):
        assert (closed.status_code, heading(closed.text)) == (409, "This study is closed.")


def test_nobody_uninvited_finds_or_begins_a_study_by_invitation(client: TestClient, store: Store) -> None:
    store.put_study(study("jobs"))
    store.put_study(study("homes"))
    store.invite("loans")
    front = client.get("/").text
    assert 'href="/jobs"' in front
    assert "/loans" not in front
    for refused in (client.get("/loans"), client.post("/loans")):
        assert (refused.status_code, heading(refused.text)) == (403, "This study is by invitation.")


def test_a_person_withdraws_from_their_own_page(client: TestClient, store: Store) -> None:
    [one] = store.invite("loans")
    client.post(f"/i/{one.secret}")
    for n in (1, 2):
        client.post(f"/i/{one.secret}/answers/{n}", data={"choice": "first", "why": "personal"})
    assert f'href="/i/{one.secret}/withdraw"' in client.get(f"/i/{one.secret}").text
    asked = client.get(f"/i/{one.secret}/withdraw")
    assert "2 answers" in asked.text
    assert len(store.interview(one.secret).answers) == 2, "to ask changes nothing"
    done = client.post(f"/i/{one.secret}/withdraw")
    assert (done.status_code, done.headers["location"]) == (303, f"/i/{one.secret}")
    page = client.get(f"/i/{one.secret}")
    assert page.status_code == 410
    assert "answers are erased" in heading(page.text)
    assert client.post(f"/i/{one.secret}/withdraw").status_code == 303
    assert client.get(f"/i/{one.secret}/withdraw").status_code == 303
    assert client.post(f"/i/{one.secret}/answers/3", data={"choice": "first"}).status_code == 410
    for path in ("/i/unknown/withdraw", "/i/unknown"):
        assert client.get(path).status_code == client.post(path).status_code == 404


@pytest.fixture
def served(store: Store) -> Iterator[Served]:
    with serving(store) as served:
        yield served


@pytest.fixture(params=["light and wide", "dark, on a phone, without scripts"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    light = request.param == "light and wide"
    with browser.new_context(
        color_scheme="light" if light else "dark", viewport=WIDE if light else PHONE, java_script_enabled=light
    ) as context:
        yield context.new_page()


def test_invited_people_begin_answer_and_withdraw_in_a_browser(page: Page, served: Served) -> None:
    scripts = page.viewport_size == WIDE
    [one] = served.store.invite("loans")
    page.goto(f"{served.address}/i/{one.secret}")
    page.get_by_role("button", name="Begin", exact=True).click()
    page.get_by_role("button", name="Prefer A", exact=True).click()
    expect(page).to_have_title(re.compile("^Question 2"))
    page.goto(f"{served.address}/i/{one.secret}#help")
    page.get_by_role("link", name="withdraw, and erase").click()
    assert not scripts or violations(page) == ""
    page.get_by_role("button", name="Withdraw", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("answers are erased")
    assert not scripts or violations(page) == ""
    assert served.store.overview()[0].withdrawn == 1
