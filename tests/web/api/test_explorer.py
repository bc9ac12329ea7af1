"""The interactive page of the API: it works, and loads nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.support.quick import QuickRunner, study
from tests.web.served import Served, serving

from evenhand.study.store import Store


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Store(f"sqlite:///{tmp_path}/store.db", runner=QuickRunner(3)) as store:
        store.put_study(study())
        with serving(store) as served:
            yield served


def test_a_request_is_tried_in_the_browser_and_nothing_comes_from_elsewhere(browser: Browser, served: Served) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        asked: list[str] = []
        wrong: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
        page.goto(f"{served.address}/api/docs")
        page.get_by_role("button", name="POST /api/studies/{slug}/interviews Begin").click()
        page.get_by_role("button", name="Try it out").click()
        page.get_by_placeholder("slug").fill("loans")
        page.get_by_role("button", name="Execute").click()
        expect(page.locator(".live-responses-table tbody .response-col_status").first).to_contain_text("201")
    assert len(asked) > 4
    assert all(url.startswith(f"{served.address}/") for url in asked)
    assert not wrong
    assert served.store.overview()[0].begun == 1
