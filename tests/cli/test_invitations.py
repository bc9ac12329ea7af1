"""`evenhand study invite`, `invitations`, `revoke`, `close` and `open`."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from tests.support.quick import QuickRunner, study

from evenhand import EvenhandError
from evenhand.cli.app import app
from evenhand.study.refusals import ByInvitationError, ClosedError, RevokedError
from evenhand.study.store import Store


@pytest.fixture
def url(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path / 'evenhand.db'}"
    with Store(url) as store:
        store.put_study(study())
    return url


def run(*arguments: object) -> None:
    app(["study", *(str(argument) for argument in arguments)], standalone_mode=False)


def secrets_in(printed: str) -> list[str]:
    return re.findall(r"/i/([\w-]{32})$", printed, re.MULTILINE)


def test_people_are_invited_begin_and_are_listed(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    run("invite", "loans", "--count", 3, "--label", "board", "--address", "https://a.example/", "--store", url)
    printed, said = capsys.readouterr()
    assert "board 2: https://a.example/i/" in printed
    assert "told only now" in said
    assert "Nobody can begin without an invitation" in said
    with Store(url, runner=QuickRunner(3)) as store:
        token = store.accept(secrets_in(printed)[0])
        store.answer(token, 1, "first")
        with pytest.raises(ByInvitationError):
            store.begin("loans")
    run("invitations", "loans", "--store", url)
    listed = capsys.readouterr().out
    assert re.search(r"board 1\W+begun\W+1\W+about 2", listed)
    assert listed.count("unopened") == 2
    run("list", "--store", url)
    assert re.search(r"loans.*invited\W+3\W+2\W+2\W+3\W+1\W+0\W+1", capsys.readouterr().out)


def test_a_table_for_a_mail_merge_runs_no_formula(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    run("invite", "loans", "--count", 2, "--label", "=1+1", "--csv", "--expires", "2999-12-31", "--store", url)
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["label"] for row in rows] == ["'=1+1 1", "'=1+1 2"]
    assert all(row["link"].startswith("http://127.0.0.1:8000/i/") for row in rows)
    assert rows[0]["expires"] == "2999-12-31T23:59:59+00:00"


def test_an_open_link_is_for_so_many_people(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    run("invite", "loans", "--places", 30, "--label", "class", "--store", url)
    printed, said = capsys.readouterr()
    assert len(secrets_in(printed)) == 1
    assert "until 30 have begun" in said
    assert "Nobody" not in said
    run("invitations", "loans", "--store", url)
    assert "0 of 30 began" in capsys.readouterr().out


def test_an_invitation_is_revoked_and_a_study_closed_and_opened(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    run("invite", "loans", "--store", url)
    [secret] = secrets_in(capsys.readouterr().out)
    with Store(url) as store:
        [one] = store.invitations("loans")
    run("revoke", "loans", one.id, "--store", url)
    run("close", "loans", "--store", url)
    with Store(url, runner=QuickRunner(3)) as store:
        with pytest.raises(RevokedError):
            store.accept(secret)
        with pytest.raises(ClosedError):
            store.begin("loans", by_owner=True)
        run("open", "loans", "--store", url)
        assert "open to invited people" in capsys.readouterr().out
        run("open", "loans", "--anyone", "--store", url)
        assert "open to anyone" in capsys.readouterr().out
        assert store.begin("loans")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("invite", "nowhere"), "no study 'nowhere'"),
        (("invite", "loans", "--expires", "soon"), "is a day such as"),
        (("invite", "loans", "--expires", "0001-01-01T00:00"), "is a day such as"),
        (("invite", "loans", "--expires", "9999-12-31T23:00-23:00"), "before the year 10000"),
        (("invite", "loans", "--expires", "2020-01-01"), "in the future"),
        (("invite", "loans", "--count", "100000"), "at most 1000"),
        (("revoke", "loans", "1"), "no such invitation"),
        (("close", "nowhere"), "no study 'nowhere'"),
    ],
)
def test_what_cannot_be_done_is_said(url: str, arguments: tuple[str, ...], words: str) -> None:
    with pytest.raises(EvenhandError, match=words):
        run(*arguments, "--store", url)


def test_nobody_is_invited_to_a_store_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(EvenhandError, match="there is no store"):
        run("invite", "loans", "--store", f"sqlite:///{tmp_path}/none.db")
    assert not list(tmp_path.iterdir())
