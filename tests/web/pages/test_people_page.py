"""The owner's result page: people by number, and by the label of their invitation only where names are kept."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from tests.support.quick import QuickRunner, study
from tests.web.owner import owner_of

from evenhand.study.store import Store

RESULT = "/-/studies/loans/result"
FORMULA = '=HYPERLINK("//x.example")'


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(f"sqlite:///{tmp_path}/store.db", runner=QuickRunner(1)) as store:
        yield store


@pytest.fixture
def owner(store: Store, tmp_path: Path) -> TestClient:
    return owner_of(store, tmp_path)


def everybody_answers(store: Store, *labels: str) -> None:
    for label in labels:
        [one] = store.invite("loans", label=label)
        store.answer(store.accept(one.secret, names_told=True), 1, "first")


def table(owner: TestClient) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(owner.get(f"{RESULT}.csv").text, newline="")))


def test_labels_stand_beside_numbers_where_names_are_kept(owner: TestClient, store: Store) -> None:
    store.put_study(replace(study(), names_kept=True))
    everybody_answers(store, "Ada", "<b>Grace</b>")
    store.answer(store.begin("loans", by_owner=True), 1, "first")
    page = owner.get(RESULT).text
    assert '<th scope="col">Invitation</th>' in page
    shown = re.findall(r'<th scope="row">\d+</th><td>(.*?)</td>', page)
    assert sorted(shown) == ["", "&lt;b&gt;Grace&lt;/b&gt;", "Ada"]
    assert sorted(row["label"] for row in table(owner)) == ["", "<b>Grace</b>", "Ada"]
    people = owner.get(f"{RESULT}.json").json()["people"]
    assert [person["label"] or "" for person in people] == [row["label"] for row in table(owner)]


def test_a_label_that_begins_like_a_formula_is_text_in_the_table(owner: TestClient, store: Store) -> None:
    store.put_study(replace(study(), names_kept=True))
    everybody_answers(store, FORMULA)
    assert [row["label"] for row in table(owner)] == [f"'{FORMULA}"]


def test_without_names_kept_no_label_is_anywhere_in_the_result(owner: TestClient, store: Store) -> None:
    store.put_study(study())
    everybody_answers(store, "Ada", "Grace")
    for end in ("", ".csv", ".json"):
        text = owner.get(f"{RESULT}{end}").text
        assert "Ada" not in text
        assert "Grace" not in text
    assert "Invitation" not in owner.get(RESULT).text
    assert "label" not in table(owner)[0]
    assert {person["label"] for person in owner.get(f"{RESULT}.json").json()["people"]} == {None}


def test_the_study_s_page_says_whether_names_are_kept(owner: TestClient, store: Store) -> None:
    store.put_study(study())
    store.invite("loans")
    assert "by number, never by name" in owner.get("/-/studies/loans").text
    store.put_study(replace(study(), names_kept=True))
    page = owner.get("/-/studies/loans").text
    assert "Names are kept" in page
    assert "never by name" not in page
