"""The server and the browser that the tests of the pages share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from tests.web.served import Served, chromium, serving
from tests.web.studies import study_of

from evenhand.study.demo.demo import demo_study
from evenhand.study.store import Store


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The demo, and a study of every size that must stay readable."""
    path = tmp_path_factory.mktemp("store") / "studies.db"
    with Store(f"sqlite:///{path}") as store:
        store.put_study(demo_study())
        for groups in range(2, 6):
            for classes in range(2, 5):
                store.put_study(study_of(groups, classes))
        with serving(store) as served:
            yield served


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser
