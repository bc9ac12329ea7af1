"""A person withdraws: nothing that they said is left anywhere, and everything else is as it was."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select
from tests.support.postgresql import new_database
from tests.support.quick import QuickRunner, study

from evenhand.study.checkup import examine
from evenhand.study.exchange import export_study, import_study
from evenhand.study.log.schema import admissions, content, log
from evenhand.study.refusals import Refusal, UnknownInterviewError, WithdrawnError
from evenhand.study.runner import Runner
from evenhand.study.store import Store, identity

QUESTIONS = 4


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    with Store(store_url, runner=QuickRunner(QUESTIONS)) as store:
        store.put_study(study())
        yield store


def said(store: Store, token: str, reason: str, times: int = QUESTIONS) -> str:
    for n in range(1, times + 1):
        store.answer(token, n, "second", f"{reason} {n}")
    return token


def test_what_was_said_is_gone_and_the_chain_is_whole(store: Store) -> None:
    other = said(store, store.begin("loans"), "stays")
    token = said(store, store.begin("loans"), "leaves")
    store.undo(token, QUESTIONS)
    store.withdraw(token)
    store.withdraw(token)
    with store.database.reading() as connection:
        left = select(content, log.c.kind).join(log, log.c.place == content.c.place)
        rows = connection.execute(left.where(log.c.interview == identity(token))).mappings().all()
    assert [(row["kind"], row["detail"], row["choice"], row["why"]) for row in rows] == [
        ("withdrawn", "{}", None, None)
    ]
    assert not store.breaks()
    assert "leaves" not in export_study(store, "loans")
    assert [given.why for given in store.interview(other).answers] == [f"stays {n}" for n in range(1, QUESTIONS + 1)]
    assert (store.overview()[0].begun, store.overview()[0].withdrawn) == (1, 1)


def test_whoever_comes_back_is_told_and_can_do_nothing_more(store: Store) -> None:
    [one] = store.invite("loans")
    token = said(store, store.accept(one.secret), "leaves", 2)
    store.withdraw(token)
    refusals: list[Callable[[], object]] = [
        lambda: store.interview(token),
        lambda: store.answer(token, 3, "first"),
        lambda: store.answer(token, 1, "second", "leaves 1"),
        lambda: store.undo(token, 2),
    ]
    for refused in refusals:
        with pytest.raises(WithdrawnError, match="erased"):
            refused()
    assert store.accept(one.secret) == token, "the link begins no other interview"
    with pytest.raises(WithdrawnError):
        store.interview(token)
    with store.database.reading() as connection:
        assert not connection.execute(select(admissions)).all(), "nothing says who it was"


def test_whoever_withdraws_waits_for_nobody_who_works_on_a_question(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evenhand.study.runner._SECONDS_TO_WAIT", 0.05)
    runner, token = Runner(), store.begin("loans")
    monkeypatch.setattr(store, "_runner", runner)
    runner.snapshots.put(identity(token), "somewhere", b"learned")
    with runner.turn():
        store.withdraw(token)
    assert runner.snapshots.get(identity(token), "somewhere") is None


def test_to_withdraw_again_drops_what_the_first_time_left(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    runner, token = Runner(), said(store, store.begin("loans"), "leaves", 2)
    with monkeypatch.context() as stopped:
        stopped.setattr(Store, "_forget", lambda *_: None)  # the process ended there
        store.withdraw(token)
    monkeypatch.setattr(store, "_runner", runner)
    runner.snapshots.put(identity(token), "somewhere", b"learned")
    store.withdraw(token)
    assert runner.snapshots.get(identity(token), "somewhere") is None


@pytest.mark.parametrize("how", ["closed", "revoked"])
def test_people_can_withdraw_whatever_the_owner_does(store: Store, how: str) -> None:
    [one] = store.invite("loans")
    token = said(store, store.accept(one.secret), "leaves", 2)
    if how == "closed":
        store.close_study("loans")
    else:
        store.revoke("loans", one.id)
    store.withdraw(token)
    assert "leaves" not in export_study(store, "loans")
    assert store.invitations("loans")[0].state == "withdrawn"


def test_there_is_nothing_to_withdraw_where_nothing_began(store: Store) -> None:
    [one] = store.invite("loans")
    for token in ("unknown", one.secret, "a\x00", "half \ud800"):
        with pytest.raises(UnknownInterviewError):
            store.withdraw(token)
    assert store.accept(one.secret)


def test_answers_that_race_with_a_withdrawal_bring_nothing_back(store_url: str, store: Store) -> None:
    with Store(store_url, runner=QuickRunner(QUESTIONS)) as other:
        for turn in range(12):
            token = said(store, store.begin("loans"), "leaves", 1)
            ready = threading.Barrier(4)

            def answer(by: Store, n: int, token: str = token, ready: threading.Barrier = ready) -> None:
                ready.wait()
                try:
                    by.answer(token, n, "first", "leaves late")
                    by.undo(token, n)
                    by.answer(token, n, "second", "leaves later")
                except Refusal:
                    pass  # too late: that is what this is about

            threads = [threading.Thread(target=answer, args=(by, 2)) for by in (store, other, store)]
            for thread in threads:
                thread.start()
            ready.wait()
            (store, other)[turn % 2].withdraw(token)
            for thread in threads:
                thread.join()
            with pytest.raises(WithdrawnError):
                store.interview(token)
    assert "leaves" not in export_study(store, "loans")
    assert not store.breaks()


@pytest.fixture
def elsewhere(store_url: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    if store_url.startswith("sqlite"):
        return f"sqlite:///{tmp_path}/elsewhere.db"
    return new_database(request.getfixturevalue("postgresql"))


def test_an_export_from_before_brings_nothing_back_and_one_from_after_erases(store: Store, elsewhere: str) -> None:
    stays, leaves = (said(store, store.begin("loans"), reason, 2) for reason in ("stays", "leaves"))
    before = export_study(store, "loans")
    with Store(elsewhere, runner=QuickRunner(QUESTIONS)) as there:
        import_study(there, before)
        store.withdraw(leaves)
        after = export_study(store, "loans")
        assert import_study(store, before).interviews == 0
        assert export_study(store, "loans") == after
        import_study(there, after)
        import_study(there, before)
        assert "leaves" not in export_study(there, "loans")
        assert len(there.interview(stays).answers) == 2
        with pytest.raises(WithdrawnError):
            there.interview(leaves)
        assert not there.breaks()


def test_a_withdrawal_that_comes_first_is_remembered(store: Store, elsewhere: str) -> None:
    token = said(store, store.begin("loans"), "leaves", 2)
    before = export_study(store, "loans")
    store.withdraw(token)
    with Store(elsewhere, runner=QuickRunner(QUESTIONS)) as there:
        import_study(there, export_study(store, "loans"))
        import_study(there, before)
        assert "leaves" not in export_study(there, "loans")


def test_doctor_passes_after_withdrawals_and_says_so(store_url: str, store: Store) -> None:
    for reason in ("stays", "leaves", "leaves"):
        token = said(store, store.begin("loans"), reason, 2)
        if reason == "leaves":
            store.withdraw(token)
    checks = list(examine(store_url))
    assert all(check.passed for check in checks), checks
    assert "the content of 2 interviews is erased" in next(check.text for check in checks if check.name == "log")


def test_no_byte_of_it_is_left_in_the_file_or_in_backups_made_afterwards(tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    with Store(f"sqlite:///{file}", runner=QuickRunner(30)) as store:
        store.put_study(study())
        tokens = [store.begin("loans") for _ in range(12)]
        for n in range(1, 21):  # many people at once, so that what they say lies side by side, and some of it is long
            for person, token in enumerate(tokens):
                store.answer(token, n, "first", f"person-{person:02d}. " * (1 if n % 5 else 150))
        gone = range(0, 12, 2)
        for person in gone:
            store.withdraw(tokens[person])
        for n in range(21, 25):
            store.answer(tokens[1], n, "first", "person-01.")
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(tmp_path / "backup.db")) as backup:
            source.backup(backup)
        for path in tmp_path.iterdir():
            held = path.read_bytes()
            assert not [person for person in gone if f"person-{person:02d}".encode() in held], path.name
        assert b"person-01" in file.read_bytes()
        assert not store.breaks()
