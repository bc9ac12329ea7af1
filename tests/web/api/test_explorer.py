"""The interactive page of the API: it works, and loads nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
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


def test_axe_finds_nothing_but_how_the_package_builds_its_list(browser: Browser, served: Served) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{served.address}/api/docs")
        expect(page.get_by_role("button", name="GET /healthz").first).to_be_visible()
        found = {rule["id"] for rule in Axe().run(page).response["violations"]}
    assert found <= {"heading-order", "nested-interactive"}  # a button to copy inside the one that opens
