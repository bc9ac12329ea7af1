"""The owner's page of a study: links are shown once, lines say how far people are, and never what they answered."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from tests.support.quick import QuickRunner, study
from tests.web.owner import notices, owner_of

from evenhand.study.exchange import read_export
from evenhand.study.store import Store
from evenhand.web.pages.home import LINES

PAGE = "/-/studies/loans"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(f"sqlite:///{tmp_path}/store.db", runner=QuickRunner(2)) as store:
        store.put_study(study())
        yield store


@pytest.fixture
def owner(store: Store, tmp_path: Path) -> TestClient:
    return owner_of(store, tmp_path / "drafts")


def invited(owner: TestClient, count: int = 2, label: str = "board", **more: str) -> Response:
    return owner.post(f"{PAGE}/invitations", data={"count": str(count), "label": label} | more)


def links(reply: Response) -> list[str]:
    found = re.search(r"<textarea[^>]*>(.*?)</textarea>", reply.text, re.DOTALL)
    assert found is not None
    return unescape(found[1]).split()


def text(reply: Response) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", reply.text)).split())


def test_links_are_shown_once_and_open_the_study(owner: TestClient, store: Store) -> None:
    reply = invited(owner, 3)
    addresses = links(reply)
    assert len(addresses) == 3
    assert all(re.fullmatch(r"http://study\.example:8000/i/[\w-]{32}", address) for address in addresses)
    assert reply.headers["cache-control"] == "no-store"
    for page in (PAGE, "/-/", f"{PAGE}/result"):
        assert not any(address.rpartition("/")[2] in owner.get(page).text for address in addresses)
    person = TestClient(owner.app, base_url="http://study.example:8000")
    assert "Begin" in person.get(addresses[0]).text
    assert person.post(addresses[0]).url == addresses[0]
    assert store.overview()[0].begun == 1


def test_the_table_for_a_mail_merge_has_every_link_and_no_formula(owner: TestClient) -> None:
    reply = invited(owner, 2, "=HYPERLINK(1)")
    found = re.search(r'href="data:text/csv;charset=utf-8,([^"]*)" download', reply.text)
    assert found is not None
    rows = list(csv.DictReader(io.StringIO(unquote(unescape(found[1])))))
    assert [row["address"] for row in rows] == links(reply)
    assert [row["label"] for row in rows] == ["'=HYPERLINK(1) 1", "'=HYPERLINK(1) 2"]


def test_printed_links_have_codes_that_a_camera_reads_as_the_address(owner: TestClient) -> None:
    import segno  # noqa: PLC0415

    reply = invited(owner, 2)
    drawn = re.findall(r"<svg.*?</svg>", reply.text, re.DOTALL)
    for address, code in zip(links(reply), drawn, strict=True):
        expected = segno.make(address, error="m", micro=False).svg_inline(border=2, dark="#000", omitsize=True)
        assert code == expected


def test_a_line_for_each_invitation_says_how_far_it_is_and_nothing_of_the_answers(
    owner: TestClient, store: Store
) -> None:
    secrets = [address.rpartition("/")[2] for address in links(invited(owner, 3))]
    for secret in secrets[:2]:
        store.accept(secret)
    store.answer(secrets[0], 1, "first", "a reason of theirs")
    store.answer(secrets[0], 2, "second")
    seen = text(owner.get(PAGE))
    assert "board 1 finished 2 answers Revoke board 1" in seen
    assert "board 2 answering 0 answers, about 2 more Revoke" in seen
    assert "board 3 not begun Revoke" in seen
    assert "3 invited 2 begun 1 finished 2 answers, the last one just now" in seen
    assert "a reason of theirs" not in seen
    assert "board" not in text(owner.get(f"{PAGE}/result"))


def test_the_home_has_the_first_lines_of_every_study_and_what_can_be_done(owner: TestClient, store: Store) -> None:
    store.put_study(study("jobs"))
    secrets = [one.secret for one in store.invite("loans", LINES + 1, "board")]
    store.accept(secrets[0])
    store.answer(secrets[0], 1, "first")
    [only] = store.invite("jobs", 1, "staff")
    store.accept(only.secret)
    home = text(owner.get("/-/"))
    assert "board 1 answering 1 answer, about 1 more Revoke board 1" in home
    assert f"board {LINES} not begun" in home
    assert f"board {LINES + 1}" not in home
    assert "staff answering 0 answers, about 2 more Revoke staff" in home
    assert home.count("All invitations") == home.count("Invite people") == 1
    assert home.count("Close it") == 2
    owner.post(f"{PAGE}/close")
    home = text(owner.get("/-/"))
    assert home.count("Open it again") == home.count("Close it") == 1
    assert [one.label for one in store.first_invitations(2)["loans"]] == ["board 1", "board 2"]
    assert store.first_invitations(99)["loans"] == store.invitations("loans")


def test_a_revoked_link_opens_nothing_and_what_was_answered_is_kept(owner: TestClient, store: Store) -> None:
    address = links(invited(owner, 1))[0]
    store.accept(address.rpartition("/")[2])
    [invitation] = store.invitations("loans")
    assert owner.post(f"{PAGE}/invitations/{invitation.id}/revoke").headers["location"] == PAGE
    assert TestClient(owner.app).get(address).status_code == 410
    assert "board revoked" in text(owner.get(PAGE))
    assert "1 begun" in text(owner.get(PAGE))


def test_a_study_is_closed_opened_and_opened_to_everybody(owner: TestClient, store: Store) -> None:
    invited(owner)
    assert "by invitation" in text(owner.get(PAGE))
    owner.post(f"{PAGE}/close")
    assert store.door("loans").closed
    owner.post(f"{PAGE}/open")
    assert not store.door("loans").closed
    assert not store.door("loans").admits_anyone
    owner.post(f"{PAGE}/open", data={"to": "anyone"})
    assert store.door("loans").admits_anyone
    owner.post(f"{PAGE}/open", data={"to": "invited"})
    assert not store.door("loans").admits_anyone


def test_an_open_link_has_places(owner: TestClient) -> None:
    reply = owner.post(f"{PAGE}/open-link", data={"places": "30"})
    assert len(links(reply)) == 1
    assert "open link open link 0 of 30 places taken, 0 finished" in text(owner.get(PAGE))


def test_an_invitation_ends_with_its_last_day(owner: TestClient, store: Store) -> None:
    day = (datetime.now(UTC) + timedelta(days=3)).date().isoformat()
    invited(owner, 1, until=day)
    assert store.invitations("loans")[0].expires == f"{day}T23:59:59.000+00:00"
    assert f"until {day}" in text(owner.get(PAGE))


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"count": "0"}, "count"),
        ({"count": "many"}, "how many must be a whole number, but received 'many'"),
        ({"count": "1e3"}, "how many must be a whole number"),
        ({"count": "1001"}, "count must be at most 1000"),
        ({"until": "2001-01-01"}, "expires must be in the future"),
        ({"until": "tomorrow"}, "the last day must be a date such as 2026-12-31, but received 'tomorrow'"),
        ({"label": "a\u202eb"}, "cannot be shown"),
        ({"label": "x" * 201}, "label has 201 characters"),
    ],
)
def test_what_cannot_be_is_said_on_the_page_and_invites_nobody(
    owner: TestClient, store: Store, sent: dict[str, str], told: str
) -> None:
    refused = owner.post(f"{PAGE}/invitations", data={"count": "2", "label": "board"} | sent)
    assert refused.status_code == 422
    assert any(told in one for one in notices(refused))
    assert store.invitations("loans") == []


def test_links_that_work_here_only_say_so(store: Store, tmp_path: Path) -> None:
    here = owner_of(store, tmp_path / "drafts", host="127.0.0.1:8000")
    assert "These links work on this machine only." in text(invited(here))
    public = owner_of(store, tmp_path / "drafts", host="study.example")
    assert "These links work on this machine only." not in text(invited(public))


def test_the_export_is_the_one_that_the_command_reads(owner: TestClient, store: Store) -> None:
    token = store.begin("loans")
    store.answer(token, 1, "first")
    got = owner.get(f"{PAGE}/export.json")
    assert "attachment" in got.headers["content-disposition"]
    assert len(read_export(got.text).interviews) == 1


def test_the_result_as_csv_and_json_has_a_row_for_each_person(owner: TestClient, store: Store) -> None:
    for _ in range(3):
        token = store.begin("loans")
        store.answer(token, 1, "first")
        store.answer(token, 2, "first")
    rows = list(csv.DictReader(io.StringIO(owner.get(f"{PAGE}/result.csv").text)))
    document = json.loads(owner.get(f"{PAGE}/result.json").text)
    assert [int(row["person"]) for row in rows] == [1, 2, 3]
    assert [row["best"] for row in rows] == [person["best"] for person in document["people"]]
    assert "of 3 people who have finished." in text(owner.get(f"{PAGE}/result"))


@pytest.mark.parametrize("path", [PAGE, f"{PAGE}/result", f"{PAGE}/result.csv", f"{PAGE}/export.json"])
def test_an_unknown_study_is_told(owner: TestClient, path: str) -> None:
    assert owner.get(path.replace("loans", "none")).status_code == 404
